package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestMatchesAreLookedAtAgainWhereThePlanAllows(t *testing.T) {
	t.Parallel()
	w, never := lifecycle.Defaults(), lifecycle.Defaults()
	never.SecondLook = 0
	require.Equal(t, 15*time.Second, lifecycle.SecondLook(w, 30*time.Second, 30*time.Second))
	require.Zero(t, lifecycle.SecondLook(w, 30*time.Second, 31*time.Second), "the plan lacks the calls")
	require.Zero(t, lifecycle.SecondLook(w, 29*time.Second, 29*time.Second), "the next cycle comes too soon")
	require.Zero(t, lifecycle.SecondLook(never, 30*time.Second, 30*time.Second), "not wanted")
}

func TestOnlyAGoalThatIsBeingValidatedIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	votes := func(n int) []string { return make([]string, n) }
	for name, c := range map[string]struct {
		e    footy.Event
		want bool
	}{
		"seen once":                       {footy.Event{Votes: votes(1)}, true},
		"three saw it, its scorer is new": {footy.Event{Votes: votes(3)}, true},
		"nobody ever names the scorer":    {footy.Event{Votes: votes(6)}, false},
		"certain":                         {footy.Event{Votes: votes(3), CertainAt: noon}, false},
		"missed":                          {footy.Event{Votes: votes(1), AbsentPolls: votes(1)}, false},
		"missed, which does not count":    {footy.Event{Votes: votes(1), Withheld: footy.ReasonScoreNeeds}, false},
		"a certain goal is missed":        {footy.Event{CertainAt: noon, AbsentPolls: votes(2)}, false},
		"removed":                         {footy.Event{Votes: votes(1), Removed: true}, false},
	} {
		require.Equal(t, c.want, lifecycle.LookAgain(footy.Fixture{Events: []footy.Event{{CertainAt: noon}, c.e}}), name)
	}
	require.False(t, lifecycle.LookAgain(footy.Fixture{}))
}
