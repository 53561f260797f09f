package lifecycle

import (
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/names"
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
	out := same(found, func(n Followed) bool { return names.Fold(n.Name) == names.Fold(asked) })
	country, name, both := strings.Cut(asked, "/")
	if len(out) == 0 && both {
		out = same(found, func(n Followed) bool {
			return names.Fold(n.Country) == names.Fold(country) && names.Fold(n.Name) == names.Fold(name)
		})
	}
	return out
}

// Matching are those of the found that fit what a person searched for: where a country was written with the name, its own come alone if
// there are any.
func Matching(asked string, found []Followed) []Followed {
	country, _, both := strings.Cut(asked, "/")
	if of := same(found, func(n Followed) bool { return names.Fold(n.Country) == names.Fold(country) }); both && len(of) > 0 {
		return of
	}
	return same(found, func(Followed) bool { return true })
}

// Cut is a name without its end, to search for where nobody has the whole: most misspelt names begin rightly. It is empty where too little
// would be left.
func Cut(asked string) string {
	longest := ""
	for word := range strings.FieldsSeq(names.Fold(SearchName(asked))) {
		if len(word) > len(longest) {
			longest = word
		}
	}
	if len(longest) < shortestCut+1 {
		return ""
	}
	return longest[:max(shortestCut, len(longest)*3/5)]
}

// shortestCut is the fewest letters that are searched for.
const shortestCut = 3

// Near puts the found in order, those first whose names differ least from what a person wrote.
func Near(asked string, found []Followed) []Followed {
	out := same(found, func(Followed) bool { return true })
	name := names.Fold(SearchName(asked))
	slices.SortStableFunc(out, func(a, b Followed) int {
		return names.Differ(name, names.Fold(a.Name)) - names.Differ(name, names.Fold(b.Name))
	})
	return out
}

// Beginning are those of the found of whose names a word begins so; all, where none does.
func Beginning(begin string, found []Followed) []Followed {
	of := same(found, func(n Followed) bool { return Begins(begin, n.Name) })
	if len(of) == 0 {
		return found
	}
	return of
}

// Begins reports whether a word of the name begins so.
func Begins(begin, name string) bool { return strings.Contains(" "+names.Fold(name), " "+begin) }

func same(found []Followed, is func(Followed) bool) []Followed {
	var out []Followed
	for _, n := range found {
		if is(n) && !slices.ContainsFunc(out, func(o Followed) bool { return o.ID == n.ID }) {
			out = append(out, n)
		}
	}
	return out
}
