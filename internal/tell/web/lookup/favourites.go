package lookup

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

// Favourites are teams and competitions as browsers keep them: 40 is a team, l39 a competition.
type Favourites []string

// Favourite is one of them.
type Favourite struct{ ID, Name, Logo, Path string }

// Of are those that a list of matches has, each once, by id.
func (c Favourites) Of(list ...footy.Fixture) (out []Favourite) {
	for i := range list {
		home, away, league := view.TeamOf(list[i].Teams.Home), view.TeamOf(list[i].Teams.Away), view.LeagueOf(list[i].League)
		for _, f := range []Favourite{
			{fmt.Sprint(home.ID), home.Name, home.Logo, fmt.Sprint("/team/", home.ID)}, {fmt.Sprint(away.ID), away.Name, away.Logo, fmt.Sprint("/team/", away.ID)},
			{fmt.Sprint("l", league.ID), league.Name, league.Logo, fmt.Sprint("/league/", league.ID)},
		} {
			if slices.Contains(c, f.ID) {
				out = append(out, f)
			}
		}
	}
	slices.SortFunc(out, func(a, b Favourite) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(out, func(a, b Favourite) bool { return a.ID == b.ID })
}
