package inspect_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestQueryNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	for field, goal := range map[string][2]string{"--player": {" ", "Arsenal"}, "--team": {"Ødegaard", "?!"}} {
		_, err := inspect.Query(goal[0], goal[1], nil, footy.KindGoal)
		require.ErrorContains(t, err, field)
	}
}

func TestQueryTellsWhichAliasesItLeavesOut(t *testing.T) {
	t.Parallel()
	got, err := inspect.Query("N. Paz", "Como", []string{"united", "lariani", "FC", "Como"}, footy.KindGoal)
	require.NoError(t, err)
	var words []string
	for _, d := range got.Dropped {
		words = append(words, d.Word)
	}
	require.Equal(t, []string{"united", "FC", "Como"}, words)
	raw, err := json.Marshal(got)
	require.NoError(t, err)
	require.Contains(t, string(raw), `"dropped":[{"word":"united","why":"`)
	require.Contains(t, string(raw), `{"precise":"`)
}

func TestQueryOfAKindHasItsWords(t *testing.T) {
	t.Parallel()
	goal, err := inspect.Query("M. Salah", "Liverpool", nil, footy.KindGoal)
	require.NoError(t, err)
	card, err := inspect.Query("M. Salah", "Liverpool", nil, footy.KindRedCard)
	require.NoError(t, err)
	for form, text := range map[string]string{goal.Precise: card.Precise, goal.Wide: card.Wide} {
		require.NotContains(t, form, "red card")
		require.Contains(t, text, `"red card" OR "sent off"`)
	}
}
