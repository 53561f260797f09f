package rule

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Kind of a scope, as in addresses.
type Kind string

// The kinds.
const (
	OfMatch  Kind = "match"
	OfTeam   Kind = "team" // the goals it scored on a day
	OfLeague Kind = "league"
	OfDay    Kind = "day"
)

// Scope is what a reel is of. A day lies between two moments, which many time zones share.
type Scope struct {
	Kind Kind      `json:"kind"`
	ID   int64     `json:"id,omitempty"`  // of the match, the team or the competition
	Day  string    `json:"day,omitempty"` // 2026-11-14; "" of a match
	From time.Time `json:"from,omitzero"` // kickoffs, of the day
	To   time.Time `json:"to,omitzero"`
}

// ScopeOf checks what is asked for. day and zone are not looked at for a match.
func ScopeOf(kind Kind, id int64, day string, zone *time.Location) (Scope, error) {
	const op = "plan reel"
	s := Scope{Kind: kind, ID: id}
	switch {
	case kind != OfMatch && kind != OfTeam && kind != OfLeague && kind != OfDay:
		return s, footy.Errorf(footy.CodeInvalid, op, "reels are of a match, a team, a league or a day, not of %q", kind)
	case kind != OfDay && id <= 0:
		return s, footy.Errorf(footy.CodeInvalid, op, "%s %d: ids are numbers above 0", kind, id)
	case kind == OfMatch:
		return s, nil
	case kind == OfDay:
		s.ID = 0
	}
	d, err := time.ParseInLocation(time.DateOnly, day, zone)
	if err != nil || d.Year() < 1990 || d.Year() > 2200 {
		return s, footy.Errorf(footy.CodeInvalid, op, "day %q: dates look like 2026-11-14", day)
	}
	s.Day, s.From, s.To = day, d, time.Date(d.Year(), d.Month(), d.Day()+1, 0, 0, 0, 0, zone)
	return s, nil
}

// words are the kind, the id and the day, as far as it has them.
func (s Scope) words() []string {
	words := []string{string(s.Kind)}
	if s.ID != 0 {
		words = append(words, strconv.FormatInt(s.ID, 10))
	}
	if s.Day != "" {
		words = append(words, s.Day)
	}
	return words
}

// Name names the scope within a workflow's id.
func (s Scope) Name() string {
	name := strings.Join(s.words(), "-")
	if _, offset := s.From.Zone(); offset != 0 {
		name += s.From.Format("-0700")
	}
	return name
}

// Path is the address of its page.
func (s Scope) Path() string { return "/reel/" + strings.Join(s.words(), "/") }

// Has reports whether the scope is of this match, among others.
func (s Scope) Has(f *footy.Fixture) bool {
	if s.Kind == OfMatch {
		return f.ID == s.ID
	}
	if k := f.Match.Kickoff; k.Before(s.From) || !k.Before(s.To) {
		return false
	}
	switch s.Kind {
	case OfTeam:
		return f.Teams.Side(s.ID) != ""
	case OfLeague:
		return f.League.ID == s.ID
	}
	return true
}

// scoredFor reports whether the goal counts for who the scope is of.
func (s Scope) scoredFor(f *footy.Fixture, e *footy.Event) bool {
	if s.Kind != OfTeam {
		return true
	}
	return cmp.Or(e.ScoringTeam, f.Teams.Side(e.Team.ID)) == f.Teams.Side(s.ID)
}

// title says what the reel is of, and when; never how it ended.
func (s Scope) title(fixtures []footy.Fixture) [2]string {
	day := s.From.Format("Monday 2 January 2006")
	for i := range fixtures {
		f := &fixtures[i]
		if !s.Has(f) {
			continue
		}
		switch s.Kind {
		case OfMatch:
			return [2]string{cut(f.Teams.Home.Name, 28) + " v " + cut(f.Teams.Away.Name, 28), cut(f.League.Name, 40) + ", " + f.Match.Kickoff.UTC().Format("2 January 2006")}
		case OfTeam:
			t := f.Teams.Home
			if f.Teams.Away.ID == s.ID {
				t = f.Teams.Away
			}
			return [2]string{"Goals of " + cut(t.Name, 40), day}
		case OfLeague:
			return [2]string{cut(f.League.Name, 48), day}
		case OfDay:
			return [2]string{"Goals of the day", day}
		}
	}
	return [2]string{fmt.Sprintf("No match of this %s", s.Kind), day}
}

func isOwn(e *footy.Event) bool     { return strings.Contains(strings.ToLower(e.Detail), "own") }
func isPenalty(e *footy.Event) bool { return strings.Contains(strings.ToLower(e.Detail), "penalty") }
