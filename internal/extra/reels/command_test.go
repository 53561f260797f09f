package reels_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
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

// TestThePlaceOfAFilmIsLookedAtFirst: the film was made, minutes long, and then there was no directory for it.
func TestThePlaceOfAFilmIsLookedAtFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg, err := config.Parse(map[string]string{"STATE_DIR": filepath.Join(dir, "none")})
	require.NoError(t, err)
	require.ErrorContains(t, reels.Cmd{TZ: "UTC", Out: filepath.Join(dir, "missing", "a.mp4")}.Run(t.Context(), cfg), "there is no directory "+filepath.Join(dir, "missing"))
	require.ErrorContains(t, reels.Cmd{TZ: "UTC", Out: dir}.Run(t.Context(), cfg), "is a directory; name a file in it")
	err = reels.Cmd{TZ: "UTC", Out: filepath.Join(dir, "a.mp4")}.Run(t.Context(), cfg)
	require.ErrorContains(t, err, "make reel", "the state is looked at next")
	left, err := filepath.Glob(filepath.Join(dir, ".reel-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
