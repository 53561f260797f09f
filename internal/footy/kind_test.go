package footy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

func TestKindOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typ, detail, comments string
		want                  footy.Kind
	}{
		{"Goal", "Normal Goal", "", footy.KindGoal},
		{"goal", "own goal", "", footy.KindGoal},
		{"Goal", "Penalty", "", footy.KindGoal},
		{"Goal", "Missed Penalty", "", footy.KindMissedPenalty},
		{"Goal", "Penalty", "Penalty Shootout", footy.KindShootout},
		{"Goal", "Missed Penalty", "PENALTY SHOOTOUT", footy.KindShootout},
		{"Card", "Red card", "", footy.KindRedCard},
		{"Card", "Second Yellow card", "", footy.KindRedCard},
		{"card", "Yellow Card", "", footy.KindYellowCard},
		{"Goal", "Goal Disallowed", "", footy.KindVAR},
		{"Var", "Goal cancelled", "", footy.KindVAR},
		{"subst", "Substitution 1", "", footy.KindOther},
		{"", "", "", footy.KindOther},
	} {
		require.Equal(t, c.want, footy.KindOf(c.typ, c.detail, c.comments), "%+v", c)
	}
}

func TestEveryKindIsWhole(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, in := range footy.Kinds() {
		require.NotEmpty(t, in.One, in.Kind)
		require.False(t, names[in.Name], in.Name)
		names[in.Name] = true
		k, ok := footy.KindNamed(in.Name)
		require.Equal(t, in.Followed, ok, in.Name)
		require.Equal(t, in, in.Kind.Info())
		if ok {
			require.Equal(t, in.Kind, k)
		}
	}
	require.True(t, footy.KindGoal.Scores())
	require.False(t, footy.KindShootout.Scores(), "kicks of a shoot-out are no goals of the match")
}
