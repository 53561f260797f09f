// Package ingest is IngestWorkflow: it fetches the coming days' fixtures, puts each into its stage, looks up team names
// ahead of time and deletes what is older than the retention.
package ingest

import (
	"cmp"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// Input chooses what to ingest; FixtureIDs is the manual mode.
type Input struct {
	FixtureIDs []int64 `json:"fixture_ids,omitempty"`
	Days       int     `json:"days"`      // dates to list, today's among them
	Lookahead  int     `json:"lookahead"` // where no followed match comes on the days after today: look on, so many days after today at most
}

// Defaults is the daily ingest.
func Defaults() Input { return Input{Days: 3, Lookahead: 30} }

// Output counts what was stored.
type Output struct {
	Days      int      `json:"days"` // lists that were read
	Fixtures  int      `json:"total_fixtures"`
	Staging   int      `json:"staging_count"`
	Active    int      `json:"active_count"`
	Completed int      `json:"completed_count"`
	Known     int      `json:"known_count"` // were there before; brought up to date
	Aliases   int      `json:"aliases"`
	Deleted   int      `json:"deleted"`
	Beyond    []string `json:"beyond_plan,omitempty"` // dates that the vendor's plan does not list
	Failed    []string `json:"failed,omitempty"`      // dates whose list could not be had, with the reason
	Named     []Named  `json:"named,omitempty"`       // of the manual mode
}

// overnight is how long after midnight UTC yesterday's matches may still be under way.
const overnight = 4 * time.Hour

// parallel is how many teams are looked up at a time.
const parallel = 4

type ingest struct {
	in    Input
	out   Output
	ahead bool // the days after today hold a followed match, or nobody can say
}

// Workflow is IngestWorkflow. Each day stands alone, and so does the retention: a list that could not be had is named in the output.
var Workflow = policy.DefineWorkflow("IngestWorkflow", time.Hour, start)

func start(ctx workflow.Context, in Input) (Output, error) {
	w := &ingest{in: in}
	err := w.run(ctx)
	return w.out, err
}

func (w *ingest) run(ctx workflow.Context) error {
	if len(w.in.FixtureIDs) > 0 {
		return w.named(ctx)
	}
	if w.in.Days == 0 && w.in.Lookahead == 0 { // started by hand, without input
		w.in = Defaults()
	}
	now := workflow.Now(ctx).UTC()
	today := now.Truncate(24 * time.Hour)
	s, _ := w.day(ctx, today) // what fails is noted in the output
	w.ahead = s.Offline       // nothing more is asked then: Monitor begins again once the network is there
	if now.Sub(today) < overnight && !s.Offline {
		_, _ = w.day(ctx, today.AddDate(0, 0, -1))
	}
	for d := 1; d < w.in.Days && !s.Offline; d++ {
		w.later(ctx, today.AddDate(0, 0, d))
	}
	for d := max(w.in.Days, 1); d <= w.in.Lookahead && !w.ahead; d++ { // international breaks
		w.later(ctx, today.AddDate(0, 0, d))
	}
	var names, retention error
	if !s.Offline {
		names = w.aliases(ctx)
	}
	w.out.Deleted, retention = cleanup.Cleanup.Do(ctx, policy.Nothing{}, "delete what is older than is kept")
	return cmp.Or(names, retention)
}

// later lists a day after today. One that could not be listed, or that the plan does not list, ends the look ahead.
func (w *ingest) later(ctx workflow.Context, date time.Time) {
	s, err := w.day(ctx, date)
	w.ahead = w.ahead || err != nil || s.Fixtures > 0 || s.Beyond
}

func (w *ingest) day(ctx workflow.Context, date time.Time) (Stored, error) {
	day := date.Format(time.DateOnly)
	s, err := StoreDay.Do(ctx, date, "matches of "+day)
	switch {
	case err != nil:
		w.out.Failed = append(w.out.Failed, day+": "+fault.Words(err))
	case s.Offline:
		w.out.Failed = append(w.out.Failed, day+": "+network.OfflineWords)
	case s.Beyond:
		w.out.Beyond = append(w.out.Beyond, day)
	default:
		w.count(s)
	}
	return s, err
}

// aliases looks up the teams nobody asked about before, a few at a time. A team that cannot be resolved now is
// resolved when its goal comes.
func (w *ingest) aliases(ctx workflow.Context) error {
	missing, err := MissingAliases.Do(ctx, policy.Nothing{}, "teams without words to search for")
	if err != nil {
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
			if err := alias.Workflow.Begin(ctx, alias.Child(team.Team), team).Get(ctx, nil); err == nil {
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
