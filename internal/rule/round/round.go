// Package round decides about the search rounds of one event: numbering attempts, registering and settling their
// batches, and when the event is complete. Pure: values in, values out.
package round

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Begin marks that a Twitter workflow took up the event's present round. It is that workflow's first act.
func Begin(e *footy.Event, workflowID string) (changed bool) {
	if e.MonitorComplete && e.SearchedBy == workflowID {
		return false
	}
	e.MonitorComplete = true
	e.SearchedBy = workflowID
	return true
}

// Allocate gives the batch of try its Download number, or returns the one it was given before (a repeated activity
// must not lose or double a batch). Try 0 is a batch of posts tried again: always a new one. id makes the workflow id of
// number n. Which posts the batch has is the ledger's to say; found are noted as discovered.
func Allocate(e *footy.Event, try int, found []footy.Candidate, now time.Time, id func(n int) string) footy.Batch {
	if b := find(e, func(b footy.Batch) bool { return b.Try == try && b.Round == e.Round && try > 0 }); b != nil {
		return *b
	}
	e.DownloadSeq++
	b := footy.Batch{Key: id(e.DownloadSeq), Round: e.Round, Try: try, At: now}
	e.Batches = append(e.Batches, b)
	for _, c := range found {
		e.DiscoveredVideos = addNew(e.DiscoveredVideos, c.PostID)
	}
	if try > 0 {
		e.Offered = nil
	}
	return b
}

// Register notes that the Download of a batch runs: the attempt counts from here.
func Register(e *footy.Event, download string) {
	if b := find(e, func(b footy.Batch) bool { return b.Key == download }); b == nil || b.Try == 0 || b.Round != e.Round {
		return // a batch of posts tried again is no search; a batch of an earlier round does not count for this one
	}
	e.DownloadWorkflows = addNew(e.DownloadWorkflows, download)
}

// Settled reports whether the batch was consumed before.
func Settled(e *footy.Event, download string) bool {
	return slices.Contains(e.SettledWorkflows, download)
}

// Settle closes a batch: each of its posts has ended or waits by itself.
func Settle(e *footy.Event, download string) {
	e.SettledWorkflows = addNew(e.SettledWorkflows, download)
	e.Batches = slices.DeleteFunc(e.Batches, func(b footy.Batch) bool { return b.Key == download })
}

// End closes the round: no further search will come.
func End(e *footy.Event, why footy.Reason, now time.Time) (changed bool) {
	if !e.SearchEndedAt.IsZero() {
		return false
	}
	e.SearchEndedAt, e.SearchEnd = now, why
	return true
}

// Open returns the batches that still owe a settlement, oldest first.
func Open(e *footy.Event) []footy.Batch {
	var out []footy.Batch
	for _, b := range e.Batches {
		if !Settled(e, b.Key) {
			out = append(out, b)
		}
	}
	return out
}

// Complete marks the event complete if it is: enough attempts registered or the round ended, and every batch settled.
func Complete(e *footy.Event, attempts int, now time.Time) (completed bool) {
	if e.DownloadComplete || e.Removed || !e.Certain() {
		return false
	}
	enough := len(e.DownloadWorkflows) >= attempts
	if !enough && e.SearchEndedAt.IsZero() {
		return false
	}
	if len(Open(e)) > 0 {
		return false
	}
	for _, d := range e.DownloadWorkflows {
		if !Settled(e, d) {
			return false
		}
	}
	e.DownloadComplete, e.CompletedAt, e.Outcome = true, now, "ok"
	if !enough {
		why := e.SearchEnd
		if why == "" {
			why = footy.ReasonWindowOver
		}
		e.Outcome = "lost(" + string(why) + ")"
	}
	return true
}

// WindowOver reports whether the round's time is up.
func WindowOver(e *footy.Event, window time.Duration, now time.Time) bool {
	from := e.FirstSeen
	if e.RoundOpenedAt.After(from) && e.Round > 1 {
		from = e.RoundOpenedAt
	}
	return now.Sub(from) >= window
}

// Choose takes the n longest of the new candidates; an unknown duration counts as 15 s. Equal ones keep the source's order.
// It returns the chosen and those passed over.
func Choose(found []footy.Candidate, known []string, n int) (chosen, passed []footy.Candidate) {
	var fresh []footy.Candidate
	for _, c := range found {
		if !slices.Contains(known, c.PostID) && !slices.ContainsFunc(fresh, func(o footy.Candidate) bool { return o.PostID == c.PostID }) {
			fresh = append(fresh, c)
		}
	}
	slices.SortStableFunc(fresh, func(a, b footy.Candidate) int { return length(b) - length(a) })
	if len(fresh) > n {
		return fresh[:n], fresh[n:]
	}
	return fresh, nil
}

func length(c footy.Candidate) int {
	if c.DurationMS == 0 {
		return 15_000
	}
	return c.DurationMS
}

func find(e *footy.Event, match func(footy.Batch) bool) *footy.Batch {
	if i := slices.IndexFunc(e.Batches, match); i >= 0 {
		return &e.Batches[i]
	}
	return nil
}

func addNew(set []string, s string) []string {
	if slices.Contains(set, s) {
		return set
	}
	return append(set, s)
}
