package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestWhatMonitorDoesWithAPostThatIsDue(t *testing.T) {
	t.Parallel()
	unfetched := after(t, start, fetching(t), ledger.Trouble(mine, footy.ReasonFetchFailed, ""))
	unjudged := after(t, start, fetched(t), ledger.Trouble(mine, footy.ReasonModelUnreachable, ""))
	ahead := after(t, start, fetched(t), suspended(t, fetched(t), sighted))
	for name, c := range map[string]struct {
		post   footy.Post
		event  *footy.Event
		around ledger.Around
		want   ledger.MoveKind // "": a new Download takes it
		why    footy.Reason
	}{
		"nothing is in the way":                      {unfetched, certain, ledger.Around{}, "", ""},
		"its Download died":                          {fetching(t), certain, ledger.Around{}, "", ""},
		"its Download is at work":                    {fetching(t), certain, ledger.Around{Busy: true}, ledger.Held, ""},
		"its goal was removed":                       {unfetched, removed, ledger.Around{}, ledger.Suspended, footy.ReasonGoalRemoved},
		"its goal was removed, its Download works":   {fetching(t), removed, ledger.Around{Busy: true}, ledger.Held, ""},
		"nobody asks about its goal":                 {unfetched, certain, ledger.Around{Forgotten: true, Busy: true}, ledger.EventGone, ""},
		"fetched ahead, and the goal is not certain": {ahead, sighted, ledger.Around{}, ledger.Suspended, footy.ReasonNotCertain},
		"fetched ahead, and the goal is certain":     {ahead, certain, ledger.Around{NoModel: footy.ReasonModelUnreachable}, "", ""},
		"offered to a goal that is not certain":      {unfetched, sighted, ledger.Around{}, "", ""},
		"waits for a model that does not answer":     {unjudged, certain, ledger.Around{NoModel: footy.ReasonModelUnreachable}, ledger.StillWaits, footy.ReasonModelUnreachable},
		"waits to be fetched, no model answers":      {unfetched, certain, ledger.Around{NoModel: footy.ReasonModelUnreachable}, "", ""},
		"waits to be fetched, and that rests":        {unfetched, certain, ledger.Around{Rests: true}, ledger.StillWaits, footy.ReasonFetchResting},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			do, free := ledger.Due(c.post, c.event, c.around)
			require.Equal(t, c.want == "", free)
			require.Equal(t, c.want, do.Kind())
			if free {
				return
			}
			p, _, err := ledger.Advance(c.post, do, start.Add(time.Hour), w)
			require.NoError(t, err, "what it does is legal")
			if c.why != "" {
				require.Equal(t, c.why, p.Reason)
			}
		})
	}
}

func TestWhoseGoalIsForgotten(t *testing.T) {
	t.Parallel()
	swept := footy.Event{CertainAt: start, Removed: true, Swept: true}
	for _, c := range []struct {
		stage footy.Stage
		event footy.Event
		want  bool
	}{
		{footy.StageActive, footy.Event{}, false},
		{footy.StageCompleted, footy.Event{}, true},
		{footy.StageCompleted, *certain, false},
		{footy.StageActive, footy.Event{CertainAt: start, Removed: true}, false},
		{footy.StageActive, swept, true},
	} {
		require.Equal(t, c.want, ledger.Forgotten(&footy.Fixture{Stage: c.stage}, &c.event), c)
	}
}

func TestTheMovesThatAPostCanMakeNow(t *testing.T) {
	t.Parallel()
	waits := after(t, start, fetching(t), ledger.Trouble(mine, footy.ReasonFetchFailed, ""))
	refused := after(t, start, fetching(t), ledger.Refuse(mine, footy.ReasonNoVideo, "", ""))
	for name, c := range map[string]struct {
		post footy.Post
		at   time.Time
		want map[ledger.MoveKind]footy.PostState
	}{
		"fetching": {fetching(t), start, map[ledger.MoveKind]footy.PostState{
			ledger.Claimed: footy.PostFetching, ledger.Held: footy.PostFetching, ledger.Fetched: footy.PostFetched, ledger.SameBytes: footy.PostJudged,
			ledger.Refused: footy.PostRefused, ledger.Doubted: footy.PostWaiting, ledger.Troubled: footy.PostWaiting, ledger.Unfit: footy.PostWaiting,
			ledger.Righted: footy.PostFetching, ledger.Suspended: footy.PostWaiting, ledger.EventGone: footy.PostRefused,
		}},
		"waiting, not due": {waits, start, map[ledger.MoveKind]footy.PostState{
			ledger.StillWaits: footy.PostWaiting, ledger.Retried: footy.PostWaiting, ledger.Righted: footy.PostWaiting, ledger.GivenUp: footy.PostRefused,
			ledger.Suspended: footy.PostWaiting, ledger.EventGone: footy.PostRefused,
		}},
		"waiting, due": {waits, start.Add(w.First), map[ledger.MoveKind]footy.PostState{
			ledger.Claimed: footy.PostFetching, ledger.StillWaits: footy.PostWaiting, ledger.Retried: footy.PostWaiting, ledger.Righted: footy.PostWaiting,
			ledger.GivenUp: footy.PostRefused, ledger.Suspended: footy.PostWaiting, ledger.EventGone: footy.PostRefused,
		}},
		"judged": {judged(t), start, map[ledger.MoveKind]footy.PostState{
			ledger.Claimed: footy.PostJudged, ledger.Held: footy.PostJudged, ledger.Unstaged: footy.PostWaiting, ledger.Spoiled: footy.PostWaiting,
			ledger.TakenDown: footy.PostRefused, ledger.Published: footy.PostPublished, ledger.Merged: footy.PostMerged, ledger.Righted: footy.PostJudged,
			ledger.Suspended: footy.PostWaiting, ledger.EventGone: footy.PostRefused,
		}},
		"refused": {refused, start, map[ledger.MoveKind]footy.PostState{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			can := ledger.Moves(c.post, c.at, w)
			require.Len(t, can, len(c.want))
			for _, m := range can {
				require.Contains(t, m.Becomes, c.want[m.Move], m.Move)
				require.NotEmpty(t, m.Does)
			}
		})
	}
}
