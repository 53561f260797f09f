package rule_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/scaler/rule"
)

func TestDecide(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 14, 14, 45, 0, 0, time.UTC)
	long, lately := now.Add(-time.Hour), now.Add(-59*time.Second)
	matches := func(n int, at time.Time) []time.Time {
		out := make([]time.Time, n)
		for i := range out {
			out[i] = at
		}
		return out
	}
	three := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	type seen = rule.Seen
	of := func(n int) rule.Service { return rule.Service{Running: n, Changed: long} }
	for name, tc := range map[string]struct {
		seen              seen
		workers, browsers int
	}{
		"nothing runs yet":                             {seen{}, 2, 2},
		"a quiet day":                                  {seen{Workers: of(2), Browsers: of(2)}, 2, 2},
		"five for each worker are no backlog":          {seen{Workers: of(2), Browsers: of(2), Waiting: 10}, 2, 2},
		"more than five for each":                      {seen{Workers: of(2), Browsers: of(2), Waiting: 11}, 3, 2},
		"one at a time":                                {seen{Workers: of(3), Browsers: of(2), Waiting: 500}, 4, 2},
		"not past the most":                            {seen{Workers: of(8), Browsers: of(8), Waiting: 500, Goals: 99}, 8, 8},
		"a few that wait for long":                     {seen{Workers: of(2), Browsers: of(2), Waiting: 1, Oldest: 61 * time.Second}, 3, 2},
		"within the cool-down nothing":                 {seen{Workers: rule.Service{Running: 2, Changed: lately}, Browsers: rule.Service{Running: 2, Changed: lately}, Waiting: 500, Goals: 20}, 2, 2},
		"but the least is there":                       {seen{Workers: rule.Service{Running: 1, Changed: lately}, Browsers: rule.Service{Running: 0, Changed: lately}}, 2, 2},
		"two for each worker stay":                     {seen{Workers: of(4), Browsers: of(2), Waiting: 8}, 4, 2},
		"fewer than two for each":                      {seen{Workers: of(4), Browsers: of(2), Waiting: 7}, 3, 2},
		"never down while work runs":                   {seen{Workers: of(4), Browsers: of(4), Working: true, Searching: true}, 4, 4},
		"the least stays":                              {seen{Workers: of(2), Browsers: of(2)}, 2, 2},
		"more than the most were started by a person":  {seen{Workers: of(12), Browsers: of(2)}, 8, 2},
		"three goals a browser":                        {seen{Workers: of(2), Browsers: of(2), Goals: 6}, 2, 2},
		"a seventh goal":                               {seen{Workers: of(2), Browsers: of(2), Goals: 7}, 2, 3},
		"a burst needs them at once":                   {seen{Workers: of(2), Browsers: of(2), Goals: 20}, 2, 7},
		"fewer browsers one by one":                    {seen{Workers: of(2), Browsers: of(7)}, 2, 6},
		"a Saturday is known before it begins":         {seen{Workers: of(2), Browsers: of(2), Kickoffs: matches(20, three)}, 4, 4},
		"not at noon":                                  {seen{Workers: of(2), Browsers: of(2), Kickoffs: matches(20, three.Add(2*time.Hour))}, 2, 2},
		"while it is played nothing is taken away":     {seen{Workers: of(4), Browsers: of(4), Kickoffs: matches(20, now.Add(-2*time.Hour))}, 4, 4},
		"after it is played":                           {seen{Workers: of(4), Browsers: of(4), Kickoffs: matches(20, now.Add(-150*time.Minute))}, 3, 3},
		"kickoffs and a backlog: what needs more wins": {seen{Workers: of(4), Browsers: of(4), Waiting: 21, Goals: 13, Kickoffs: matches(20, three)}, 5, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.seen.Now = now
			p := rule.Decide(tc.seen, rule.Options{Min: 2, Max: 8, Up: 5, Down: 2, Cooldown: time.Minute})
			require.Equal(t, tc.workers, p.Workers.Copies, p.Workers.Why)
			require.Equal(t, tc.browsers, p.Browsers.Copies, p.Browsers.Why)
			require.NotEmpty(t, p.Workers.Why)
			require.NotEmpty(t, p.Browsers.Why)
		})
	}
}
