package round_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestTheNextSearchComesWhenItIsDue(t *testing.T) {
	t.Parallel()
	l := limits
	l.At = []time.Duration{0, 30 * time.Second, time.Minute, 5 * time.Minute, 20 * time.Minute}
	made := func(n int) footy.Round { return footy.Round{Number: 1, OpenedAt: at(1), Searches: n} }
	second := made(1)
	second.Number, second.OpenedAt = 2, at(30)
	blocked := made(3)
	blocked.Blocked.Total = 10 * time.Minute
	for name, c := range map[string]struct {
		round footy.Round
		now   time.Time
		want  time.Duration
	}{
		"after the first":                        {made(1), at(1), 30 * time.Second},
		"after one that took a while":            {made(2), at(1).Add(45 * time.Second), 15 * time.Second},
		"later they are further apart":           {made(4), at(7), 14 * time.Minute},
		"one that is overdue comes at once":      {made(3), at(9), 0},
		"time in which nobody could look":        {blocked, at(14), 2 * time.Minute},
		"a later round begins anew":              {second, at(30), 30 * time.Second},
		"a clock that is behind holds nobody up": {made(2), at(-60), 30 * time.Second},
		"nothing follows the last":               {made(5), at(21), 0},
	} {
		e := certain()
		e.Round = c.round
		e.Round.SearchedAt = c.now
		require.Equal(t, c.want, l.Wait(e, c.now), name)
	}
	require.Zero(t, round.Limits{}.Wait(certain(), at(2)), "nobody said when")
}
