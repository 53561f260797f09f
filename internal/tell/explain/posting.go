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
		case p.Unseen != "":
			return "Posted, but people see no video: " + p.Unseen
		}
		return posted(p)
	case footy.PostingDeleted:
		if p.Error != "" {
			return "Deleted, and could not be posted again: " + p.Error
		}
		return "Deleted"
	case footy.PostingGone:
		return "Deleted there by somebody; it is not posted again"
	case footy.PostingUnsure:
		return "It is unknown whether it was posted, so it is not posted again (" + p.Error + "). Check the service; an operator can say here, or with footy posts, whether it is there, and give its link"
	case footy.PostingThere:
		return "An operator says it is there; without its link, footy cannot change or delete it"
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

// posted says of a post that stands what it shows.
func posted(p footy.Posting) string {
	s := "Posted"
	if p.Edits > 0 {
		s += ", changed " + Plural(p.Edits, "time", "times")
	}
	if p.Picture.Why != "" && p.Picture.Clip == p.Clip {
		s += "; it shows the clip's picture: " + p.Picture.Why
	}
	return s
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
	s := Posting(footy.Posting{Step: d.Step, Error: d.Failed, Edits: d.Edits, Picture: footy.PostingPicture{Why: d.Picture}, Unseen: d.Unseen})
	return d.Service + ": " + lowerFirst(s)
}
