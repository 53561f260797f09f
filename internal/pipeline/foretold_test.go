package pipeline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

// foretold is a bench with a goal that only the second feed has told of.
func foretold(t *testing.T) *bench {
	t.Helper()
	b := sighted(t)
	b.change(func(f *footy.Fixture) {
		e := *f.Event(early)
		e.Votes, e.SecondFeed.Polls = nil, []string{"p1"}
		f.Events, f.Foretold = f.Events[:1], []footy.Event{e}
	})
	return b
}

// TestWhatIsFoundForAForetoldGoalIsThereWhenTheFeedInChargeListsIt.
func TestWhatIsFoundForAForetoldGoalIsThereWhenTheFeedInChargeListsIt(t *testing.T) {
	t.Parallel()
	b := foretold(t)
	b.x.find = finds("1", "2")
	told := b.told.n
	b.ahead(1)
	waits := map[string]string{"1": "waiting not_certain", "2": "waiting not_certain"}
	require.Equal(t, waits, b.states(early))
	for range 40 {
		b.pass(30 * time.Second)
		require.Empty(t, b.reconcile().Downloads)
	}
	require.Equal(t, waits, b.states(early))
	require.Empty(t, b.model.asked)
	require.Empty(t, b.engine.take())
	require.Equal(t, told, b.told.n, "nobody is told")

	b.change(func(f *footy.Fixture) { f.Events, f.Foretold = append(f.Events, f.Foretold...), nil })
	b.certain()
	in := b.takeUp()
	require.Equal(t, round.DownloadID(b.event(early), 0), in.Download)
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"1": "published", "2": "published"}, b.states(early))
	require.ElementsMatch(t, []string{"1", "2"}, b.x.fetched, "each was fetched once")
}

// TestAForetoldGoalThatNobodyListsTakesItsStagedWorkWithIt
func TestAForetoldGoalThatNobodyListsTakesItsStagedWorkWithIt(t *testing.T) {
	t.Parallel()
	for name, goes := range map[string]func(f *footy.Fixture){
		"the second feed dropped it": func(f *footy.Fixture) { f.Foretold = nil },
		"its match is over": func(f *footy.Fixture) {
			lifecycle.Apply(f, lifecycle.Move{To: footy.StageCompleted}, f.UpdatedAt)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := foretold(t)
			b.x.find = finds("1", "2")
			b.ahead(1)
			require.NotEmpty(t, b.blob.keys(t.Context(), blob.StagingPrefix))
			b.at = time.Now().UTC() // objects carry the machine's time
			b.change(goes)
			b.pass(16 * time.Minute)
			require.Empty(t, b.reconcile().Downloads)
			require.Equal(t, map[string]string{"1": "refused event_gone", "2": "refused event_gone"}, b.states(early))
			b.pass(2 * time.Hour)
			b.sweep()
			require.Empty(t, b.blob.keys(t.Context(), blob.StagingPrefix))
		})
	}
}
