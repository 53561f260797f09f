// Package round decides about the search rounds of one event: their workflow ids and batches, what to do about
// workflows that died, and when the event is complete. Pure: values in, values out.
package round

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// TakeUp marks that a Twitter workflow took up the event's present round. It is that workflow's first act.
func TakeUp(e *footy.Event, workflowID string) (changed bool) {
	if e.SearchTakenUp && e.SearchedBy == workflowID {
		return false
	}
	e.SearchTakenUp = true
	e.SearchedBy = workflowID
	return true
}

// BatchOf returns the batch that a search of the present round was given before its answer got lost; "" if none.
func BatchOf(e *footy.Event, try int) string {
	i := slices.IndexFunc(e.Batches, func(b footy.Batch) bool { return b.Try == try && b.Round == e.Round && try > 0 })
	if i < 0 {
		return ""
	}
	return e.Batches[i].Key
}

// OpenBatch opens a batch for the posts of a search, or (try 0) for posts that are tried again. key makes the workflow id of
// number n. A search that was given a batch before gets the same one.
func OpenBatch(e *footy.Event, try int, now time.Time, key func(n int) string) footy.Batch {
	if k := BatchOf(e, try); k != "" {
		return *batchByKey(e, k)
	}
	e.DownloadSeq++
	b := footy.Batch{Key: key(e.DownloadSeq), Round: e.Round, Try: try, At: now}
	e.Batches = append(e.Batches, b)
	return b
}

// RestartBatch gives an open batch its next generation; false if it is settled or not due: another cycle was quicker.
func RestartBatch(e *footy.Event, b footy.Batch, now time.Time) (footy.Batch, bool) {
	have := batchByKey(e, b.Key)
	if have == nil || have.Generation != b.Generation {
		return b, false
	}
	have.Generation, have.At = have.Generation+1, now
	return *have, true
}

// Register notes that the Download of a batch runs: a search counts from here. Batches of posts that are tried again, or of an
// earlier round, are no searches of this one.
func Register(e *footy.Event, key string) {
	if b := batchByKey(e, key); b != nil && b.Try > 0 && b.Round == e.Round {
		e.RegisteredBatches = addNew(e.RegisteredBatches, key)
	}
}

// BatchClosed reports whether the batch was consumed before.
func BatchClosed(e *footy.Event, key string) bool { return slices.Contains(e.SettledBatches, key) }

// CloseBatch closes a batch: everything it has was handed to Upload, has ended or waits in the ledger.
func CloseBatch(e *footy.Event, key string) {
	e.SettledBatches = addNew(e.SettledBatches, key)
	e.Batches = slices.DeleteFunc(e.Batches, func(b footy.Batch) bool { return b.Key == key })
}

// End closes a round: no further search will come. The end of a round that is over changes nothing.
func End(e *footy.Event, ofRound int, why footy.Reason, now time.Time) (changed bool) {
	if !e.SearchEndedAt.IsZero() || e.Round != ofRound {
		return false
	}
	Unblock(e, now)
	e.SearchEndedAt, e.SearchEnd = now, why
	return true
}

// Complete marks the event complete if it is: enough searches registered or the round ended, every batch settled, and no post
// of it open (openPosts).
func Complete(e *footy.Event, searches, openPosts int, now time.Time) (completed bool) {
	if e.DownloadComplete || e.Removed || !e.Certain() || openPosts > 0 || len(e.Batches) > 0 {
		return false
	}
	enough := len(e.RegisteredBatches) >= searches
	if !enough && e.SearchEndedAt.IsZero() {
		return false
	}
	for _, d := range e.RegisteredBatches {
		if !BatchClosed(e, d) {
			return false
		}
	}
	e.DownloadComplete, e.CompletedAt, e.Outcome = true, now, footy.RoundOutcome{Ended: true}
	if !enough {
		why := e.SearchEnd
		if why == "" {
			why = footy.ReasonWindowOver
		}
		e.Outcome.Lost = why
	}
	return true
}

// Block notes that nobody could search; Unblock, that somebody can again. The time between does not count against the window.
func Block(e *footy.Event, by string, now time.Time) (changed bool) {
	if !e.BlockedSince.IsZero() && e.BlockedBy == by {
		return false
	}
	e.BlockedBy = by
	if e.BlockedSince.IsZero() {
		e.BlockedSince = now
	}
	return true
}

// Searched notes that a search was answered. A time in which nobody even tried, because the machine slept say, counts as
// blocked.
func (w Window) Searched(e *footy.Event, now time.Time) {
	e.Blocked += w.idle(e, now)
	Unblock(e, now)
	e.SearchedAt = now
}

// idle is how long nobody tried to search, where that is longer than any pause between two searches of a round: ten minutes of a
// window of 45.
func (w Window) idle(e *footy.Event, now time.Time) time.Duration {
	last := e.SearchedAt
	for _, t := range []time.Time{e.CertainAt, e.RoundOpenedAt} {
		if t.After(last) {
			last = t
		}
	}
	if gap := now.Sub(last); !last.IsZero() && e.BlockedSince.IsZero() && gap > w.Search*2/9 {
		return gap
	}
	return 0
}

// Unblock ends what Block began.
func Unblock(e *footy.Event, now time.Time) (changed bool) {
	if e.BlockedSince.IsZero() {
		return false
	}
	e.Blocked += now.Sub(e.BlockedSince)
	e.BlockedSince, e.BlockedBy, e.SearchedAt = time.Time{}, "", now
	return true
}

// Window is how long a round searches, and how much time in which nobody could look is added at most.
type Window struct {
	Search  time.Duration
	Blocked time.Duration
}

// Over reports whether the round's time is up.
func (w Window) Over(e *footy.Event, now time.Time) bool { return !now.Before(w.End(e, now)) }

// End is when the round's time is up as things are at now.
func (w Window) End(e *footy.Event, now time.Time) time.Time {
	from := e.FirstSeen
	if e.CertainAt.After(from) {
		from = e.CertainAt // an outage between sighting and certainty takes nothing from the search
	}
	if e.RoundOpenedAt.After(from) && e.Round > 1 {
		from = e.RoundOpenedAt
	}
	blocked := e.Blocked + w.idle(e, now)
	if !e.BlockedSince.IsZero() {
		blocked += now.Sub(e.BlockedSince)
	}
	return from.Add(w.Search + min(blocked, w.Blocked))
}

// ChooseLongest takes the n longest of the new candidates; an unknown duration counts as 15 s. Equal ones keep the source's order.
// It returns the chosen and those passed over.
func ChooseLongest(found []footy.Candidate, known func(postID string) bool, n int) (chosen, passed []footy.Candidate) {
	var fresh []footy.Candidate
	for _, c := range found {
		if !known(c.PostID) && !slices.ContainsFunc(fresh, func(o footy.Candidate) bool { return o.PostID == c.PostID }) {
			fresh = append(fresh, c)
		}
	}
	slices.SortStableFunc(fresh, func(a, b footy.Candidate) int { return durationMS(b) - durationMS(a) })
	if len(fresh) > n {
		return fresh[:n], fresh[n:]
	}
	return fresh, nil
}

func durationMS(c footy.Candidate) int {
	if c.DurationMS == 0 {
		return 15_000
	}
	return c.DurationMS
}

func batchByKey(e *footy.Event, key string) *footy.Batch {
	if i := slices.IndexFunc(e.Batches, func(b footy.Batch) bool { return b.Key == key }); i >= 0 {
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
