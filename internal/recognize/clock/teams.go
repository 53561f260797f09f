package clock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

// Team is a team as graphics may call it.
type Team struct {
	Name  string
	Names []string // what else it is called
	Codes []string // its abbreviations
}

// likeness is how far a word beside a clock is a team's.
type likeness int

const (
	strange  likeness = iota
	possible          // its letters stand in a name of the team in this order, the first one at the beginning of a word
	known
)

// called says whether a word may be a team's.
func (t Team) called(word string) likeness {
	code := names.Fold(word)
	if slices.ContainsFunc(t.Codes, func(c string) bool { return names.Fold(c) == code }) {
		return known
	}
	most := strange
	for _, name := range append([]string{t.Name}, t.Names...) {
		most = max(most, spells(code, name))
	}
	return most
}

// spells compares a word with one name. Known are a word of the name, three letters it begins with, the initials, and the beginnings of
// two words: ARS, MCI, ATM.
func spells(code, name string) likeness {
	words := strings.Fields(names.Fold(name))
	own := slices.DeleteFunc(slices.Clone(words), names.Generic)
	if len(own) == 0 {
		own = words
	}
	sure := []string{strings.ToLower(names.Abbreviate(name)), strings.Join(words, "")}
	for i := 1; i < len(words); i++ {
		if before, w := words[i-1], words[i]; len(before) > 1 && len(w) > 1 {
			sure = append(sure, before[:1]+w[:2], before[:2]+w[:1])
		}
	}
	switch {
	case len(code) < 3:
	case len(own) > 0 && len(code) == 3 && strings.HasPrefix(own[0], code), slices.Contains(own, code), slices.Contains(sure, code):
		return known
	}
	for i := range words {
		if w := strings.Join(words[i:], ""); code != "" && w[0] == code[0] && follows(code, w) {
			return possible
		}
	}
	return strange
}

// follows reports whether letters stand in a word in their order.
func follows(letters, word string) bool {
	for _, c := range []byte(word) {
		if letters != "" && letters[0] == c {
			letters = letters[1:]
		}
	}
	return letters == ""
}

// match is what the words beside a clock say of the match.
type match int

const (
	unsaid  match = iota // nothing: no word of them is a known team's
	own                  // it is the goal's
	foreign              // it is another one, and no word may be of the goal's teams
	doubted              // it may be another one: only one word is of its teams, or one may be of the goal's, too
)

// matchBeside weighs words that were read beside a clock. Those that no team is known by say nothing. One letter of them may be read wrongly: what
// another match's would be with it does not prove the goal's, and what the goal's would be refuses nothing.
func (q Question) matchBeside(words []string) (match, string) {
	mine, sure := named(words, q.Teams)
	others := func(word string) bool {
		return slices.ContainsFunc(q.Others, func(m [2]Team) bool { return max(m[0].called(word), m[1].called(word)) == known })
	}
	switch {
	case sure && slices.ContainsFunc(q.Others, func(m [2]Team) bool { return misread(mine, m) }):
		return unsaid, ""
	case sure && len(mine) > 1:
		return own, fmt.Sprintf("the codes %s beside the clock are the teams'", strings.Join(mine, " and "))
	case sure && !others(mine[0]):
		return own, fmt.Sprintf("the code %s beside the clock is a team's", mine[0])
	case sure:
		return unsaid, ""
	}
	for _, w := range words {
		if len(mine) == 0 && misread([]string{w}, q.Teams) {
			mine = []string{w}
		}
	}
	for _, m := range q.Others {
		switch theirs, sure := named(words, m); {
		case sure && len(theirs) > 1:
			says := foreign
			if len(mine) > 0 {
				says = doubted
			}
			return says, fmt.Sprintf("the codes %s beside the clock are of %s against %s", strings.Join(theirs, " and "), m[0].Name, m[1].Name)
		case sure && len(mine) == 0:
			return doubted, fmt.Sprintf("the code %s beside the clock is of %s against %s", theirs[0], m[0].Name, m[1].Name)
		}
	}
	return unsaid, ""
}

// misread reports whether words would all be of a match, surely, with one letter that looks like the one that was read.
func misread(words []string, teams [2]Team) bool {
	for i, w := range words {
		for _, meant := range clockface.Misreadings(w) {
			other := slices.Clone(words)
			other[i] = meant
			if theirs, sure := named(other, teams); sure && len(theirs) == len(words) {
				return true
			}
		}
	}
	return false
}

// named are the words that the teams of a match may be called, one for each team at most; sure: one of them is known by its word.
func named(words []string, teams [2]Team) (out []string, sure bool) {
	like := func(i, k int) likeness { return teams[k].called(words[i]) }
	best := likeness(0)
	for i := range words {
		for j := range words {
			a, b := like(i, 0), like(j, 1)
			if i == j || a == strange || b == strange || a+b <= best {
				continue
			}
			best, out, sure = a+b, []string{words[min(i, j)], words[max(i, j)]}, max(a, b) == known
		}
	}
	if sure {
		return out, true
	}
	for i, w := range words {
		if l := max(like(i, 0), like(i, 1)); l > strange && (l == known || len(out) == 0) {
			out, sure = []string{w}, l == known
			if sure {
				break
			}
		}
	}
	return out, sure
}
