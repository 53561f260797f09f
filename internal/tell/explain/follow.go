package explain

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
)

// longestID is the largest id that a vendor gives; those above it are made of a name, and tell a person nothing.
const longestID = 1 << 32

// Followed says which matches are followed.
func Followed(leagues, teams []lifecycle.Followed) string {
	of := func(list []lifecycle.Followed, what string) string {
		var out []string
		for _, n := range list {
			switch {
			case n.Name == "":
				out = append(out, fmt.Sprintf("%s %d", what, n.ID))
			case n.ID > longestID && (n.Country == "" || n.Country == "World"):
				out = append(out, n.Name)
			case n.ID > longestID:
				out = append(out, fmt.Sprintf("%s (%s)", n.Name, n.Country))
			case n.Country == "" || n.Country == "World":
				out = append(out, fmt.Sprintf("%s (%d)", n.Name, n.ID))
			default:
				out = append(out, fmt.Sprintf("%s (%s, %d)", n.Name, n.Country, n.ID))
			}
		}
		return join(out)
	}
	switch {
	case len(leagues) == 0:
		return "only the matches of " + of(teams, "team") + ", in any competition"
	case len(teams) == 0:
		return "the matches of " + of(leagues, "league")
	}
	return "the matches of " + of(leagues, "league") + ", and every match of " + of(teams, "team")
}
