// Package ingest is IngestWorkflow: it fetches the coming days' fixtures, puts each into its stage, looks up team names
// ahead of time and deletes what is older than the retention.
package ingest

import (
	"time"

	"github.com/found-footy/found-footy/internal/pipeline/alias"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/workflow"
)

// Input chooses what to ingest; FixtureIDs is the manual mode.
type Input struct {
	FixtureIDs []int64 `json:"fixture_ids,omitempty"`
	Days       int     `json:"days"`      // window: today and the days after
	Lookahead  int     `json:"lookahead"` // days to look ahead where tomorrow has no fixture
}

// Defaults is the daily ingest.
func Defaults() Input { return Input{Days: 3, Lookahead: 30} }

// Output counts what was stored.
type Output struct {
	Days      int `json:"days"`
	Fixtures  int `json:"total_fixtures"`
	Staging   int `json:"staging_count"`
	Active    int `json:"active_count"`
	Completed int `json:"completed_count"`
	Known     int `json:"known_count"` // were there before; brought up to date
	Aliases   int `json:"aliases"`
	Deleted   int `json:"deleted"`
}

// overnight is how long after midnight UTC yesterday's matches may still be under way.
const overnight = 4 * time.Hour

// parallel is how many teams are looked up at a time.
const parallel = 4

type ingest struct {
	in  Input
	out Output
}

// Workflow is IngestWorkflow.
func Workflow(ctx workflow.Context, in Input) (Output, error) {
	w := &ingest{in: in}
	err := w.run(ctx)
	return w.out, err
}

func (w *ingest) run(ctx workflow.Context) error {
	if len(w.in.FixtureIDs) > 0 {
		return w.manual(ctx)
	}
	now := workflow.Now(ctx).UTC()
	today := now.Truncate(24 * time.Hour)
	if now.Sub(today) < overnight {
		if _, err := w.day(ctx, today.AddDate(0, 0, -1)); err != nil {
			return err
		}
	}
	for d := range w.in.Days {
		if _, err := w.day(ctx, today.AddDate(0, 0, d)); err != nil {
			return err
		}
	}
	if err := w.lookahead(ctx, today); err != nil {
		return err
	}
	if err := w.aliases(ctx); err != nil {
		return err
	}
	return policy.Do(ctx, policy.Cleanup, "delete what is older than is kept", nil, &w.out.Deleted)
}

func (w *ingest) manual(ctx workflow.Context) error {
	var s Stored
	if err := policy.Do(ctx, policy.FetchByIDs, policy.Counted(len(w.in.FixtureIDs), "match asked for", "matches asked for"), w.in.FixtureIDs, &s); err != nil {
		return err
	}
	w.count(s)
	return w.aliases(ctx)
}

func (w *ingest) day(ctx workflow.Context, date time.Time) (Stored, error) {
	var s Stored
	err := policy.Do(ctx, policy.StoreDay, "matches of "+date.Format(time.DateOnly), date, &s)
	w.count(s)
	return s, err
}

// lookahead walks on to the next day with fixtures if the window holds none after today (international breaks).
func (w *ingest) lookahead(ctx workflow.Context, today time.Time) error {
	if w.out.Staging+w.out.Known > 0 {
		return nil
	}
	for d := w.in.Days; d <= w.in.Lookahead; d++ {
		s, err := w.day(ctx, today.AddDate(0, 0, d))
		if err != nil || s.Fixtures > 0 || s.Beyond {
			return err
		}
	}
	return nil
}

// aliases looks up the teams nobody asked about before, a few at a time. A team that cannot be resolved now is
// resolved when its goal comes.
func (w *ingest) aliases(ctx workflow.Context) error {
	var missing []alias.Input
	if err := policy.Do(ctx, policy.MissingAliases, "teams without words to search for", nil, &missing); err != nil {
		return err
	}
	slots := workflow.NewSemaphore(ctx, parallel)
	wg := workflow.NewWaitGroup(ctx)
	for _, team := range missing {
		if err := slots.Acquire(ctx, 1); err != nil {
			return err
		}
		wg.Add(1)
		workflow.Go(ctx, func(ctx workflow.Context) {
			defer wg.Done()
			defer slots.Release(1)
			o := policy.Child(policy.AliasWorkflow, alias.WorkflowID(team.Team.ID), team.Team.Name, enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
			if err := workflow.ExecuteChildWorkflow(workflow.WithChildOptions(ctx, o), policy.AliasWorkflow, team).Get(ctx, nil); err == nil {
				w.out.Aliases++
			}
		})
	}
	wg.Wait(ctx)
	return nil
}

func (w *ingest) count(s Stored) {
	w.out.Days++
	w.out.Fixtures += s.Fixtures
	w.out.Staging += s.Staging
	w.out.Active += s.Active
	w.out.Completed += s.Completed
	w.out.Known += s.Known
}
