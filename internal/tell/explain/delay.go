package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
)

// FirstClip says how long it took until an event had its first clip, and where the time went, in whole seconds that add up. What took
// none is not told. Where nobody knows when the event was, the time begins when it was first seen.
func FirstClip(w delay.Way) string {
	stages := w.Stages()
	var parts []string
	for i, whole := range shares(stages, w.Whole()) {
		about := ""
		if stages[i].Name == delay.Told {
			about = "about "
		}
		if whole > 0 {
			parts = append(parts, about+Span(time.Duration(whole)*time.Second)+" "+stages[i].Words)
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

// shares are the whole seconds of each stage. Those that rounding down leaves over go to the stages that lost most by it.
func shares(stages []delay.Stage, whole time.Duration) []int {
	out, order := make([]int, len(stages)), make([]int, len(stages))
	left := int(whole.Round(time.Second) / time.Second)
	for i, s := range stages {
		out[i], order[i] = int(s.Seconds), i
		left -= out[i]
	}
	lost := func(i int) float64 { return stages[i].Seconds - float64(out[i]) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lost(b), lost(a)) })
	for _, i := range order[:min(max(left, 0), len(order))] {
		out[i]++
	}
	return out
}

// FirstClips says how long that takes with several events: of each stage the median and the 90th percentile. "" of none.
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
