package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestBacklogsGroupWhatIsInTrouble(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)
	post := func(id string, s footy.PostState, why footy.Reason, since, next int) footy.Post {
		p := footy.Post{EventUID: "1-1", PostID: id, State: s, Reason: why, NextTry: noon.Add(time.Duration(next) * time.Minute)}
		if since > 0 {
			p.WaitingSince = noon.Add(-time.Duration(since) * time.Minute)
		}
		return p
	}
	got := ledger.Backlogs([]footy.Post{
		post("1", footy.PostWaiting, footy.ReasonStorage, 5, 2), post("2", footy.PostWaiting, footy.ReasonNoModel, 60, 9),
		post("3", footy.PostWaiting, footy.ReasonStorage, 7, 3), post("4", footy.PostFetching, footy.ReasonStorage, 9, 4), // tried just now
		post("5", footy.PostFetching, "", 0, 1), post("6", footy.PostRefused, footy.ReasonGaveUp, 0, 0)})
	require.Len(t, got, 2)
	require.Equal(t, footy.ReasonStorage, got[0].Cause)
	require.Equal(t, []string{"4", "3", "1"}, []string{got[0].Posts[0].PostID, got[0].Posts[1].PostID, got[0].Posts[2].PostID}, "oldest trouble first")
	require.Equal(t, noon.Add(-9*time.Minute), got[0].Oldest)
	require.Equal(t, noon.Add(2*time.Minute), got[0].NextTry)
}

// TestAPostInTroubleIsListedWhileItIsTried: whoever lists what is in trouble asks the store for these states.
func TestAPostInTroubleIsListedWhileItIsTried(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)
	d := ledger.DefaultDelays()
	for state, p := range map[footy.PostState]footy.Post{
		footy.PostFetching: {State: footy.PostFetching, Download: "d"},
		footy.PostFetched:  {State: footy.PostFetched, Download: "d", Media: &footy.Media{}},
	} {
		for _, what := range []ledger.Move{ledger.Trouble("d", footy.ReasonMachine, ""), ledger.Claim("again")} {
			var err error
			p, _, err = ledger.Advance(p, what, noon, d)
			require.NoError(t, err)
			require.True(t, ledger.InTrouble(p))
			require.Contains(t, ledger.TroubledStates, p.State)
			noon = noon.Add(time.Hour)
		}
		require.Equal(t, state, p.State)
	}
}
