package footy

import "time"

// Posting is our own post about an event at one target: a channel or an account. It is written down before the service is asked,
// so that a process that dies between the two never posts twice.
type Posting struct {
	Target  string      `json:"target"`  // key of the channel or account
	Service string      `json:"service"` // as people call it: Discord
	Step    PostingStep `json:"step"`
	ID      string      `json:"id,omitempty"`  // at the service
	URL     string      `json:"url,omitempty"` // where people see it; "" where the service gives none
	Clip    string      `json:"clip,omitempty"`
	Says    string      `json:"says,omitempty"`   // digest of its text and file
	Text    string      `json:"text,omitempty"`   // while it is being posted
	Handle  string      `json:"handle,omitempty"` // of a file that was handed in before
	Number  int         `json:"number,omitempty"` // of our posts about this event there; a goal that stands again gets another
	Asked   bool        `json:"asked,omitempty"`  // an operator wants it, however late
	At      time.Time   `json:"at"`               // of the last step
	Until   time.Time   `json:"until,omitzero"`   // while it is being posted: nobody else touches it before
	Edits   int         `json:"edits,omitempty"`
	Error   string      `json:"error,omitempty"` // what the last try met, with the remedy
	Tries   int         `json:"tries,omitempty"` // that failed, one after the other
	NextTry time.Time   `json:"next_try,omitzero"`
	Refused string      `json:"refused,omitempty"` // what the service does not take, as in Says

	Picture PostingPicture `json:"picture,omitzero"`
}

// PostingPicture says why a clip's picture is posted in place of the clip.
type PostingPicture struct {
	Clip   string `json:"clip"`
	Reason Reason `json:"reason,omitempty"` // too large for the service; "": it did not take or process it
	Why    string `json:"why"`              // in words, with the remedy
}

// PostingStep is how far a post of our own is.
type PostingStep string

// The steps. PostingNone waits for its first success.
const (
	PostingNone    PostingStep = ""
	PostingBegun   PostingStep = "posting" // written down, the service may have been asked
	PostingDone    PostingStep = "posted"
	PostingDeleted PostingStep = "deleted" // by us
	PostingGone    PostingStep = "gone"    // somebody else deleted it
	PostingUnsure  PostingStep = "unsure"  // its delivery is unknown; it is not posted again
	PostingThere   PostingStep = "there"   // an operator saw it there; its id is unknown, so it is neither changed nor deleted
)

// Settle takes an operator's answer about a post whose delivery is unknown: it is there, or it is posted again.
func (p *Posting) Settle(there bool, now time.Time) {
	is := Posting{Target: p.Target, Service: p.Service, Step: PostingThere, Clip: p.Clip, Says: p.Says, Number: p.Number, At: now}
	if !there {
		is.Step, is.Clip, is.Says, is.Number, is.Asked = PostingNone, "", "", p.Number+1, true
	}
	*p = is
}

// Posting finds our post at a target; nil if there is none.
func (e *Event) Posting(target string) *Posting {
	for i := range e.Postings {
		if e.Postings[i].Target == target {
			return &e.Postings[i]
		}
	}
	return nil
}

// SetPosting keeps what is known of our post at its target.
func (e *Event) SetPosting(p Posting) {
	if was := e.Posting(p.Target); was != nil {
		*was = p
		return
	}
	e.Postings = append(e.Postings, p)
}
