package inspect_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/alias/static"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/inspect"
)

func TestQueryNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	for field, goal := range map[string][2]string{"--player": {" ", "Arsenal"}, "--team": {"Ødegaard", "?!"}} {
		_, err := inspect.Query(goal[0], goal[1], nil)
		require.ErrorContains(t, err, field)
	}
}

func TestAliasesNeedsATeam(t *testing.T) {
	t.Parallel()
	_, err := inspect.Aliases(t.Context(), inspect.AliasQuestion{Team: " ", Resolver: static.New()})
	require.ErrorContains(t, err, "--team")
}

// words are those of a team as JSON.
func words(t *testing.T, team, country string) string {
	got, err := inspect.Aliases(t.Context(), inspect.AliasQuestion{Team: team, Country: country, Resolver: static.New()})
	require.NoError(t, err)
	raw, err := json.Marshal(got)
	require.NoError(t, err)
	return string(raw)
}

func TestAliasesWithoutWikidataSayWhy(t *testing.T) {
	t.Parallel()
	got, err := inspect.Aliases(t.Context(), inspect.AliasQuestion{Team: "Arsenal", Country: "England", Resolver: silent{}, Fallback: static.New()})
	require.NoError(t, err)
	require.NotEmpty(t, got.Aliases)
	require.Contains(t, got.Note, "no answer")
	require.Contains(t, got.String(), "not from Wikidata: ")
}

type silent struct{}

func (silent) Resolve(context.Context, footy.Team, string, bool) (footy.TeamAliases, error) {
	return footy.TeamAliases{}, footy.Errorf(footy.CodeUnavailable, "ask", "no answer")
}

func TestAliasesOfATeamWithoutAnyWordIsAnEmptyList(t *testing.T) {
	t.Parallel()
	require.Contains(t, words(t, "United", ""), `"aliases":[]`)
}

func TestAliasesOfACountryAreThoseOfItsTeam(t *testing.T) {
	t.Parallel()
	for country, national := range map[string]bool{"Brazil": true, "World": true, "brazil": true, "England": false, "": false} {
		require.Equal(t, national, strings.Contains(words(t, "Brazil", country), `"national":true`), country)
	}
	require.NotContains(t, words(t, "Chelsea", "World"), "national", "a club in a cup of the world is a club")
}

func TestQueryTellsWhichAliasesItLeavesOut(t *testing.T) {
	t.Parallel()
	got, err := inspect.Query("N. Paz", "Como", []string{"united", "lariani", "FC", "Como"})
	require.NoError(t, err)
	for _, word := range []string{"united", "FC", "Como"} {
		require.Contains(t, got.String(), "left out      "+word+": ")
	}
	require.NotContains(t, got.String(), "left out      lariani")
	raw, err := json.Marshal(got)
	require.NoError(t, err)
	require.Contains(t, string(raw), `"dropped":[{"word":"united","why":"`)
	require.Contains(t, string(raw), `{"precise":"`)
}
