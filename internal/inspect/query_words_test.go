package inspect_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/alias/static"
	"github.com/found-footy/found-footy/internal/inspect"
)

func TestQueryNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	for field, o := range map[string]inspect.QueryOptions{
		"--player": {Player: " ", Team: "Arsenal"},
		"--team":   {Player: "Ødegaard", Team: "?!"},
	} {
		var out bytes.Buffer
		require.ErrorContains(t, inspect.Query(&out, o), field)
		require.Empty(t, out.String())
	}
}

func TestAliasesNeedsATeam(t *testing.T) {
	t.Parallel()
	err := inspect.Aliases(context.Background(), &bytes.Buffer{}, inspect.AliasOptions{Team: " ", Fallback: static.New()})
	require.ErrorContains(t, err, "--team")
}

func TestAliasesOfATeamWithoutAnyWordIsAnEmptyList(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, inspect.Aliases(context.Background(), &out, inspect.AliasOptions{Team: "United", JSON: true, Fallback: static.New()}))
	require.Contains(t, out.String(), `"aliases":[]`)
}

func TestAliasesOfACountryAreThoseOfItsTeam(t *testing.T) {
	t.Parallel()
	for country, national := range map[string]bool{"Brazil": true, "World": true, "brazil": true, "England": false, "": false} {
		var out bytes.Buffer
		require.NoError(t, inspect.Aliases(context.Background(), &out, inspect.AliasOptions{Team: "Brazil", Country: country, JSON: true, Fallback: static.New()}))
		require.Equal(t, national, bytes.Contains(out.Bytes(), []byte(`"national":true`)), country)
		require.NotContains(t, out.String(), "0001-01-01")
		require.NotContains(t, out.String(), `"_id"`)
	}
	var out bytes.Buffer
	require.NoError(t, inspect.Aliases(context.Background(), &out, inspect.AliasOptions{Team: "Chelsea", Country: "World", JSON: true, Fallback: static.New()}))
	require.NotContains(t, out.String(), "national", "a club in a cup of the world is a club")
}

func TestQueryTellsWhichAliasesItLeavesOut(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	o := inspect.QueryOptions{Player: "N. Paz", Team: "Como", Aliases: []string{"united", "lariani", "FC", "Como"}}
	require.NoError(t, inspect.Query(&out, o))
	for _, word := range []string{"united", "FC", "Como"} {
		require.Contains(t, out.String(), "left out      "+word+": ")
	}
	require.NotContains(t, out.String(), "left out      lariani")
	out.Reset()
	o.JSON = true
	require.NoError(t, inspect.Query(&out, o))
	require.Contains(t, out.String(), `"dropped":[{"word":"united","why":"`)
}
