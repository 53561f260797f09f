package pipeline_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
)

const early = "5000-3" // a goal in the 67th minute that one poll has seen

// sighted is a bench with a goal that is not certain yet, and nothing else to do.
func sighted(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.over(oneGoal)
	b.reconcile()
	b.change(func(f *footy.Fixture) {
		f.Events = append(f.Events, footy.Event{UID: early, ID: "5000_40_0_Goal_3", Kind: footy.KindGoal, Minute: footy.Minute{Elapsed: 67},
			Team: footy.Team{ID: 40, Name: "Liverpool"}, FirstSeen: b.now(), HappenedAt: b.now(), Votes: []string{"p1"}})
	})
	return b
}

// ahead looks for posts at a sighting of the goal and has what it finds fetched; it answers the Download.
func (b *bench) ahead(sighting int) download.Input {
	b.t.Helper()
	id := "download-" + round.AheadID(footy.Event{ID: "5000_40_0_Goal_3"}, sighting)
	in := search.AheadInput{Input: search.Input{FixtureID: matchID, EventUID: early, Timing: timing()}, Sighting: sighting}
	got := must[search.SearchResult](b, search.SearchAhead, in)
	down := download.Input{EventInput: policy.EventInput{FixtureID: matchID, EventUID: early, Timing: timing()}, Download: id}
	if got.Download != "" {
		require.Equal(b.t, id, got.Download)
		require.NoError(b.t, b.run(id, download.Workflow, down, nil))
	}
	return down
}

// certain makes the goal certain, as Monitor does.
func (b *bench) certain() {
	b.t.Helper()
	b.changeEvent(early, func(e *footy.Event) {
		e.Player, e.CertainAt = footy.Person{ID: 1, Name: "Mohamed Salah"}, b.now()
		round.Begin(e, b.now())
	})
}

// takeUp begins the search of the goal; it answers the Download to start for what was fetched ahead.
func (b *bench) takeUp() download.Input {
	b.t.Helper()
	begun := must[search.Beginning](b, search.BeginSearch, search.BeginInput{Input: search.Input{FixtureID: matchID, EventUID: early, Timing: timing()}, WorkflowID: b.event(early).Round.Workflow})
	b.engine.set(b.event(early).Round.Workflow, round.Running)
	return download.Input{EventInput: policy.EventInput{FixtureID: matchID, EventUID: early, Timing: timing()}, Download: begun.Download}
}

func TestAClipIsThereAtCertaintyWithoutAFurtherFetch(t *testing.T) {
	t.Parallel()
	b := sighted(t)
	b.x.find = finds("1", "2")
	told := b.told.n
	b.ahead(1)
	require.Equal(t, 1, b.x.queries[0].Ahead)
	require.Equal(t, `"Liverpool"`, b.x.queries[0].Text, "nobody has named the scorer")
	require.Equal(t, map[string]string{"1": "waiting not_certain", "2": "waiting not_certain"}, b.states(early))
	b.x.find = finds("1", "2", "3")
	b.ahead(2)
	require.Equal(t, map[string]string{"1": "waiting not_certain", "2": "waiting not_certain", "3": "waiting not_certain"}, b.states(early))

	for range 4 {
		b.pass(30 * time.Second)
		require.Empty(t, b.reconcile().Downloads, "they wait for certainty alone")
	}
	require.Empty(t, b.model.asked, "nothing is judged before")
	require.Equal(t, told, b.told.n, "nobody is told")
	require.Empty(t, b.engine.take(), "nothing is published")
	require.Empty(t, b.rows(early, footy.EntryVerdict))
	require.Len(t, b.rows(early, footy.EntryAhead), 2)
	require.Len(t, b.rows(early, footy.EntryWaiting), 3, "once each")
	e := b.event(early)
	require.Empty(t, e.Clips)
	require.Equal(t, footy.Round{}, e.Round, "no search has counted")

	b.certain()
	in := b.takeUp()
	require.Equal(t, round.DownloadID(b.event(early), 0), in.Download)
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"1": "published", "2": "published", "3": "published"}, b.states(early))
	require.Len(t, b.event(early).Clips, 3)
	require.ElementsMatch(t, []string{"1", "2", "3"}, b.x.fetched, "each was fetched once")
	require.Equal(t, 1, b.event(early).Round.Number, "a scorer who was named meanwhile opens no second round")
	require.Zero(t, b.event(early).Round.Tries)
	require.Empty(t, b.takeUp().Download, "nothing waits any more")
}

// TestASearchThatIsTakenUpStartsWithWhatWasFetchedAhead before it searches.
func TestASearchThatIsTakenUpStartsWithWhatWasFetchedAhead(t *testing.T) {
	t.Parallel()
	b := sighted(t)
	b.x.find = finds("1")
	b.ahead(1)
	b.engine.takeBegun()
	b.certain()
	in := b.takeUp()
	b.x.find = finds("2")
	e := b.event(early)
	must[any](b, search.Search, search.SearchInput{Input: in.EventInput, Round: 1, Try: 1})
	next := in
	next.Download = round.DownloadID(e, 1)
	require.Equal(t, []download.Input{in, next}, b.engine.takeBegun())
}

func TestASightingHasItsSearchAndItsDownload(t *testing.T) {
	t.Parallel()
	b := sighted(t)
	b.x.find = finds()
	b.ahead(1)
	require.Empty(t, b.engine.takeBegun(), "it found nothing")
	b.x.find = finds("1")
	in := b.ahead(2)
	require.Equal(t, []download.Input{in}, b.engine.takeBegun())
	env := setup(t)
	on(env, search.SearchAhead, anything).Return(func(_ context.Context, in search.AheadInput) (search.SearchResult, error) {
		require.Equal(t, 2, in.Sighting)
		return search.SearchResult{}, nil
	})
	env.ExecuteWorkflow(search.AheadWorkflow.Name(), search.AheadInput{Input: search.Input{FixtureID: 1, EventUID: "1-1", Timing: policy.Defaults()}, Sighting: 2})
	require.NoError(t, env.GetWorkflowError())
}

// TestAGoalThatGoesAwayTakesItsStagedWorkWithIt
func TestAGoalThatGoesAwayTakesItsStagedWorkWithIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		goes func(b *bench)
		late time.Duration // until nobody needs it
	}{
		"nobody named its scorer and it disappeared": {func(b *bench) {
			b.change(func(f *footy.Fixture) { f.Events = f.Events[:1] })
		}, 0},
		"it was taken back": {func(b *bench) {
			b.changeEvent(early, func(e *footy.Event) { e.Removed, e.RemovedAt, e.RemovedReason = true, b.now(), footy.ReasonVAR })
		}, 24 * time.Hour},
		"its match ended without it": {func(b *bench) {
			b.change(func(f *footy.Fixture) { f.Stage, f.CompletedAt = footy.StageCompleted, b.now() })
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := sighted(t)
			b.x.find = finds("1", "2")
			b.ahead(1)
			require.NotEmpty(t, b.blob.keys(t.Context(), blob.StagingPrefix))
			b.at = time.Now().UTC() // objects carry the machine's time
			c.goes(b)
			b.pass(c.late)
			b.sweep()
			b.pass(16 * time.Minute)
			require.Empty(t, b.reconcile().Downloads)
			require.Equal(t, map[string]string{"1": "refused event_gone", "2": "refused event_gone"}, b.states(early))
			b.pass(2 * time.Hour)
			b.sweep()
			require.Empty(t, b.blob.keys(t.Context(), blob.StagingPrefix))
			require.Empty(t, b.model.asked)
			open, err := b.store.Posts(t.Context(), store.PostQuery{Open: true})
			require.NoError(t, err)
			require.Empty(t, open)
		})
	}
	t.Run("nobody searches for it any more", func(t *testing.T) {
		t.Parallel()
		b := sighted(t)
		b.x.find = finds("1")
		b.changeEvent(early, func(e *footy.Event) { e.Removed = true })
		b.ahead(2)
		b.change(func(f *footy.Fixture) { f.Events = f.Events[:1] })
		in := search.AheadInput{Input: search.Input{FixtureID: matchID, EventUID: early, Timing: timing()}, Sighting: 3}
		require.Empty(t, must[search.SearchResult](b, search.SearchAhead, in).Download)
		require.Empty(t, b.x.queries)
	})
}

// meanwhile makes the goal certain right after a post was written down as waiting.
type meanwhile struct {
	store.Store
	then func()
}

func (m *meanwhile) Advance(ctx context.Context, uid, post string, change func(footy.Post) (footy.Post, []footy.Entry, error)) (footy.Post, error) {
	p, err := m.Store.Advance(ctx, uid, post, change)
	if p.State == footy.PostWaiting && m.then != nil {
		m.then()
		m.then = nil
	}
	return p, err
}

// TestAPostThatWaitsJustBehindCertaintyGoesOn: who began the search looked for posts that wait a moment before.
func TestAPostThatWaitsJustBehindCertaintyGoesOn(t *testing.T) {
	t.Parallel()
	for name, also := range map[string]func(b *bench){
		"nobody saw it":    func(*bench) {},
		"somebody took it": func(b *bench) { b.takeUp() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := sighted(t)
			b.x.find = finds("1")
			b.down.Store = &meanwhile{b.store, func() { b.certain(); also(b) }}
			in := b.ahead(1)
			b.upload()
			p := b.post(early, "1")
			require.Equal(t, footy.PostPublished, p.State)
			require.Equal(t, name == "nobody saw it", in.Download == p.Download, "one Download has it")
			require.Equal(t, []string{"1"}, b.x.fetched)
		})
	}
}

// TestWhatNobodyDrivesAtCertaintyIsFound: the process died between the goal's certainty and the Download of what was fetched ahead.
func TestWhatNobodyDrivesAtCertaintyIsFound(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]bool{"with a model": true, "by the clock alone": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := sighted(t)
			b.x.find = finds("1")
			b.ahead(1)
			b.certain()
			b.takeUp() // and the Download was never started
			if !model {
				b.mon.Reader = nil // its absence says nothing of a post that nobody has looked at
			}
			b.pass(30 * time.Second)
			todo := b.reconcile()
			require.Len(t, todo.Downloads, 1)
			d := todo.Downloads[0]
			b.batch(d.WorkflowID, download.Input{EventInput: policy.EventInput{FixtureID: matchID, EventUID: early, Timing: timing()}, Download: d.WorkflowID, Retry: true})
			require.Equal(t, map[string]string{"1": "published"}, b.states(early))
		})
	}
	t.Run("its search takes it along", func(t *testing.T) {
		t.Parallel()
		b := sighted(t)
		b.x.find = finds("1")
		b.ahead(1)
		b.certain()
		b.takeUp()
		b.found(b.event(early), "download1-x", "2")
		in := download.Input{EventInput: policy.EventInput{FixtureID: matchID, EventUID: early, Timing: timing()}, Download: "download1-x"}
		b.batch(in.Download, in)
		require.Equal(t, map[string]string{"1": "published", "2": "published"}, b.states(early))
	})
}

// TestAPostOfASiblingWaitsForCertaintyToo: it is offered to a goal that may go away.
func TestAPostOfASiblingWaitsForCertaintyToo(t *testing.T) {
	t.Parallel()
	b := sighted(t)
	p, row := ledger.Offered(matchID, b.event(early), footy.Candidate{PostID: "1", OfferedBy: oneGoal}, b.now())
	require.NoError(t, b.store.AddPosts(t.Context(), []footy.Post{p}, row))
	b.cycle()
	require.Equal(t, map[string]string{"1": "waiting not_certain"}, b.states(early))
	require.Empty(t, b.engine.take())
}

func TestWhatIsFetchedAheadGoesBehindWhatEverybodyWaitsFor(t *testing.T) {
	t.Parallel()
	b := sighted(t)
	b.found(b.event(early), "d", "1")
	in := download.Input{EventInput: policy.EventInput{FixtureID: matchID, EventUID: early, Timing: timing()}, Download: "d"}
	require.True(t, must[download.RegisterResult](b, download.RegisterDownload, in).Ahead)
	must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{"1"}})
	b.found(b.event(early), "another", "2")
	b.certain()
	in.Download = "at certainty"
	got := must[download.RegisterResult](b, download.RegisterDownload, in)
	require.Equal(t, []download.OpenPost{{PostID: "1", Step: ledger.StepJudge}}, got.Posts)
	require.True(t, got.First, "nothing of the goal is nearer to being shown")
}

// TestASearchAheadThatCannotLookLeavesItToTheNext
func TestASearchAheadThatCannotLookLeavesItToTheNext(t *testing.T) {
	t.Parallel()
	b := sighted(t)
	b.x.find = func(source.Query) (source.Result, error) { return source.Result{}, source.ErrNotHere }
	b.ahead(1)
	require.Empty(t, b.rows(early, footy.EntryAhead))
	b.x.find = func(source.Query) (source.Result, error) { return source.Result{State: source.StateNotNow}, nil }
	b.ahead(2)
	rows := b.rows(early, footy.EntryAhead)
	require.Len(t, rows, 1)
	require.Equal(t, source.StateNotNow, rows[0].Data.State)
	b.x.find = func(source.Query) (source.Result, error) { return source.Result{}, errors.New("connection refused") }
	b.ahead(3)
	rows = b.rows(early, footy.EntryAhead)
	require.Len(t, rows, 2)
	require.Equal(t, footy.SearchUnreachable, rows[1].Data.State)
	require.Empty(t, b.posts(early))
}
