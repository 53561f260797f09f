package rule

import (
	"encoding/json"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
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
	for _, p := range all {
		if p.Target == target {
			return p, err
		}
	}
	return Posting{}, err
}

// Put records what is known of our post at its target.
func Put(e *footy.Event, p Posting) error {
	all, err := All(e)
	if err != nil {
		return err
	}
	found := false
	for i := range all {
		if all[i].Target == p.Target {
			all[i], found = p, true
		}
	}
	if !found {
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
