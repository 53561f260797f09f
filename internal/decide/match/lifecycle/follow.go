package lifecycle

import (
	"fmt"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// defaultLeagues are followed unless told otherwise: the five big leagues, the European cups, World Cup and Euro.
func defaultLeagues() []Followed {
	return []Followed{{39, "Premier League", "England"}, {140, "La Liga", "Spain"}, {78, "Bundesliga", "Germany"}, {135, "Serie A", "Italy"},
		{61, "Ligue 1", "France"}, {2, "UEFA Champions League", "World"}, {3, "UEFA Europa League", "World"},
		{848, "UEFA Europa Conference League", "World"}, {1, "World Cup", "World"}, {4, "Euro Championship", "World"}}
}

// LeagueOf is the league of an id, with its name if it is one of those that are followed unless told otherwise.
func LeagueOf(id int64) Followed {
	all := defaultLeagues()
	if i := slices.IndexFunc(all, func(n Followed) bool { return n.ID == id }); i >= 0 {
		return all[i]
	}
	return Followed{ID: id}
}

// Follow selects fixtures: a match is followed if its league is in Leagues or one of its teams is in Teams. Both lists empty means
// the default leagues.
type Follow struct {
	Leagues []int64
	Teams   []int64
	All     bool // follow everything the feed knows
}

// Tracked reports whether a fixture is followed; others are never stored and never polled, unless a person names them.
func Tracked(s footy.Snapshot, f Follow) bool {
	if f.All {
		return true
	}
	if len(f.Leagues) == 0 && len(f.Teams) == 0 {
		return LeagueOf(s.League.ID).Name != ""
	}
	return slices.Contains(f.Leagues, s.League.ID) ||
		slices.Contains(f.Teams, s.Teams.Home.ID) || slices.Contains(f.Teams, s.Teams.Away.ID)
}

// String is the same for the same choice, in whatever order it was written.
func (f Follow) String() string {
	return fmt.Sprintf("leagues %v teams %v all %t", slices.Sorted(slices.Values(f.Leagues)), slices.Sorted(slices.Values(f.Teams)), f.All)
}
