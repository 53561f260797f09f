package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
)

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
