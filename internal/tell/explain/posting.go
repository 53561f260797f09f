package explain

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Posting says how a post of our own stands, and what a service answered, which may name an account: for operators.
func Posting(p footy.Posting) string {
	s := PostingForReaders(p)
	switch {
	case p.Error != "":
		s += ": " + p.Error
	case p.Step == footy.PostingDone && p.Picture.Why != "" && p.Picture.Clip == p.Clip:
		s += ": " + p.Picture.Why
	}
	switch p.Step {
	case footy.PostingUnsure:
		s += ". Check the service; then say here, or with footy posts, whether it is there"
	case footy.PostingThere:
		s += ", as an operator said; footy cannot change or delete it"
	}
	return s
}

// PostingForReaders says how a post of our own stands.
func PostingForReaders(p footy.Posting) string {
	switch p.Step {
	case footy.PostingBegun:
		return "Being posted"
	case footy.PostingDone:
		s := "Posted"
		switch {
		case p.Error != "":
			return s + ", and could not be changed"
		case p.Edits > 0:
			s += ", changed " + Plural(p.Edits, "time", "times")
		}
		if p.Picture.Why != "" && p.Picture.Clip == p.Clip {
			s += "; it shows the clip's picture"
		}
		return s
	case footy.PostingDeleted:
		if p.Error != "" {
			return "Deleted, and could not be posted again"
		}
		return "Deleted"
	case footy.PostingGone:
		return "Deleted there by somebody; it is not posted again"
	case footy.PostingUnsure:
		return "It is unknown whether it was posted, so it is not posted again"
	case footy.PostingThere:
		return "Posted"
	case footy.PostingNone:
		if p.Error == "" && p.Asked {
			return "About to be posted again, as an operator asked"
		}
	}
	if p.Error != "" {
		return "Not posted"
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
	return d.Service + ": " + lowerFirst(PostingForReaders(footy.Posting{Step: d.Step, Error: d.Failed, Edits: d.Edits}))
}
