package rule

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Posting is our post about an event at one target: a channel or an account. It is recorded before the service is asked, so that a process
// that dies between the two never posts twice.
type Posting struct {
	Target  string    `json:"target"`  // key of the channel or account
	Service string    `json:"service"` // as people call it: Discord
	Step    Step      `json:"step"`
	ID      string    `json:"id,omitempty"`  // at the service
	URL     string    `json:"url,omitempty"` // where people see it; "" where the service gives none
	Clip    string    `json:"clip,omitempty"`
	Says    string    `json:"says,omitempty"`   // digest of its text and file
	Number  int       `json:"number,omitempty"` // of our posts about this event there; a goal that stands again gets another
	Asked   bool      `json:"asked,omitempty"`  // an operator wants it, however late
	At      time.Time `json:"at"`               // of the last step
	Until   time.Time `json:"until,omitzero"`   // while it is being posted: no other process touches it before
	Edits   int       `json:"edits,omitempty"`
	Error   string    `json:"error,omitempty"` // what the last try met, with the remedy
	Tries   int       `json:"tries,omitempty"` // that failed, one after the other
	NextTry time.Time `json:"next_try,omitzero"`
	Refused string    `json:"refused,omitempty"` // what the service does not take, as in Says
	Picture Picture   `json:"picture,omitzero"`
}

// Picture says why a clip's picture is posted in place of the clip.
type Picture struct {
	Clip   string       `json:"clip"`
	Reason footy.Reason `json:"reason,omitempty"` // too large for the service; "": it did not take or process it
	Why    string       `json:"why"`              // in words, with the remedy
}

// Step is how far a post of our own is.
type Step string

// The steps. None waits for its first success.
const (
	None    Step = ""
	Begun   Step = "posting" // recorded, the service may have been asked
	Done    Step = "posted"
	Deleted Step = "deleted" // by us
	Gone    Step = "gone"    // deleted at the service
	Unsure  Step = "unsure"  // its delivery is unknown; it is not posted again
	There   Step = "there"   // an operator saw it there; its id is unknown, so it is neither changed nor deleted
)

// Name is that of the extra: of its drawer in an event and of its rows in the log.
const Name = "posting"

// All are the posts about an event. Those that a release before 1.2 kept are taken over by the first Put.
func All(e *footy.Event) (out []Posting, err error) {
	raw := e.Own[Name]
	if raw == nil {
		raw = e.FormerPostings
	}
	if raw != nil {
		if err = json.Unmarshal(raw, &out); err != nil {
			err = footy.Errorf(footy.CodeInvalid, "read our posts", "about event %s: %w", e.ID, err)
		}
	}
	return out, err
}

// At is our post at a target; zero if there is none.
func At(e *footy.Event, target string) (Posting, error) {
	all, err := All(e)
	if i := slices.IndexFunc(all, func(p Posting) bool { return p.Target == target }); i >= 0 {
		return all[i], err
	}
	return Posting{}, err
}

// Put records what is known of our post at its target.
func Put(e *footy.Event, p Posting) error {
	all, err := All(e)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(all, func(o Posting) bool { return o.Target == p.Target }); i >= 0 {
		all[i] = p
	} else {
		all = append(all, p)
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return footy.Wrap(footy.CodeInvalid, "write our posts", err)
	}
	if e.Own == nil {
		e.Own = map[string]json.RawMessage{}
	}
	e.Own[Name], e.FormerPostings = raw, nil
	return nil
}

// Settle takes an operator's answer about a post whose delivery is unknown: it is there, or it is posted again.
func (p *Posting) Settle(there bool, now time.Time) {
	is := Posting{Target: p.Target, Service: p.Service, Step: There, Clip: p.Clip, Says: p.Says, Number: p.Number, At: now}
	if !there {
		is.Step, is.Clip, is.Says, is.Number, is.Asked = None, "", "", p.Number+1, true
	}
	*p = is
}

// Row is what the log tells of a step; not what a service answered, which may name an account.
func (p Posting) Row() footy.Evidence {
	values := map[string]string{"service": p.Service, "step": string(p.Step), "url": p.URL}
	if p.Error != "" {
		values["trouble"] = "yes"
	}
	return footy.Evidence{By: Name, Values: values}
}

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
