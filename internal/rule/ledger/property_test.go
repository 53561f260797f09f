package ledger_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/ledger"
)

// TestWhateverHappensAPostEndsByAFactOrIsTriedAgain walks a post through every kind of fortune.
func TestWhateverHappensAPostEndsByAFactOrIsTriedAgain(t *testing.T) {
	t.Parallel()
	causes := []footy.Reason{footy.ReasonStorage, footy.ReasonFetchFailed, footy.ReasonFetchResting, footy.ReasonNoModel, footy.ReasonModelJunk,
		footy.ReasonModelSlow, footy.ReasonMachine}
	rapid.Check(t, func(t *rapid.T) {
		now := start
		p := offered()
		open := []footy.Batch{{Key: "a"}, {Key: "b"}}
		for range rapid.IntRange(1, 40).Draw(t, "length") {
			if p.Ended() {
				break
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 1200).Draw(t, "seconds")) * time.Second)
			fact, before := false, p
			switch rapid.SampledFrom([]string{"take", "hold", "fetched", "same", "verdict", "refuse", "wait", "suspect", "unstaged", "retry", "publish", "close"}).Draw(t, "fortune") {
			case "take":
				batch := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "batch")
				held := p.Batch != batch && slices.ContainsFunc(open, func(b footy.Batch) bool { return b.Key == p.Batch })
				require.False(t, ledger.Take(&p, batch, open, now, w) && held, "taken from an open batch")
			case "close":
				open = slices.DeleteFunc(slices.Clone(open), func(b footy.Batch) bool { return b.Key == p.Batch })
			case "hold":
				ledger.ExtendLease(&p, now, w)
			case "fetched":
				ledger.Fetched(&p, footy.Media{Digest: "abc"}, now, w)
			case "same":
				ledger.SameBytes(&p, "abc", now, w)
			case "verdict":
				if p.Media == nil {
					continue
				}
				v := rapid.SampledFrom([]footy.Outcome{footy.OutcomeVerified, footy.OutcomeUnverified, footy.OutcomeRejected}).Draw(t, "verdict")
				fact = v == footy.OutcomeRejected
				ledger.Judged(&p, footy.Verdict{Outcome: v, Reason: "wrong_minute"}, now, w)
			case "refuse":
				ledger.Refuse(&p, footy.ReasonTooShort, "", now)
				fact = true
			case "wait":
				ledger.Wait(&p, rapid.SampledFrom(causes).Draw(t, "cause"), "", now, w)
				pause := p.NextTry.Sub(now)
				require.GreaterOrEqual(t, pause, 30*time.Second)
				require.LessOrEqual(t, pause, 15*time.Minute)
			case "suspect":
				why := rapid.SampledFrom([]footy.Reason{footy.ReasonDeleted, footy.ReasonGeoBlocked}).Draw(t, "answer")
				green := rapid.Bool().Draw(t, "green")
				ledger.Suspect(&p, why, "", now, w, func(time.Time) bool { return green })
				s := before.Suspicion
				fact = green && s != nil && s.Reason == why && now.Sub(s.At) >= w.Confirm
				require.Equal(t, fact, p.Ended())
			case "unstaged":
				ledger.Unstaged(&p, "", now, w)
			case "retry":
				require.True(t, ledger.Retry(&p, now))
			case "publish":
				fact = ledger.Publish(&p, footy.Event{Clips: []footy.Clip{{ID: "abc", Posts: []string{"1"}}}}, now)
			}
			require.Contains(t, footy.PostStates, p.State, "exactly one state")
			require.Equal(t, fact, p.Ended(), "only a fact ends it")
			require.Equal(t, p.Ended(), p.NextTry.IsZero(), "whatever has not ended is tried again")
			require.Equal(t, p.Ended(), ledger.NextStep(p) == ledger.StepNone)
			if p.State == footy.PostWaiting {
				require.NotEmpty(t, p.Reason, "it says what it waits for")
				require.False(t, p.WaitingSince.IsZero())
				require.Positive(t, max(p.Tries, 1))
			}
			if !p.Ended() {
				require.LessOrEqual(t, p.NextTry.Sub(now), 15*time.Minute)
			}
		}
	})
}
