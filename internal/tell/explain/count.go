package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
)

// Span says a length of time, as exactly as a person wants to know it.
func Span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < 10*time.Minute, d >= time.Hour && d < 48*time.Hour:
		return units(d)
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// Spoken writes 3m30s as 3 min 30 s.
func Spoken(d time.Duration) string { return units(d.Round(time.Second)) }

// units writes whole hours and minutes, or minutes and seconds.
func units(d time.Duration) string {
	big, of, small, rest := int(d.Hours()), "h", "min", int(d.Minutes())%60
	if d < time.Hour {
		big, of, small, rest = int(d.Minutes()), "min", "s", int(d.Seconds())%60
	}
	switch {
	case big == 0:
		return fmt.Sprintf("%d %s", rest, small)
	case rest == 0:
		return fmt.Sprintf("%d %s", big, of)
	}
	return fmt.Sprintf("%d %s %d %s", big, of, rest, small)
}

// Plural counts things.
func Plural(n int, one, many string) string { return fmt.Sprintf("%d %s", n, verb(n, one, many)) }

// verb takes the form that goes with the number.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Size is a number of bytes for people.
func Size(bytes int64) string {
	switch {
	case bytes >= 10<<30:
		return fmt.Sprintf("%d GB", bytes>>30)
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
	case bytes > 0:
		return fmt.Sprintf("%d kB", (bytes+1023)/1024)
	}
	return ""
}

// FirstClip says how long it took until an event had its first clip, and where the time went. What took less than half a second is left out.
// Where the time of the event is unknown, the time begins when it was first seen.
func FirstClip(w delay.Way) string {
	var parts []string
	for _, s := range w.Stages() {
		about := ""
		if s.Name == delay.Told {
			about = "about "
		}
		if took := time.Duration(s.Seconds * float64(time.Second)).Round(time.Second); took > 0 {
			parts = append(parts, about+Span(took)+" "+s.Words)
		}
	}
	out := "Clip after " + Span(w.Whole())
	if _, known := w[delay.Told]; !known {
		out = "Clip " + Span(w.Whole()) + " after it was first seen"
	}
	if len(parts) > 0 {
		out += ": " + strings.Join(parts, ", ")
	}
	return out
}

// FirstClips says how long that takes with several events: of each stage the median and the 90th percentile; "" without figures.
func FirstClips(figures []delay.Figure) string {
	var parts []string
	for _, f := range figures {
		part := fmt.Sprintf("%s %.0f / %.0f s", f.Words, f.Median, f.P90)
		if f.Goals != figures[0].Goals {
			part += fmt.Sprintf(" (%d known)", f.Goals)
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("First clip of %s, median / 90th percentile: %s", Plural(figures[0].Goals, "goal", "goals"), strings.Join(parts, ", "))
}
