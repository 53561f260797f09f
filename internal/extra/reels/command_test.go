package reels_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestATeamAndACompetitionOfTheDayMayBeNamed(t *testing.T) {
	t.Parallel()
	day := []footy.Fixture{
		{League: footy.League{ID: 78, Name: "Bundesliga", Country: "Germany"}, Teams: footy.Teams{Home: footy.Team{ID: 1, Name: "Bayern München"}, Away: footy.Team{ID: 2, Name: "Mainz 05"}}},
		{League: footy.League{ID: 218, Name: "Bundesliga", Country: "Austria"}, Teams: footy.Teams{Home: footy.Team{ID: 3, Name: "Bayern Wien"}, Away: footy.Team{ID: 4, Name: "Mainz"}}},
	}
	for _, c := range []struct {
		kind rule.Kind
		name string
		id   int64
		says string
	}{
		{rule.OfTeam, "bayern munchen", 1, ""}, {rule.OfTeam, "munchen", 1, ""}, {rule.OfTeam, "mainz", 4, ""}, {rule.OfLeague, "Germany/Bundesliga", 78, ""},
		{rule.OfTeam, "bayern", 0, "several are called so that day; name one by its id:\n  "},
		{rule.OfLeague, "bundesliga", 0, "\n  78 Germany/Bundesliga\n  218 Austria/Bundesliga"}, {rule.OfTeam, "Ajax", 0, "no match of that day has a team of that name"},
	} {
		id, err := reels.IDByName(c.kind, c.name, day)
		if require.Equal(t, c.id, id, c.name); c.says == "" {
			require.NoError(t, err, c.name)
		} else {
			require.ErrorContains(t, err, c.says, c.name)
		}
	}
}
