package hosts

import (
	"context"
	"regexp"
	"slices"
	"time"
)

// Enough is how many different clips of a host must fail alike, without one that came through in between, until people are told.
const Enough = 10

// witnesses is how many clips of a host are remembered: one may be deleted meanwhile.
const witnesses = 3

// StateKey is where the records of all hosts lie in the store's service state, by the names of their rows.
const StateKey = "clip_hosts"

// Record is how fetches from one host went.
type Record struct {
	LastOK     time.Time `json:"last_ok,omitzero"`
	Known      []string  `json:"known,omitempty"` // the pages of the last clips that came through, the newest first
	LastFailed time.Time `json:"last_failed,omitzero"`
	How        string    `json:"how,omitempty"`    // the last failure
	Failed     []string  `json:"failed,omitempty"` // the pages that failed like it in a row, at most Enough
}

// Ledger keeps the records for all processes.
type Ledger interface {
	// Record of a row; the zero value if nothing was fetched from its host yet.
	Record(ctx context.Context, row string) (Record, error)
	// Note counts a fetch that ended: page came through, or failed so. A count that cannot be kept fails no fetch.
	Note(ctx context.Context, row, page, failure string)
}

// Noted is the record after one more fetch, which failed unless failure is "".
func (r Record) Noted(page, failure string, at time.Time) Record {
	if failure == "" {
		others := slices.DeleteFunc(slices.Clone(r.Known), func(p string) bool { return p == page })
		return Record{LastOK: at, Known: append([]string{page}, others[:min(len(others), witnesses-1)]...), LastFailed: r.LastFailed, How: r.How}
	}
	if blurred(failure) != blurred(r.How) {
		r.Failed = nil
	}
	r.LastFailed, r.How = at, failure
	if !slices.Contains(r.Failed, page) && len(r.Failed) < Enough {
		r.Failed = append(slices.Clone(r.Failed), page)
	}
	return r
}

// Failing reports whether people should be told.
func (r Record) Failing() bool { return len(r.Failed) >= Enough }

var counts = regexp.MustCompile(`\d{4,}`) // of bytes, and ports

// blurred is a failure without what differs from one exchange to the next.
func blurred(failure string) string { return counts.ReplaceAllString(failure, "N") }
