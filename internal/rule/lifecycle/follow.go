package lifecycle

import (
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// DefaultLeagues are followed unless told otherwise: the five big leagues, the European cups, World Cup and Euro.
var DefaultLeagues = []int64{
	39,  // Premier League
	140, // La Liga
	78,  // Bundesliga
	135, // Serie A
	61,  // Ligue 1
	2,   // Champions League
	3,   // Europa League
	848, // Conference League
	1,   // World Cup
	4,   // European Championship
}

// Follow selects fixtures. Both lists empty means DefaultLeagues; otherwise one match in either list is enough.
type Follow struct {
	Leagues []int64
	Teams   []int64
	All     bool // follow everything the feed knows
}

// Tracked reports whether a fixture is followed; others are never stored and never polled.
func Tracked(s footy.Snapshot, f Follow) bool {
	if f.All {
		return true
	}
	leagues := f.Leagues
	if len(f.Leagues) == 0 && len(f.Teams) == 0 {
		leagues = DefaultLeagues
	}
	return slices.Contains(leagues, s.League.ID) ||
		slices.Contains(f.Teams, s.Teams.Home.ID) || slices.Contains(f.Teams, s.Teams.Away.ID)
}
