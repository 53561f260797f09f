package download

import (
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
)

// RegisterResult is what a Download begins with; without posts nothing is left to do.
type RegisterResult struct {
	Posts []OpenPost `json:"posts,omitempty"`
	Old   bool       `json:"old,omitempty"`   // the goal is one that is caught up: those that fall now go first
	Ahead bool       `json:"ahead,omitempty"` // the goal is not certain: those that are go first
	First bool       `json:"first,omitempty"` // nothing of the goal is shown, and no other post of it is further on its way
}

// OpenPost is one post of the Download with what has to be done next.
type OpenPost struct {
	PostID string      `json:"post_id"`
	Step   ledger.Step `json:"step"`
}

// DownloadInput asks for posts, one after the other.
type DownloadInput struct {
	Input
	Posts []string `json:"posts"`
}

// DownloadResult says how far they came, in their order; those that are left out had no turn yet.
type DownloadResult struct {
	Posts []FetchResult `json:"posts"`
}

// FetchResult says how far one post came.
type FetchResult struct {
	PostID  string       `json:"post_id"`
	Step    ledger.Step  `json:"step"` // what has to be done next; "" if the post has ended
	Waiting bool         `json:"waiting,omitempty"`
	Reason  footy.Reason `json:"reason,omitempty"` // why it was refused or waits
}

// ValidateInput asks for verdicts on posts of the Download.
type ValidateInput struct {
	Input
	Posts []string `json:"posts"`
	First bool     `json:"first,omitempty"` // the first that is accepted ends the turn: it is shown at once
	Last  bool     `json:"last,omitempty"`  // no other post of the Download is to come
}

// ValidateResult counts what came of them; Left had no turn yet.
type ValidateResult struct {
	Accepted int      `json:"accepted,omitempty"`
	Rejected int      `json:"rejected,omitempty"`
	Waiting  int      `json:"waiting,omitempty"`
	Left     []string `json:"left,omitempty"`
	Queued   bool     `json:"queued,omitempty"` // the event's Upload knows of it
}
