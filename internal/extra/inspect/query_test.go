package inspect_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/inspect"
)

func TestQueryNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	for field, goal := range map[string][2]string{"--player": {" ", "Arsenal"}, "--team": {"Ødegaard", "?!"}} {
		_, err := inspect.Query(goal[0], goal[1], nil)
		require.ErrorContains(t, err, field)
	}
}

func TestQueryTellsWhichAliasesItLeavesOut(t *testing.T) {
	t.Parallel()
	got, err := inspect.Query("N. Paz", "Como", []string{"united", "lariani", "FC", "Como"})
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
