package explain

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Posting says how a post of our own stands.
func Posting(p footy.Posting) string {
	switch p.Step {
	case footy.PostingBegun:
		return "Being posted"
	case footy.PostingDone:
		switch {
		case p.Error != "":
			return "Posted, and could not be changed: " + p.Error
		case p.Edits > 0:
			return "Posted, changed " + Plural(p.Edits, "time", "times")
		}
		return "Posted"
	case footy.PostingDeleted:
		if p.Error != "" {
			return "Deleted, and could not be posted again: " + p.Error
		}
		return "Deleted"
	case footy.PostingGone:
		return "Deleted there by somebody; it is not posted again"
	case footy.PostingUnsure:
		return "Nobody can tell whether it was posted, so it is not posted again (" + p.Error + "). Look there; an operator can say here, or with footy posts, whether it is there, and where"
	case footy.PostingThere:
		return "It is there, says an operator; without its link it is not changed or deleted from here"
	case footy.PostingNone:
		switch {
		case p.Error != "":
			return "Not posted: " + p.Error
		case p.Asked:
			return "About to be posted again, as an operator asked"
		}
	}
	return "Not posted yet"
}

// PostingNext says when a step is tried again; "" if it is not.
func PostingNext(p footy.Posting, now time.Time) string {
	if p.Error == "" || !p.NextTry.After(now) || p.Refused != "" {
		return ""
	}
	return "tried again in " + Span(p.NextTry.Sub(now))
}

// postingRow says a row about a post of our own.
func postingRow(d footy.Evidence) string {
	s := Posting(footy.Posting{Step: d.Step, Error: d.Failed, Edits: d.Edits})
	return d.Service + ": " + lowerFirst(s)
}
