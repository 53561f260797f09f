package lifecycle

import (
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/rule/query"
)

// Followed is a league or a team that is followed, or may be; Name is empty where only the id is known.
type Followed struct {
	ID      int64  `json:"id"`
	Name    string `json:"name,omitempty"`
	Country string `json:"country,omitempty"`
}

// SearchName is the part of what a person wrote to search for: the name without its country.
func SearchName(asked string) string {
	return strings.TrimSpace(asked[strings.LastIndexByte(asked, '/')+1:])
}

// WithName are those of the found that are called exactly what a person wrote, case, accents and dots aside: "Arsenal", or
// "England/Premier League" where the name alone is shared. One is an answer; several are for the person to tell apart.
func WithName(asked string, found []Followed) []Followed {
	out := same(found, func(n Followed) bool { return query.Fold(n.Name) == query.Fold(asked) })
	country, name, both := strings.Cut(asked, "/")
	if len(out) == 0 && both {
		out = same(found, func(n Followed) bool {
			return query.Fold(n.Country) == query.Fold(country) && query.Fold(n.Name) == query.Fold(name)
		})
	}
	return out
}

func same(found []Followed, is func(Followed) bool) []Followed {
	var out []Followed
	for _, n := range found {
		if is(n) && !slices.ContainsFunc(out, func(o Followed) bool { return o.ID == n.ID }) {
			out = append(out, n)
		}
	}
	return out
}
