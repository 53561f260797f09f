package pipeline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/workflow"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

func TestASearchThatDiedIsBegunAgainUnderTheNextGeneration(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.event(oneGoal).Round.Workflow
	require.Empty(t, b.reconcile().Searches, "it runs")
	for n, died := range []round.WorkflowStatus{round.Dead, round.Missing} {
		before := b.event(oneGoal).Round.Workflow
		b.engine.set(before, died)
		if died == round.Missing {
			delete(b.engine.status, before)
		}
		todo := b.reconcile()
		require.Len(t, todo.Searches, 1)
		require.Equal(t, footy.Generation(first, n+1), todo.Searches[0].WorkflowID)
		e := b.event(oneGoal)
		require.False(t, e.Round.TakenUp(), "until the new one takes it up")
		require.LessOrEqual(t, len(b.reconcile().Searches), 1, "one at a time")
		b.changeEvent(oneGoal, func(e *footy.Event) { round.TakeUp(e, e.Round.Workflow) })
		b.engine.set(todo.Searches[0].WorkflowID, round.Running)
	}
}

func TestASearchThatDiedWithItsTimeUpEndsItsRound(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.engine.set(b.event(oneGoal).Round.Workflow, round.Dead)
	b.pass(46 * time.Minute)
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Round.SearchedAt = b.at.Add(-time.Minute) })
	require.Empty(t, b.reconcile().Searches)
	e := b.event(oneGoal)
	require.False(t, e.Round.EndedAt.IsZero())
	require.True(t, e.DownloadComplete)
	require.Equal(t, "lost(window_over)", e.Outcome().String())
	require.Len(t, b.rows(oneGoal, footy.EntryCompleted), 1)
}

func TestAGoalWhoseSearchWasNeverStartedGetsIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Round.TakenUpBy = "" })
	require.Empty(t, b.reconcile().Searches, "it may be about to start")
	b.pass(10 * time.Second)
	todo := b.reconcile()
	require.Len(t, todo.Searches, 1)
	require.Equal(t, b.event(oneGoal).Round.Workflow, todo.Searches[0].WorkflowID)
}

// TestASearchWhoseIdHasEndedGetsAnotherOne: a state that was restored opens a round anew, and the engine, which was not, knows the round's
// id as completed and starts nothing under it.
func TestASearchWhoseIdHasEndedGetsAnotherOne(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.event(oneGoal).Round.Workflow
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Round.TakenUpBy = "" })
	b.engine.set(first, round.Running)
	b.pass(10 * time.Second)
	require.Equal(t, first, b.reconcile().Searches[0].WorkflowID, "it may be about to take the round up")

	b.engine.set(first, round.Done)
	b.engine.set(footy.Generation(first, 1), round.Done) // of a search that had died before the restore
	b.reconcile()
	todo := b.reconcile()
	require.Len(t, todo.Searches, 1)
	require.Equal(t, footy.Generation(first, 2), todo.Searches[0].WorkflowID)
	require.Equal(t, todo.Searches[0].WorkflowID, b.event(oneGoal).Round.Workflow)
	require.Equal(t, todo.Searches, b.reconcile().Searches, "an id that nobody has stays")
}

// TestASearchThatEndedBeforeARestoreGoesOn: the state says that the round is under way, the engine that its search returned.
func TestASearchThatEndedBeforeARestoreGoesOn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Round.Tries, e.Round.Searches, e.Round.SearchedAt = 3, 3, b.at })
	first := b.event(oneGoal).Round.Workflow
	b.engine.set(first, round.Done)
	todo := b.reconcile()
	require.Len(t, todo.Searches, 1)
	require.Equal(t, footy.Generation(first, 1), todo.Searches[0].WorkflowID)
	require.True(t, b.event(oneGoal).Round.EndedAt.IsZero())
	require.NotEqual(t, round.DownloadID(footy.Event{Round: footy.Round{}}, 4), round.DownloadID(footy.Event{Round: footy.Round{Generation: 1}}, 4),
		"the engine may know the Downloads of the former search, too")
}

func TestPostsThatNobodyWorksAtAreTakenUpAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		download, upload round.WorkflowStatus
		again            bool
	}{
		"it runs":                            {round.Running, round.Missing, false},
		"it died":                            {round.Dead, round.Missing, true},
		"it was never started":               {round.Missing, round.Missing, true},
		"it handed over and Upload is at it": {round.Done, round.Running, false},
		"it handed over and Upload is gone":  {round.Done, round.Done, true},
		"it handed over and Upload died":     {round.Done, round.Dead, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			in := b.open("1")
			must[any](b, download.RegisterDownload, in)
			b.engine.set(in.Download, c.download)
			b.engine.set(b.event(oneGoal).UploadWorkflow, c.upload)
			b.pass(5 * time.Minute) // its posts are due: nobody has said a word for long
			todo := b.reconcile()
			if !c.again {
				require.Empty(t, todo.Downloads)
				require.Equal(t, b.at.Add(2*time.Minute), b.post(oneGoal, "1").NextTry.UTC(), "its posts are left alone")
				return
			}
			require.Len(t, todo.Downloads, 1)
			require.NotEqual(t, in.Download, todo.Downloads[0].WorkflowID, "an id is given once")
			require.Empty(t, b.reconcile().Downloads, "another cycle need not do it again")
			d := todo.Downloads[0]
			b.batch(d.WorkflowID, download.Input{EventInput: policy.EventInput{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Download: d.WorkflowID, Retry: true})
			require.Len(t, b.event(oneGoal).Clips, 1)
		})
	}
}

func TestDuePostsOfAGoalGetOneDownload(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.set(func(footy.Candidate) error { return trouble(footy.ReasonFetchFailed) }, nil)
	in := b.open("1", "2", "3")
	b.over(oneGoal)
	b.batch(in.Download, in)
	require.Empty(t, b.reconcile().Downloads, "their time has not come")
	b.pass(30 * time.Second)
	b.x.set(nil, nil)
	require.Len(t, b.reconcile().Downloads, 1)
	require.Empty(t, b.reconcile().Downloads)
	b.pass(2 * time.Minute)
	b.settle(5 * time.Minute)
	require.Len(t, b.event(oneGoal).Clips, 3)
	require.True(t, b.event(oneGoal).DownloadComplete)
}

func TestPostsOfAnEventThatIsGoneEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.open("1")
	nine, _ := ledger.Offered(matchID, footy.Event{UID: "5000-9"}, footy.Candidate{PostID: "9"}, b.now())
	eight, _ := ledger.Offered(77, footy.Event{UID: "77-1"}, footy.Candidate{PostID: "8"}, b.now())
	require.NoError(t, b.store.AddPosts(t.Context(), []footy.Post{nine, eight}))
	b.reconcile()
	require.Equal(t, map[string]string{"9": "refused event_gone"}, b.states("5000-9"))
	require.Equal(t, map[string]string{"8": "refused event_gone"}, b.states("77-1"), "of a fixture that is gone")
	require.Equal(t, map[string]string{"1": "offered"}, b.states(oneGoal))
}

func TestPostsThatWaitForAModelWaitWithoutAWorkflow(t *testing.T) {
	t.Parallel()
	for name, cause := range map[string]footy.Reason{"it does not answer": footy.ReasonModelUnreachable, "there is none": footy.ReasonNoModel} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.model.set(nil, trouble(cause))
			if cause == footy.ReasonNoModel {
				b.down.Reader, b.mon.Reader = nil, nil
			}
			in := b.open("1", "2")
			b.over(oneGoal)
			b.batch(in.Download, in)
			asked := b.model.asked["1"]
			for end := b.at.Add(5 * time.Hour); b.at.Before(end); b.pass(30 * time.Second) {
				require.Empty(t, b.reconcile().Downloads)
			}
			p := b.post(oneGoal, "1")
			require.Equal(t, cause, p.Reason)
			require.LessOrEqual(t, p.NextTry.Sub(b.at), 15*time.Minute)
			require.Equal(t, 1, p.Tries, "a look is no try")
			require.Len(t, b.rows(oneGoal, footy.EntryWaiting), 2)
			require.Equal(t, asked, b.model.asked["1"])
			b.model.set(nil, nil)
			b.down.Reader, b.mon.Reader = b.model, b.model
			b.settle(20 * time.Minute)
			require.Len(t, b.event(oneGoal).Clips, 2)
		})
	}
}

func TestAFixtureThatIsOverGoesOnWithWhatWaits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.model.set(nil, trouble(footy.ReasonModelUnreachable))
	in := b.open("1")
	b.over(oneGoal)
	b.batch(in.Download, in)
	b.change(func(f *footy.Fixture) { f.Stage = footy.StageCompleted })
	b.pass(3 * time.Hour)
	require.True(t, must[monitor.Plan](b, monitor.PlanCycle, "p").Open, "Monitor sees that something is open")
	b.model.set(nil, nil)
	b.settle(20 * time.Minute)
	e := b.event(oneGoal)
	require.Len(t, e.Clips, 1)
	require.True(t, e.DownloadComplete)
	require.False(t, must[monitor.Plan](b, monitor.PlanCycle, "p").Open)
}

func TestAWorkerThatDiedOnAPostLeavesItToTheNext(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1", "2")
	b.over(oneGoal)
	must[any](b, download.RegisterDownload, in)
	b.x.set(func(c footy.Candidate) error {
		if c.PostID == "2" {
			panic(killed)
		}
		return nil
	}, nil)
	must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"1"}})
	_, err := do[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"2"}})
	require.ErrorContains(t, err, killed)
	b.x.set(nil, nil)
	b.engine.set(in.Download, round.Dead)
	b.pass(time.Minute)
	b.settle(5 * time.Minute)
	require.Len(t, b.event(oneGoal).Clips, 2)
	open, err := b.store.Posts(t.Context(), store.PostQuery{Open: true})
	require.NoError(t, err)
	require.Empty(t, open)
}

func TestACompleteGoalThatIsOfferedAPostTakesIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.goal(sibling, 20)
	b.over(oneGoal)
	b.over(sibling)
	b.settle(time.Minute)
	require.True(t, b.event(sibling).DownloadComplete)
	b.model.clock["misplaced"] = "19:1"
	in := b.open("misplaced")
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"misplaced": "offered"}, b.states(sibling))
	require.Len(t, b.reconcile().Downloads, 1)
	require.False(t, b.event(sibling).DownloadComplete, "no event is complete with an open post")
	b.pass(3 * time.Minute)
	b.settle(5 * time.Minute)
	require.Equal(t, map[string]string{"misplaced": "published"}, b.states(sibling))
	require.Len(t, b.event(sibling).Clips, 1)
	require.True(t, b.event(sibling).DownloadComplete)
}

// TestADownloadWhoseIdHasEndedIsMade: a state that was restored gives out the ids of retries anew, and the engine, which was not, knows them
// as completed. Each was refused, and a post that had been tried often before the restore lay there for two minutes an id.
func TestADownloadWhoseIdHasEndedIsMade(t *testing.T) {
	t.Parallel()
	env := setup(t)
	made := 0
	env.OnWorkflow(download.Workflow.Name(), anything, anything).Return(func(workflow.Context, download.Input) (download.Output, error) {
		made++
		return download.Output{}, nil
	})
	again := monitor.Download{WorkflowID: "download-again1-event"}
	on(env, monitor.PlanCycle, anything).Return(monitor.Plan{Calls: byIDs([]int64{1}), Open: true}, nil)
	on(env, monitor.PollChunk, anything).Return(monitor.PollResult{Answered: 1, Changed: []int64{1}}, nil)
	on(env, monitor.Decide, anything).Return(monitor.Todo{Downloads: []monitor.Download{again}}, nil)
	on(env, monitor.Reconcile, anything).Return(monitor.Todo{Downloads: []monitor.Download{again}}, nil)
	env.ExecuteWorkflow(monitor.Workflow.Name(), monitor.Input{Timing: policy.Defaults()})
	require.NoError(t, env.GetWorkflowError())
	require.Equal(t, 2, made)
}
