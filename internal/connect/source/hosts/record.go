package hosts

import (
	"context"
	"encoding/json"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
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
	Way        string    `json:"way,omitempty"`   // that worked last
	LastFailed time.Time `json:"last_failed,omitzero"`
	How        string    `json:"how,omitempty"`    // the last failure
	Failed     []string  `json:"failed,omitempty"` // the pages that failed like it in a row, at most Enough
}

// Outcome is how one fetch ended.
type Outcome struct {
	Page    string // of the clip
	Failure string // "" = it came through
	Way     string // by which it did
}

// Ledger keeps the records for all processes.
type Ledger interface {
	// Record of a row, or of a host that no row knows; the zero value if nothing was fetched from it yet.
	Record(ctx context.Context, row string) (Record, error)
	// Note counts a fetch that ended. A count that cannot be kept fails no fetch.
	Note(ctx context.Context, row string, o Outcome)
}

// Noted is the record after one more fetch.
func (r Record) Noted(o Outcome, at time.Time) Record {
	if o.Failure == "" {
		others := slices.DeleteFunc(slices.Clone(r.Known), func(p string) bool { return p == o.Page })
		return Record{LastOK: at, Known: append([]string{o.Page}, others[:min(len(others), witnesses-1)]...), Way: o.Way, LastFailed: r.LastFailed, How: r.How}
	}
	if blurred(o.Failure) != blurred(r.How) {
		r.Failed = nil
	}
	r.LastFailed, r.How = at, o.Failure
	if !slices.Contains(r.Failed, o.Page) && len(r.Failed) < Enough {
		r.Failed = append(slices.Clone(r.Failed), o.Page)
	}
	return r
}

// rest is how long a host that no row knows, and that never gave a clip, is not asked after Enough of its pages.
const rest = time.Hour

// Rests reports whether a host that no row knows is not asked now.
func (r Record) Rests(now time.Time) bool {
	return r.LastOK.IsZero() && r.Failing() && now.Sub(r.LastFailed) < rest
}

// Stale reports whether a record says nothing any more.
func (r Record) Stale(now time.Time) bool {
	return r.LastOK.IsZero() && now.Sub(r.LastFailed) > 7*24*time.Hour
}

// NoVideo begins the failure of a host whose page names no video: it may be no host of clips at all.
const NoVideo = "no video: "

// Suggested is a row for a host that no row knows and that gave clips, ready to copy.
func (r Record) Suggested(host string) string {
	if len(r.Known) == 0 {
		return ""
	}
	u, err := url.Parse(r.Known[0])
	if err != nil {
		return ""
	}
	before, _ := path.Split(strings.TrimSuffix(u.Path, "/"))
	row := map[string]any{"name": host, "hosts": []string{host}, "paths": []string{"^" + regexp.QuoteMeta(before) + "([A-Za-z0-9_-]+)$"}, "find": anyPointer}
	text, err := json.Marshal(map[string]any{"hosts": []any{row}})
	if err != nil {
		return ""
	}
	return string(text)
}

// Failing reports whether people should be told.
func (r Record) Failing() bool { return len(r.Failed) >= Enough }

var counts = regexp.MustCompile(`\d{4,}`) // of bytes, and ports

// blurred is a failure without what differs from one exchange to the next.
func blurred(failure string) string { return counts.ReplaceAllString(failure, "N") }
