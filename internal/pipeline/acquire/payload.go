package acquire

import (
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// Registered is what a batch begins with.
type Registered struct {
	Gone       bool              `json:"gone,omitempty"`        // the event no longer stands, or the batch was settled before
	HandedOver bool              `json:"handed_over,omitempty"` // there is nothing to look at; Upload knows
	Candidates []footy.Candidate `json:"candidates,omitempty"`
	Media      []footy.Media     `json:"media,omitempty"` // downloaded before, only the verdict is owed
}

// Fetch asks for one candidate.
type Fetch struct {
	Input
	Candidate footy.Candidate `json:"candidate"`
}

// Got is a candidate after download: exactly one field is set.
type Got struct {
	Media    *footy.Media `json:"media,omitempty"`
	Known    string       `json:"known,omitempty"` // clip of this event with the very same bytes
	Rejected footy.Reason `json:"rejected,omitempty"`

	still string // picture of a file that was refused by its shape; for its log row only
}

// Judge asks for verdicts on a batch.
type Judge struct {
	Input
	Media []footy.Media `json:"media"`
}

// Judged is the verdict on the media at the same place of the request.
type Judged struct {
	Verdict footy.Verdict `json:"verdict"`
}

// Item is an accepted video.
type Item struct {
	Media   footy.Media   `json:"media"`
	Verdict footy.Verdict `json:"verdict"`
}

// Support is a post that carries the very bytes of a clip the event already has.
type Support struct {
	Candidate footy.Candidate `json:"candidate"`
	ClipID    string          `json:"clip_id"`
}

// Lost is a candidate that could not be looked at.
type Lost struct {
	Candidate footy.Candidate `json:"candidate"`
	Reason    footy.Reason    `json:"reason"`
	Detail    string          `json:"detail,omitempty"`
}

// Handover is one batch on its way to the event's Upload. Download is its key: a batch settles once.
type Handover struct {
	FixtureID int64         `json:"fixture_id"`
	EventUID  string        `json:"event_uid"`
	Download  string        `json:"download"`
	Items     []Item        `json:"items,omitempty"`
	Support   []Support     `json:"support,omitempty"`
	Owed      []footy.Media `json:"owed,omitempty"`
	Lost      []Lost        `json:"lost,omitempty"`
	Timing    policy.Timing `json:"timing"`
}
