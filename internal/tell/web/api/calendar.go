package api

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

// matchLasts is how long a match takes in a calendar.
const matchLasts = 2 * time.Hour

// timeToBeSet is the code of a match whose day alone is known.
const timeToBeSet = "TBD"

// writeCalendar is iCalendar (RFC 5545). It tells no score: a calendar shows it to who has not watched yet.
func writeCalendar(origin string, f feed) (string, []byte, error) {
	var b strings.Builder
	line := func(name, value string) { b.WriteString(folded(name+":"+value) + "\r\n") }
	line("BEGIN", "VCALENDAR")
	line("VERSION", "2.0")
	line("PRODID", "-//Found Footy//Matches//EN")
	line("X-WR-CALNAME", escaped("Found Footy: "+f.name))
	line("REFRESH-INTERVAL;VALUE=DURATION", "PT6H")
	for _, m := range f.matches {
		line("BEGIN", "VEVENT")
		line("UID", fmt.Sprintf("match-%d@found-footy", m.ID))
		line("DTSTAMP", stamp(m.UpdatedAt))
		if m.Status.Code == timeToBeSet {
			line("DTSTART;VALUE=DATE", m.Kickoff.Format("20060102"))
		} else {
			line("DTSTART", stamp(m.Kickoff))
			line("DTEND", stamp(m.Kickoff.Add(matchLasts)))
		}
		line("SUMMARY", escaped(m.Home.Name+" v "+m.Away.Name))
		line("DESCRIPTION", escaped(strings.TrimSpace(m.League.Name+"\n"+m.League.Round)))
		if m.Venue != "" {
			line("LOCATION", escaped(m.Venue))
		}
		line("URL", origin+view.MatchPath(m.ID))
		switch {
		case m.Status.Phase == view.PhaseOff:
			line("STATUS", "CANCELLED")
		case m.Status.Code == timeToBeSet:
			line("STATUS", "TENTATIVE")
		}
		line("END", "VEVENT")
	}
	line("END", "VCALENDAR")
	return "text/calendar; charset=utf-8", []byte(b.String()), nil
}

func stamp(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

var escape = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`, "\r", "")

func escaped(text string) string { return escape.Replace(text) }

// folded is a line in pieces of at most 75 bytes, each of whole letters; the pieces after the first begin with a space.
func folded(line string) string {
	var b strings.Builder
	for len(line) > 75 {
		at := 75
		for !utf8.RuneStart(line[at]) {
			at--
		}
		b.WriteString(line[:at] + "\r\n")
		line = " " + line[at:]
	}
	return b.String() + line
}
