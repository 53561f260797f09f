package round_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/stretchr/testify/require"
)

func TestAGoalIsSearchedForBeforeItIsCertain(t *testing.T) {
	t.Parallel()
	seen := func(polls int, with func(*footy.Event)) *footy.Event {
		e := &footy.Event{ID: "1_40_0_Goal_1"}
		for n := range polls {
			e.Votes = append(e.Votes, fmt.Sprint("p", n+1))
		}
		if with != nil {
			with(e)
		}
		return e
	}
	for name, c := range map[string]struct {
		event *footy.Event
		poll  string
		n     int
	}{
		"at its first sighting":                   {seen(1, nil), "p1", 1},
		"at its second":                           {seen(2, nil), "p2", 2},
		"not for a poll that saw it before":       {seen(2, nil), "p1", 0},
		"not for a poll that did not see it":      {seen(2, nil), "p3", 0},
		"not for ever":                            {seen(11, nil), "p11", 0},
		"not once it is certain":                  {seen(3, func(e *footy.Event) { e.CertainAt = time.Unix(1, 0) }), "p3", 0},
		"not if it was taken back":                {seen(1, func(e *footy.Event) { e.Removed = true }), "p1", 0},
		"not if it fell while nobody was looking": {seen(1, func(e *footy.Event) { e.CaughtUp = true }), "p1", 0},
	} {
		n, ok := round.Ahead(c.event, c.poll)
		require.Equal(t, c.n > 0, ok, name)
		if ok {
			require.Equal(t, c.n, n, name)
		}
	}
	require.Equal(t, "ahead2-1_40_0_Goal_1", round.AheadID(*seen(2, nil), 2))
}
