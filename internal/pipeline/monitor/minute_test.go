package monitor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

// TestTheMinuteGoesOnWithoutAWrite polls a match as in life, each 30 s: what readers see, the stored minute counted on, is the feed's at every
// moment, and hardly anything is written. A feed that leaves out stoppage time is counted on, one that corrects its clock is followed.
func TestTheMinuteGoesOnWithoutAWrite(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	began, polls := b.now, 0
	s := match(1, 0)
	b.add(footy.StageActive, s)
	follow := func(until time.Duration, says func(played time.Duration) (code string, elapsed, extra int), truly func(played time.Duration) int) (writes int64) {
		before, err := b.store.Fixture(t.Context(), 1)
		require.NoError(t, err)
		for b.now.Sub(began) < until {
			played := b.now.Sub(began)
			code, elapsed, extra := says(played)
			s.Match.Status = footy.Status{Code: code, Elapsed: &elapsed}
			if extra > 0 {
				s.Match.Status.Extra = &extra
			}
			s.Answered = b.now
			b.feed.list(s)
			polls++
			b.whole(fmt.Sprint("p", polls))
			for range 3 { // readers come between polls, too
				f, err := b.store.Fixture(t.Context(), 1)
				require.NoError(t, err)
				m := f.Match.Status.CountOn(b.now, time.Minute).Minute()
				require.InDelta(t, truly(b.now.Sub(began)), m.Elapsed+m.Extra, 1, "%s after %s", footy.MinuteLabel(m), b.now.Sub(began))
				b.pass(10 * time.Second)
			}
		}
		after, err := b.store.Fixture(t.Context(), 1)
		require.NoError(t, err)
		return after.Revision - before.Revision
	}
	minutes := func(d time.Duration) int { return int(d/time.Minute) + 1 }
	writes := follow(49*time.Minute, func(d time.Duration) (string, int, int) { return "1H", min(minutes(d), 45), 0 }, minutes) // 45 for four minutes on end
	require.LessOrEqual(t, writes, int64(6), "kick-off, and each ten minutes what later answers are compared with")
	second := func(d time.Duration) int { return minutes(d-49*time.Minute) + 45 }
	writes = follow(69*time.Minute, func(d time.Duration) (string, int, int) { return "2H", second(d), 0 }, second)
	require.LessOrEqual(t, writes, int64(3))
	corrected := func(d time.Duration) int { return second(d) + 4 }
	writes = follow(79*time.Minute, func(d time.Duration) (string, int, int) { return "2H", corrected(d), 0 }, corrected)
	require.LessOrEqual(t, writes, int64(2), "the correction is written once")
	require.Less(t, b.told, 13, "readers are told of what is written, not of each minute")
}
