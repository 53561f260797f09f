package explain

import (
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// Status is how far the work on an event is, in words.
type Status struct {
	Label string // on pages
	Line  string // in the terminal
	Sign  string // before the line
}

// StatusOf says how far the work on an event is.
func StatusOf(e *footy.Event) Status {
	switch st := e.Status(); st {
	case footy.StatusValidating:
		return Status{"Confirming", e.Kind.Info().One + "?", "✨"}
	case footy.StatusExtracting, footy.StatusWatching:
		s := Status{"Searching", "searching", "🔎"}
		if st == footy.StatusWatching {
			s = Status{"Watching for better", "has a clip", "👀"}
		}
		switch {
		case !e.Round.EndedAt.IsZero():
			s.Label = "Checking posts" // nothing is searched any more
		case !e.Round.Blocked.Since.IsZero():
			s.Label = "Cannot search now"
		}
		return s
	case footy.StatusComplete:
		if label := withdrawnLabel(e); label != "" {
			return Status{label, strings.ToLower(label), "✅"}
		}
		if len(e.VisibleClips()) == 0 {
			return Status{"No clip", "no clip", "✅"}
		}
		return Status{"Complete", "complete", "✅"}
	case footy.StatusRemoved:
		return Status{"Cancelled", "cancelled", "🚫"}
	default:
		return Status{Label: string(st), Line: string(st)}
	}
}

// withdrawnLabel says of an event without a clip that operators hid what it had; "" if they hid nothing.
func withdrawnLabel(e *footy.Event) string {
	if len(e.VisibleClips()) > 0 {
		return ""
	}
	label := ""
	for _, c := range e.Clips {
		switch {
		case c.Hidden && c.Swept:
			return "Taken down"
		case c.Hidden:
			label = "Hidden"
		}
	}
	return label
}

// Goal names an event with the score after it: "Salah 45+2': Liverpool 1–0 Everton".
func Goal(f *footy.Fixture, e *footy.Event) string {
	return footy.Label(*e) + ": " + Standing(f, e)
}

// Standing is the score after an event: "Liverpool 1–0 Everton".
func Standing(f *footy.Fixture, e *footy.Event) string {
	return fmt.Sprintf("%s %s–%s %s", f.Teams.Home.Name, Goals(e.ScoreAfter.Home), Goals(e.ScoreAfter.Away), f.Teams.Away.Name)
}

// WithoutMentions lets a text call nobody by name at any service: names of teams, scorers and posts come from strangers. Behind each sign that
// begins a mention (@everyone, <@id>, <!channel>, @user@host, @room) it puts a space without width, which services do not read past.
func WithoutMentions(text string) string {
	const signs, gap = "@＠﹫<＜", '\u200b'
	var out strings.Builder
	sign := false
	for _, c := range text {
		if sign && c != gap {
			out.WriteRune(gap)
		}
		out.WriteRune(c)
		sign = strings.ContainsRune(signs, c)
	}
	return out.String()
}
