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
// must not lose or double a batch). id makes the workflow id of number n.
func Allocate(e *footy.Event, try int, found []footy.Candidate, now time.Time, id func(n int) string) footy.Attempt {
	if a := find(e, func(a footy.Attempt) bool { return a.Try == try && a.Round == e.Round && try > 0 }); a != nil {
		return *a
	}
	e.DownloadSeq++
	a := footy.Attempt{Download: id(e.DownloadSeq), Round: e.Round, Try: try, At: now, Candidates: found}
	e.Attempts = append(e.Attempts, a)
	for _, c := range found {
		e.DiscoveredVideos = addNew(e.DiscoveredVideos, c.PostID)
	}
	e.Offered = nil
	return a
}

// AllocateOwed opens a new batch for media whose verdict is owed and closes the old ones; nil if none is owed.
func AllocateOwed(e *footy.Event, now time.Time, id func(n int) string) *footy.Attempt {
	var media []footy.Media
	e.Attempts = slices.DeleteFunc(e.Attempts, func(a footy.Attempt) bool {
		if a.Owed {
			media = append(media, a.Media...)
		}
		return a.Owed
	})
	if len(media) == 0 {
		return nil
	}
	e.DownloadSeq++
	a := footy.Attempt{Download: id(e.DownloadSeq), Round: e.Round, At: now, Media: media}
	e.Attempts = append(e.Attempts, a)
	return &a
}

// Register notes that the Download of a batch runs: the attempt counts from here.
func Register(e *footy.Event, download string) {
	if a := find(e, func(a footy.Attempt) bool { return a.Download == download }); a == nil || a.Try == 0 || a.Round != e.Round {
		return // a batch offered again is no search; a batch of an earlier round does not count for this one
	}
	e.DownloadWorkflows = addNew(e.DownloadWorkflows, download)
}

// Settled reports whether the batch was consumed before.
func Settled(e *footy.Event, download string) bool {
	return slices.Contains(e.SettledWorkflows, download)
}

// Settle closes a batch: it was published, or lost with its reason. owed media are kept for a later verdict.
func Settle(e *footy.Event, download string, owed []footy.Media) {
	e.SettledWorkflows = addNew(e.SettledWorkflows, download)
	e.Attempts = slices.DeleteFunc(e.Attempts, func(a footy.Attempt) bool { return a.Download == download })
	if len(owed) > 0 {
		e.Attempts = append(e.Attempts, footy.Attempt{Download: download, Round: e.Round, Media: owed, Owed: true})
	}
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
func Open(e *footy.Event) []footy.Attempt {
	var out []footy.Attempt
	for _, a := range e.Attempts {
		if !a.Owed && !Settled(e, a.Download) {
			out = append(out, a)
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

func find(e *footy.Event, match func(footy.Attempt) bool) *footy.Attempt {
	if i := slices.IndexFunc(e.Attempts, match); i >= 0 {
		return &e.Attempts[i]
	}
	return nil
}

func addNew(set []string, s string) []string {
	if slices.Contains(set, s) {
		return set
	}
	return append(set, s)
}
