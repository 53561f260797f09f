package rule

import (
	"time"

	"github.com/found-footy/found-footy/internal/tell/explain"
)

// ForOperators says how a post of our own stands, and what a service answered, which may name an account.
func (p Posting) ForOperators() string {
	s := p.ForReaders()
	switch {
	case p.Error != "":
		s += ": " + p.Error
	case p.Step == Done && p.Picture.Why != "" && p.Picture.Clip == p.Clip:
		s += ": " + p.Picture.Why
	}
	switch p.Step {
	case Unsure:
		s += ". Check the service; then say here whether it is there"
	case There:
		s += ", as an operator said; footy cannot change or delete it"
	}
	return s
}

// ForReaders says how a post of our own stands.
func (p Posting) ForReaders() string {
	switch p.Step {
	case Begun:
		return "Being posted"
	case Done:
		s := "Posted"
		switch {
		case p.Error != "":
			return s + ", and could not be changed"
		case p.Edits > 0:
			s += ", changed " + explain.Plural(p.Edits, "time", "times")
		}
		if p.Picture.Why != "" && p.Picture.Clip == p.Clip {
			s += "; it shows the clip's picture"
		}
		return s
	case Deleted:
		if p.Error != "" {
			return "Deleted, and could not be posted again"
		}
		return "Deleted"
	case Gone:
		return "Deleted there by somebody; it is not posted again"
	case Unsure:
		return "It is unknown whether it was posted, so it is not posted again"
	case There:
		return "Posted"
	case None:
		if p.Error == "" && p.Asked {
			return "About to be posted again, as an operator asked"
		}
	}
	if p.Error != "" {
		return "Not posted"
	}
	return "Not posted yet"
}

// Next says when a step is tried again; "" if it is not.
func (p Posting) Next(now time.Time) string {
	if p.Error == "" || !p.NextTry.After(now) || p.Refused != "" {
		return ""
	}
	return "tried again in " + explain.Span(p.NextTry.Sub(now))
}
