// Package query makes the searches for one goal in two forms, precise and wide. Pure: values in, values out.
package query

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

// MaxLength is what X takes as one query, with room for what the search service adds.
const MaxLength = 480

// MaxAliases bounds the team's words in the precise form: a broad list crowds good clips out.
const MaxAliases = 6

// maxPlayer is the most words taken of a player's name.
const maxPlayer = 4

// maxName is the most letters taken of a team's name.
const maxName = 80

// ErrPlayerRequired says that there is no scorer to search for: no search before one is known.
var ErrPlayerRequired = errors.New("player_required")

// ErrTeamRequired says that nothing of the team's name can be searched.
var ErrTeamRequired = errors.New("team_required")

// Pair is the two forms of a goal's search with the words they were made of.
type Pair struct {
	Precise      string   `json:"precise"` // player AND team
	Wide         string   `json:"wide"`    // player OR "Team Name" OR ABBR
	PlayerTokens []string `json:"player_tokens"`
	TeamTokens   []string `json:"team_tokens"`
	Abbreviation string   `json:"abbreviation"`
}

// Build makes both forms for a player and the team that profits. Of kinds, which are those of goals if empty, one must be in a post.
func Build(player string, team footy.Team, a footy.TeamAliases, kinds ...string) (Pair, error) {
	if strings.TrimSpace(player) == "" {
		return Pair{}, ErrPlayerRequired
	}
	p := Pair{PlayerTokens: names.PlayerTokens(player), TeamTokens: words(team, a), Abbreviation: abbreviation(team, a)}
	if len(p.PlayerTokens) == 0 {
		return Pair{}, ErrPlayerRequired
	}
	who := p.PlayerTokens[:min(len(p.PlayerTokens), maxPlayer)]
	name := phrase(team.Name)
	teams := teamAndTerms(name, p.Abbreviation, append(phrases(team, a), p.TeamTokens...))
	if len(teams) == 0 {
		return Pair{}, ErrTeamRequired
	}
	p.Precise = fit(func(terms []string) string { return all(who, terms, kinds) }, teams)
	wide := names.Unique(slices.Concat(scorer(who), teamTerms(name, p.Abbreviation, p.TeamTokens)))
	p.Wide = fit(func(terms []string) string { return all(terms, kinds) }, wide)
	return p, nil
}

// Team makes a search for a goal whose scorer nobody has named yet, by the team that profits alone. kinds are as of Build.
func Team(team footy.Team, a footy.TeamAliases, kinds ...string) (string, error) {
	terms := teamTerms(phrase(team.Name), abbreviation(team, a), words(team, a))
	if len(terms) == 0 {
		return "", ErrTeamRequired
	}
	return fit(func(terms []string) string { return all(terms, kinds) }, terms), nil
}

func words(team footy.Team, a footy.TeamAliases) []string {
	known := slices.DeleteFunc(a.Called(), func(n string) bool { return strings.Contains(n, " ") })
	return names.TeamTokens(team.Name, append(known, a.Aliases...))
}

// maxPhrases bounds how many further names of several words a query has.
const maxPhrases = 2

func phrases(team footy.Team, a footy.TeamAliases) (out []string) {
	for _, n := range a.Called() {
		if strings.Contains(n, " ") && n != names.Fold(team.Name) && len(out) < maxPhrases {
			out = append(out, phrase(n))
		}
	}
	return out
}

func abbreviation(team footy.Team, a footy.TeamAliases) string {
	abbr := cmp.Or(a.Abbr, names.Abbreviate(team.Name))
	if names.TooCommon(abbr) {
		return ""
	}
	return abbr
}

// ForTry alternates the forms: the n-th search (from 1) is precise when n is odd. Requiring player and team finds
// few clips, a broad list crowds good ones out; together they find both kinds.
func ForTry(p Pair, n int) string {
	if n%2 == 1 {
		return p.Precise
	}
	return p.Wide
}

// scorer gives the player's terms that may stand alone in the wide form: words that are names only, each for itself. Everyday
// words (Rice, Son, Take) come only together; a name that is one such word has nothing else to be found by.
func scorer(tokens []string) []string {
	telling := slices.DeleteFunc(slices.Clone(tokens), func(w string) bool { return names.Everyday(w) })
	switch {
	case len(tokens) == 1 || len(telling) == len(tokens):
		return tokens
	case len(telling) == 0 || names.Everyday(tokens[len(tokens)-1]): // the family name is among those dropped
		return append(telling, `"`+strings.Join(tokens, " ")+`"`)
	}
	return telling
}

// phrase is the team's name as people write it, quoted so that its words stay together. Signs that mean something to X's
// search are left out, and so is what no name is as long as.
func phrase(team string) string {
	var words []string
	length := 0
	for _, w := range strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"():`, r) {
			return -1
		}
		return r
	}, names.Romanise(team))) {
		if length += len(w) + 1; length > maxName {
			break
		}
		words = append(words, w)
	}
	name := strings.Join(words, " ")
	if names.Fold(name) == "" {
		return ""
	}
	return `"` + name + `"`
}

// teamTerms gives the team's terms that may stand alone: its name unless that is one word that means anything (Nice), its
// abbreviation, and where both are missing its best alias.
func teamTerms(name, abbr string, tokens []string) (out []string) {
	if word := names.Fold(name); name != "" && !names.Generic(word) && !names.Everyday(word) {
		out = append(out, name)
	}
	if abbr != "" {
		out = append(out, abbr)
	}
	if len(out) == 0 {
		out = tokens[:min(len(tokens), 1)]
	}
	return out
}

func teamAndTerms(name, abbr string, more []string) (out []string) {
	for _, t := range append([]string{name, abbr}, more...) {
		known := func(o string) bool { return strings.EqualFold(strings.Trim(o, `"`), strings.Trim(t, `"`)) }
		if t != "" && len(out) < MaxAliases+2 && !slices.ContainsFunc(out, known) {
			out = append(out, t)
		}
	}
	return out
}

// all asks for a word of each group; one group alone needs no parentheses.
func all(groups ...[]string) string {
	groups = slices.DeleteFunc(groups, func(g []string) bool { return len(g) == 0 })
	if len(groups) == 1 {
		return or(groups[0])
	}
	parts := make([]string, len(groups))
	for i, g := range groups {
		parts[i] = group(g)
	}
	return strings.Join(parts, " ")
}

func group(terms []string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	return "(" + or(terms) + ")"
}

// fit drops terms from the end until the query has a length X accepts; one term always stays.
func fit(build func(terms []string) string, terms []string) string {
	q := build(terms)
	for len(q) > MaxLength && len(terms) > 1 {
		terms = terms[:len(terms)-1]
		q = build(terms)
	}
	return q[:min(len(q), MaxLength)]
}

func or(terms []string) string { return strings.Join(terms, " OR ") }
