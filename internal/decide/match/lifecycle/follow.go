package lifecycle

import (
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/score"
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
}

// Tracked reports whether a fixture is followed; others are never stored and never polled, unless a person names them.
func Tracked(s footy.Snapshot, f Follow) bool {
	if len(f.Leagues) == 0 && len(f.Teams) == 0 {
		return LeagueOf(s.League.ID).Name != ""
	}
	return slices.Contains(f.Leagues, s.League.ID) ||
		slices.Contains(f.Teams, s.Teams.Home.ID) || slices.Contains(f.Teams, s.Teams.Away.ID)
}

// String is the same for the same choice, in whatever order it was written.
func (f Follow) String() string {
	return fmt.Sprintf("leagues %v teams %v", slices.Sorted(slices.Values(f.Leagues)), slices.Sorted(slices.Values(f.Teams)))
}

// ListTries are the tries for the list of today's matches.
type ListTries struct {
	Listed    string    // date of the newest list that was read on its own day
	Since     time.Time // of the first try that failed since then; zero: none did
	Tried     time.Time // of the last one
	Unreached bool      // the feed did not answer it; else it refused
}

// ListDue reports whether today's list of matches (by UTC date) should be asked for out of turn: it is not there, and was not asked for
// lately. The schedule has the first hour of the day for itself.
func ListDue(t ListTries, now time.Time, w Windows) bool {
	now = now.UTC()
	if t.Listed == now.Format(time.DateOnly) {
		return false
	}
	return !now.Before(NextList(t, now, w))
}

// NextList is when today's list is asked for again while it is missing: after a refusal in an hour, and while the feed cannot be reached in
// 15 seconds, then after as long as that has lasted. A try of a time that is further off than the next one was written while a clock was ahead.
func NextList(t ListTries, now time.Time, w Windows) time.Time {
	from := now.UTC().Truncate(24 * time.Hour)
	if !t.Tried.After(from) || !t.Tried.Before(now.Add(w.ListAgain)) {
		return from.Add(w.ListAgain)
	}
	if t.Unreached {
		return t.Tried.Add(min(max(t.Tried.Sub(t.Since), w.ListReach), w.ListReachMost))
	}
	return t.Tried.Add(w.ListAgain)
}

// AdmitNamed tells where a fixture belongs that a person named and that is new to us: one that is over is asked about, too, and its
// goals are looked for.
func AdmitNamed(s footy.Snapshot, now time.Time, w Windows) footy.Stage {
	if stage := Admit(s, now, w); stage != footy.StageCompleted {
		return stage
	}
	return footy.StageActive
}

// Reopens decides about a completed fixture that a person named: it is followed again if nobody ever asked about its goals, or if
// the score counts one that is not there. To is empty where nothing is left to find.
func Reopens(f footy.Fixture, w Windows) Move {
	if f.Stage != footy.StageCompleted || !f.LastMonitor.IsZero() && (!w.Unlisted || score.WithoutEvent(f) == 0) {
		return Move{}
	}
	return Move{footy.StageActive, footy.EntryActivated, ReasonNamed, footy.Evidence{}}
}
