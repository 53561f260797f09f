package footy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Label names an event for people: "Salah 45+2'".
func Label(e Event) string {
	return cmp.Or(e.Player.Name, "unknown scorer") + " " + MinuteLabel(e.Minute)
}

// MatchLabel names an event with its match: "Liverpool - Everton: Salah 45+2'".
func MatchLabel(f Fixture, e Event) string {
	return fmt.Sprintf("%s - %s: %s", f.Teams.Home.Name, f.Teams.Away.Name, Label(e))
}

// MinuteLabel writes a minute as people do: 45+2'.
func MinuteLabel(m Minute) string {
	if m.Extra > 0 {
		return fmt.Sprintf("%d+%d'", m.Elapsed, m.Extra)
	}
	return fmt.Sprintf("%d'", m.Elapsed)
}

// National reports whether countries play in the competition: one of the whole world or of a continent.
func (l League) National() bool {
	n := strings.ToLower(l.Name)
	if l.Country != "" && l.Country != "World" || strings.Contains(n, "club") {
		return false
	}
	words := []string{"world cup", "euro ", "euro championship", "nations league", "copa america", "africa cup", "friendlies", "asian cup", "gold cup", "qualification"}
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(n+" ", w) })
}

// CompletedEntry is the log row of an event whose search is over and settled.
func CompletedEntry(fixtureID int64, e Event, now time.Time) Entry {
	return Entry{
		Key: fmt.Sprintf("%s/completed/r%d", e.UID, e.Round.Number), FixtureID: fixtureID, EventUID: e.UID, At: now, Kind: EntryCompleted,
		Data: Evidence{Outcome: e.Outcome().String(), Clips: len(e.VisibleClips()), Searches: e.Round.Searches},
	}
}
