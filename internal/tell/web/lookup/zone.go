package lookup

import (
	"net/http"
	"strings"
	"time"
	_ "time/tzdata" // readers choose their zone; the machine may know none

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

// Zone is the reader's time zone: asked for in the address, else remembered by the browser, else UTC.
func Zone(r *http.Request) *time.Location {
	name := r.URL.Query().Get("tz")
	if name == "" {
		if c, err := r.Cookie("tz"); err == nil {
			name = strings.ReplaceAll(c.Value, "%2F", "/")
		}
	}
	zone, ok := ParseZone(name)
	if !ok {
		return time.UTC
	}
	return zone
}

// ParseZone reads the name of a time zone. "Local" would be that of the server, so it is refused.
func ParseZone(name string) (*time.Location, bool) {
	if name == "" || name == "Local" || len(name) > 64 {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil
}

// SameOffset is the zone as a period needs it: where its clocks do not change meanwhile, its offset, so that readers of all zones that agree
// share one answer. A match that begins at the period's end goes on for some hours.
func SameOffset(zone *time.Location, from, to time.Time) *time.Location {
	local := from.In(zone)
	_, seconds := local.Zone()
	if _, end := local.ZoneBounds(); !end.IsZero() && end.Before(to.Add(6*time.Hour)) || seconds%60 != 0 {
		return zone
	}
	return view.ZoneAt(seconds)
}

// ZoneOf is SameOffset for a list of matches.
func ZoneOf(zone *time.Location, list []footy.Fixture) *time.Location {
	if len(list) == 0 {
		return time.UTC
	}
	first, last := list[0].Match.Kickoff, list[0].Match.Kickoff
	for i := range list {
		if k := list[i].Match.Kickoff; k.Before(first) {
			first = k
		} else if k.After(last) {
			last = k
		}
	}
	return SameOffset(zone, first, last)
}

// ZoneOfKept is SameOffset for all matches that are kept.
func (r *Reader) ZoneOfKept(zone *time.Location) *time.Location {
	return SameOffset(zone, r.KeptFrom(), r.Now().AddDate(0, 0, keptAhead))
}

// ParseDay reads a date in the reader's zone; the day after begins at the next midnight there, DST or not.
func ParseDay(date string, zone *time.Location) (from, to time.Time, err error) {
	d, err := time.ParseInLocation(DateForm, date, zone)
	if err != nil {
		return from, to, footy.Errorf(footy.CodeInvalid, "read date", "Dates look like 2026-11-14.")
	}
	if d.Year() < 1990 || d.Year() > 2200 {
		return from, to, footy.Errorf(footy.CodeNotFound, "read date", "No match is known of %s.", date)
	}
	return d, time.Date(d.Year(), d.Month(), d.Day()+1, 0, 0, 0, 0, zone), nil
}
