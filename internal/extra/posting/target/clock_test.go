package target_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
)

const wrong = 6 * time.Hour // by which the clock was ahead

// TestWhatWasWrittenWhileTheClockWasAheadHoldsNoPostUp: each time that something waits for.
func TestWhatWasWrittenWhileTheClockWasAheadHoldsNoPostUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		was   func(now time.Time) rule.Posting // by the clock that was ahead
		asked []string
		is    rule.Step
	}{
		"next try": {func(now time.Time) rule.Posting {
			return rule.Posting{At: now, Tries: 1, NextTry: now.Add(30 * time.Second)}
		}, []string{"upload aa.mp4", "create"}, rule.Done},
		"begun": {func(now time.Time) rule.Posting {
			return rule.Posting{Step: rule.Begun, At: now, Until: now.Add(time.Minute)}
		}, nil, rule.Unsure},
		"better clip": {func(now time.Time) rule.Posting {
			return rule.Posting{Step: rule.Done, ID: "1", Clip: "bb", At: now}
		}, []string{"upload aa.mp4", "edit: " + says}, rule.Done},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &desk{name: "Healthy"}
			b := setup(t, d)
			b.clip("aa", 1000, true)
			p := c.was(b.now.Add(wrong))
			p.Target = b.target.Key()
			b.change(func(e *footy.Event) { keep(e, p) })
			require.NoError(t, b.look())
			require.Equal(t, c.asked, d.asked)
			require.Equal(t, c.is, b.posting().Step)
		})
	}
}

// TestANextTryOfAClockThatWasMinutesAhead could be a true one by how far off it is; the time at which it was written could not.
func TestANextTryOfAClockThatWasMinutesAhead(t *testing.T) {
	t.Parallel()
	d := &desk{name: "Healthy"}
	b := setup(t, d)
	b.clip("aa", 1000, true)
	at := b.now.Add(4 * time.Minute)
	b.change(func(e *footy.Event) {
		keep(e, rule.Posting{Target: b.target.Key(), At: at, Tries: 2, NextTry: at.Add(time.Minute)})
	})
	require.NoError(t, b.look())
	require.Equal(t, []string{"upload aa.mp4", "create"}, d.asked)
}

// TestTheClocksOfTwoProcessesDifferALittle: what the other one has begun is its own until its time is over.
func TestTheClocksOfTwoProcessesDifferALittle(t *testing.T) {
	t.Parallel()
	d := &desk{name: "Healthy"}
	b := setup(t, d)
	b.clip("aa", 1000, true)
	at := b.now.Add(90 * time.Second)
	b.change(func(e *footy.Event) {
		keep(e, rule.Posting{Target: b.target.Key(), Step: rule.Begun, At: at, Until: at.Add(2 * time.Minute)})
	})
	require.NoError(t, b.look())
	require.Equal(t, rule.Begun, b.posting().Step)
}

// TestATargetThatWasSetUpWhileTheClockWasAhead posts what is scored from now on.
func TestATargetThatWasSetUpWhileTheClockWasAhead(t *testing.T) {
	t.Parallel()
	d := &desk{name: "Healthy"}
	b := setup(t, d)
	right := b.now
	b.now = right.Add(wrong)
	require.NoError(t, b.look())
	b.now = right
	b.clip("aa", 1000, true)
	require.NoError(t, b.look())
	require.Equal(t, []string{"upload aa.mp4", "create"}, d.asked)
}
