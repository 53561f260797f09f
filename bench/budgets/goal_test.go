package budgets_test

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/bench/record"
	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
)

// What a whole goal may take; local activities count.
const (
	PopularActivities  = 65 // ten searches with five good candidates each
	PopularEvents      = 500
	UnpostedActivities = 14 // ten searches that find nothing
)

// Pace is the product's own timing, compressed so far only that a search's batch is over before the next search: that
// is how it goes in a real run, and batches that overlap would share turns of their workflows and look cheaper. Publishing waits long
// for the next batch: on a slow machine it would end between two, and begin again as one workflow more.
func Pace(every time.Duration) policy.Timing {
	t := policy.Defaults()
	t.SearchEvery, t.SearchPause, t.UploadIdle, t.SearchAt = every, every/6, 60*every, nil
	return t
}

// Goal is what one goal took from the moment it was certain: its search, its batches, its publishing.
type Goal struct {
	Cost
	Event footy.Event // as it ended
}

// Score plays one certain goal to its end. A goal of Unposted is never posted; of every other one each search
// finds five good clips.
func (r *Rig) Score(ctx context.Context, fixture int64, scorer string, t policy.Timing) (Goal, error) {
	f := liveMatch(fixture, scorer)
	if err := r.App.Store.Add(ctx, f); err != nil {
		return Goal{}, err
	}
	e := f.Events[0]
	run, err := r.Client.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: e.Round.Workflow, TaskQueue: policy.QueueMain},
		search.Workflow.Name(), search.Input{FixtureID: fixture, EventUID: e.UID, Timing: t})
	if err != nil {
		return Goal{}, err
	}
	if err := run.Get(ctx, nil); err != nil {
		return Goal{}, err
	}
	if err := r.published(ctx, fixture, e.UploadWorkflow); err != nil {
		return Goal{}, err
	}
	if f, err = r.App.Store.Fixture(ctx, fixture); err != nil {
		return Goal{}, err
	}
	g := Goal{Event: f.Events[0]}
	g.Cost, err = r.cost(ctx, e.ID, e.Team.ID)
	return g, err
}

// published waits until the event's publishing is over. It begins with the first clip that is ready, which on a slow machine comes
// after the last search has ended.
func (r *Rig) published(ctx context.Context, fixture int64, upload string) error {
	for {
		var notBegun *serviceerror.NotFound
		if err := r.Client.GetWorkflow(ctx, upload, "").Get(ctx, nil); err != nil && !errors.As(err, &notBegun) {
			return err
		}
		f, err := r.App.Store.Fixture(ctx, fixture)
		if err != nil || f.Events[0].DownloadComplete {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// cost adds up every run that worked for the event, and the look-up of the team's words.
func (r *Rig) cost(ctx context.Context, event string, team int64) (Cost, error) {
	var sum Cost
	all, err := record.Runs(ctx, r.Client)
	if err != nil {
		return sum, err
	}
	of := record.ByGoal(all)[event]
	for _, run := range all {
		if run.ID == alias.WorkflowID(team) {
			of = append(of, run)
		}
	}
	for _, run := range of {
		h, err := Fetch(ctx, r.Client, run.ID, run.RunID)
		if err != nil {
			return sum, err
		}
		sum.Add(CostOf(h))
	}
	return sum, nil
}

func liveMatch(id int64, scorer string) footy.Fixture {
	now := time.Now().UTC()
	team := footy.Team{ID: 2 * id, Name: "Harbour City"}
	f := footy.Fixture{ID: id}
	e := footy.Event{
		UID: identity.NewUID(&f), Kind: footy.KindGoal, Type: "Goal", Detail: "Normal Goal", Minute: footy.Minute{Elapsed: 24}, Team: team, Player: footy.Person{ID: 7, Name: "A. " + scorer},
		ScoreBefore: footy.ScoreOf(0, 0), ScoreAfter: footy.ScoreOf(1, 0), ScoringTeam: footy.SideHome,
		FirstSeen: now, LastSeen: now, ScorerPolls: 3, Votes: []string{"a", "b", "c"}, CertainAt: now,
	}
	e.ID = identity.NewID(&f, &e)
	round.Begin(&e, now)
	minute := 24
	f.Stage, f.Score, f.Events = footy.StageActive, footy.ScoreOf(1, 0), []footy.Event{e}
	f.Match = footy.Match{ID: id, Kickoff: now.Add(-24 * time.Minute), Status: footy.Status{Code: "1H", Elapsed: &minute}}
	f.League = footy.League{ID: 39, Name: "Premier League", Country: "England"}
	f.Teams = footy.Teams{Home: team, Away: footy.Team{ID: 2*id + 1, Name: "River Town"}}
	return f
}
