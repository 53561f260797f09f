package static_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/alias/static"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

func resolve(t *testing.T, name, country string, national bool) footy.TeamAliases {
	t.Helper()
	a, err := static.New().Resolve(context.Background(), footy.Team{ID: 1, Name: name}, country, national)
	require.NoError(t, err)
	for _, w := range a.Aliases {
		require.False(t, names.Generic(w), "%s means nothing alone", w)
		require.Equal(t, []string{w}, names.Tokens(w), "%q must be one folded word", w)
	}
	return a
}

func TestKnownTeams(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Liverpool": "LFC", "Chelsea": "CFC", "Manchester United": "MUFC", "VfB Stuttgart": "VFB",
		"Bayern München": "FCB", "Paris Saint Germain": "PSG", "Atletico Madrid": "ATM", "Borussia Dortmund": "BVB", "Juventus": "JUVE"} {
		a := resolve(t, name, "", false)
		require.Equal(t, want, a.Abbr, name)
		require.Equal(t, static.Curated, a.Provenance)
		require.NotEmpty(t, a.Aliases)
	}
	require.Equal(t, "ESP", resolve(t, "Spain", "World", true).Abbr)
	require.Equal(t, []string{"cote", "divoire"}, resolve(t, "Cote d'Ivoire", "World", true).Aliases, "an unknown spelling falls back to its words")
}

func TestUnknownTeamsMakeDoWithTheirName(t *testing.T) {
	t.Parallel()
	a := resolve(t, "Orlando City SC", "USA", false)
	require.Equal(t, static.Named, a.Provenance)
	require.Equal(t, []string{"orlando"}, a.Aliases)
	require.Equal(t, "OCSC", a.Abbr)
	_, err := static.New().Resolve(context.Background(), footy.Team{ID: 1}, "", false)
	require.True(t, footy.IsNotFound(err))
}

func TestNamesakesOfOtherCountriesAreNotConfused(t *testing.T) {
	t.Parallel()
	require.Equal(t, static.Named, resolve(t, "Everton", "Chile", false).Provenance)
	require.Equal(t, static.Curated, resolve(t, "Everton", "England", false).Provenance)
	require.Equal(t, static.Curated, resolve(t, "Everton", "World", false).Provenance, "a cup does not say where a club is from")
	require.Equal(t, static.Named, resolve(t, "Barcelona", "Ecuador", false).Provenance)
}

func TestWomensSidesDoNotBringTheMensGoals(t *testing.T) {
	t.Parallel()
	require.Empty(t, resolve(t, "Arsenal W", "England", false).Abbr)
	bare, women := names.Women("Arsenal W")
	require.True(t, women)
	require.Equal(t, "Arsenal", bare)
}

func TestTheBigLeaguesAreThere(t *testing.T) {
	t.Parallel()
	r := static.New()
	for country, name := range map[string]string{"England": "Brighton", "Spain": "Celta Vigo", "Germany": "FC St. Pauli", "Italy": "Udinese", "France": "Strasbourg"} {
		a, err := r.Resolve(context.Background(), footy.Team{Name: name}, country, false)
		require.NoError(t, err)
		require.Equal(t, static.Curated, a.Provenance, name)
		require.GreaterOrEqual(t, len(a.Abbr), 3)
	}
}
