package identity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/identity"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestScorers(t *testing.T) {
	t.Parallel()
	p := func(id int64, name string) footy.Person { return footy.Person{ID: id, Name: name} }
	require.True(t, identity.SameScorer(p(1, "A"), p(1, "B")))
	require.False(t, identity.SameScorer(p(1, "A"), p(2, "A")), "two numbers are two players, whatever their names")
	require.True(t, identity.SameScorer(p(0, "Højlund"), p(7, "HOJLUND")))
	require.False(t, identity.SameScorer(p(0, ""), p(0, "")), "unknown equals nobody")
	for _, name := range []string{"", " ", "Unknown", "unknown player", "TBD"} {
		require.False(t, identity.Named(p(0, name)), name)
	}
	require.True(t, identity.Named(p(0, "J. Love")))
	require.False(t, identity.Named(p(7, "")), "a number is nothing to search for")
	require.True(t, identity.Known(p(7, "")))
}

func TestSequencesAreAllocatedAndNeverReused(t *testing.T) {
	t.Parallel()
	f := footy.Fixture{ID: 900}
	e := footy.Event{Kind: footy.KindGoal, Team: footy.Team{ID: 40}, Player: footy.Person{ID: 7}}
	require.Equal(t, "900_40_7_Goal_1", identity.NewID(&f, &e))
	require.Equal(t, "900_40_7_Goal_2", identity.NewID(&f, &e))
	require.Equal(t, "900-1", identity.NewUID(&f))
	require.Equal(t, "900-2", identity.NewUID(&f))
	e.ID = "900_40_7_Goal_2"
	require.False(t, identity.Rekey(&f, &e), "the same scorer keeps his name")
	e.Player.ID = 8
	require.True(t, identity.Rekey(&f, &e))
	require.Equal(t, "900_40_8_Goal_1", e.ID)
	require.Equal(t, []string{"900_40_7_Goal_2"}, e.MatchedFrom)
	e.Player.ID = 7
	require.True(t, identity.Rekey(&f, &e))
	require.Equal(t, "900_40_7_Goal_2", e.ID, "who comes back gets his old name")
	require.Equal(t, []string{"900_40_8_Goal_1"}, e.MatchedFrom)
}
