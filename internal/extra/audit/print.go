package audit

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Print tells a report to a person: each breach in a line with what to do, and a summary.
func Print(w io.Writer, r Report) error {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	for i, b := range r.Breaches {
		if i == 0 || r.Breaches[i-1].Check != b.Check {
			n := 0
			for _, o := range r.Breaches {
				if o.Check == b.Check {
					n++
				}
			}
			line("%s: %s (%d)", b.Check, b.Check.Title(), n)
		}
		line("  %s%s -> %s", where(b), b.Detail, b.Remedy)
	}
	c := r.Checked
	line("checked %d matches, %d goals, %d posts, %d clips, %d fingerprints, %d log rows, %d objects, %d takedowns",
		c.Fixtures, c.Events, c.Posts, c.Clips, c.Fingerprints, c.Rows, c.Objects, c.Tombstones)
	if idle := time.Since(r.AsOf); idle > 2*time.Minute {
		line("footy last worked on this state at %s; ages count up to then", r.AsOf.Format("2006-01-02 15:04 UTC"))
	}
	switch n := len(r.Breaches); {
	case n == 0:
		line("everything holds")
	case n == 1:
		line("1 breach")
	default:
		line("%d breaches", n)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// where names the subject of a breach.
func where(b Breach) string {
	var parts []string
	switch {
	case b.EventUID != "":
		parts = append(parts, "goal "+b.EventUID)
	case b.FixtureID != 0:
		parts = append(parts, fmt.Sprintf("fixture %d", b.FixtureID))
	}
	for _, s := range []struct{ name, id string }{{"post ", b.PostID}, {"clip ", b.ClipID}} {
		if s.id != "" {
			parts = append(parts, s.name+s.id)
		}
	}
	if b.Key != "" && !strings.Contains(b.Detail, b.Key) && b.Key != b.EventUID && b.Key != b.PostID && b.Key != b.ClipID {
		parts = append(parts, b.Key)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + ": "
}
