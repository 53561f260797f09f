package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
)

func TestPollsAreSpreadOverTheRestOfTheDay(t *testing.T) {
	t.Parallel()
	const wanted = 30 * time.Second
	for name, c := range map[string]struct {
		until      time.Duration
		left, cost int
		want       time.Duration
	}{
		"nobody counts":                    {24 * time.Hour, -1, 1, wanted},
		"a paid plan":                      {24 * time.Hour, 7500, 1, wanted},
		"a paid plan, forty matches":       {24 * time.Hour, 7500, 2, wanted},
		"a paid plan, too many":            {24 * time.Hour, 7200, 5, time.Minute},
		"a free key at noon":               {12 * time.Hour, 96, 1, 450 * time.Second},
		"a free key, few calls left":       {time.Hour, 2, 1, 30 * time.Minute},
		"fewer calls than a poll takes":    {time.Hour, 1, 2, time.Hour},
		"none left":                        {time.Hour, 0, 1, time.Hour},
		"the end of the day, calls enough": {time.Minute, 60, 1, wanted},
	} {
		require.Equal(t, c.want, lifecycle.Every(wanted, c.until, c.left, c.cost), name)
	}
}
