// Package secondfeed finds a match of the feed in charge among those of a second feed, whose ids mean nothing here, and puts what that
// says of it into our ids. It never guesses: where two matches may be the one, none is. Pure: values in, values out.
package secondfeed

import (
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

const (
	kickoffSlack = 3 * time.Hour   // by which one feed may know of a new kickoff before the other
	sameKickoff  = 5 * time.Minute // of a match that only one team's name tells: a team plays once at a time
)

// Answer is what a second feed says of a match. board are its matches of the league on that day; unread is why it has others that could
// not be read, "" if it has none.
func Answer(feed string, f footy.Fixture, board []footy.Snapshot, unread string) footy.SecondAnswer {
	out := footy.SecondAnswer{Feed: feed, State: footy.SecondAnswered}
	fits := find(f, board)
	switch {
	case len(fits) > 1:
		out.State = footy.SecondAmbiguous
	case len(fits) == 0 && unread != "":
		out.State, out.Why = footy.SecondUnreachable, unread
	case len(fits) == 0:
		out.State = footy.SecondNoMatch
	case !fits[0].HasEvents:
		out.State, out.Why = footy.SecondUnreachable, "its answer has no list of goals"
	default:
		out.Answered, out.Score, out.Events = fits[0].Answered, fits[0].score(), fits[0].events(f.Teams)
	}
	return out
}

// fit is a match of the second feed that may be the one; swapped: it has the teams the other way round, as on neutral ground.
type fit struct {
	footy.Snapshot
	swapped bool
}

// find are the matches that have both teams; if none has, those that begin at the same time with one of them on its side.
func find(f footy.Fixture, board []footy.Snapshot) []fit {
	var both, one []fit
	for _, s := range board {
		apart := s.Match.Kickoff.Sub(f.Match.Kickoff).Abs()
		if apart > kickoffSlack {
			continue
		}
		home, away := sameTeam(f.Teams.Home.Name, s.Teams.Home.Name), sameTeam(f.Teams.Away.Name, s.Teams.Away.Name)
		switch {
		case home && away:
			both = append(both, fit{s, false})
		case sameTeam(f.Teams.Home.Name, s.Teams.Away.Name) && sameTeam(f.Teams.Away.Name, s.Teams.Home.Name):
			both = append(both, fit{s, true})
		case (home || away) && apart <= sameKickoff:
			one = append(one, fit{s, false})
		}
	}
	if len(both) > 0 {
		return both
	}
	return one
}

// sameTeam reports whether one name has all words of the other: Newcastle, Newcastle United.
func sameTeam(a, b string) bool {
	x, y := words(a), words(b)
	if len(x) == 0 || len(y) == 0 {
		return a != "" && names.Fold(a) == names.Fold(b)
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	for w := range x {
		if !y[w] {
			return false
		}
	}
	return true
}

// words of a team's name that tell it from others: three letters and more, without what clubs are called in general.
func words(name string) map[string]bool {
	out := names.Set(strings.Join(names.Tokens(name), " "))
	for _, club := range []string{"afc", "ssc", "club"} {
		delete(out, club)
	}
	return out
}

func (m fit) score() footy.Score {
	if m.swapped {
		return footy.Score{Home: m.Score.Away, Away: m.Score.Home}
	}
	return m.Score
}

// events are the match's with our teams. An id of a player of the second feed may be somebody else's here.
func (m fit) events(ours footy.Teams) []footy.FeedEvent {
	home, away := ours.Home, ours.Away
	if m.swapped {
		home, away = away, home
	}
	out := []footy.FeedEvent{}
	for _, e := range m.Events {
		switch m.Teams.Side(e.Team.ID) {
		case footy.SideHome:
			e.Team = home
		case footy.SideAway:
			e.Team = away
		default:
			continue
		}
		e.Player.ID, e.Assist.ID = 0, 0
		out = append(out, e)
	}
	return out
}
