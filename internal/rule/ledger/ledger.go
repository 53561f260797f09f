// Package ledger decides about one post of one event: which step comes next, what ends it, and how long it waits when
// something else is in trouble. Only a fact about the post ends it. Pure: values in, values out.
package ledger

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Delays say how long a post is not touched.
type Delays struct {
	First   time.Duration `json:"first"`   // after the first trouble; doubles with each further one
	Longest time.Duration `json:"longest"` // at most
	Confirm time.Duration `json:"confirm"` // before "deleted" or "blocked here" is believed
	Lease   time.Duration `json:"lease"`   // a worker without a sign of life for so long may be dead
}

// DefaultDelays are the product's own numbers.
func DefaultDelays() Delays {
	return Delays{First: 30 * time.Second, Longest: 15 * time.Minute, Confirm: 10 * time.Minute, Lease: 2 * time.Minute}
}

// Scaled divides every delay by n.
func (d Delays) Scaled(n int) Delays {
	for _, each := range []*time.Duration{&d.First, &d.Longest, &d.Confirm, &d.Lease} {
		*each /= time.Duration(n)
	}
	return d
}

// After is the delay after the n-th trouble in a row.
func (d Delays) After(n int) time.Duration {
	delay := d.First
	for i := 1; i < n && delay < d.Longest; i++ {
		delay *= 2
	}
	return min(delay, d.Longest)
}

// Step is what has to be done next with a post.
type Step string

// The steps.
const (
	StepFetch   Step = "fetch"
	StepJudge   Step = "judge"
	StepPublish Step = "publish"
	StepNone    Step = "" // it has ended
)

// NextStep tells what has to be done next; where a post waits, what it waits to do.
func NextStep(p footy.Post) Step {
	switch {
	case p.Ended():
		return StepNone
	case p.ClipID != "" || p.Verdict != nil:
		return StepPublish
	case p.Media != nil:
		return StepJudge
	}
	return StepFetch
}

// NewPost is the record of a post that was found, or that a sibling goal offers (try 0). It is due at once.
func NewPost(fixture int64, e footy.Event, c footy.Candidate, try int, now time.Time) footy.Post {
	return footy.Post{EventUID: e.UID, PostID: c.PostID, FixtureID: fixture, State: footy.PostOffered, Candidate: c,
		Round: e.Round, Try: try, FirstSeen: now, ChangedAt: now, NextTry: now}
}

// Take gives a post to a batch. It is refused where it has ended, or where another open batch has it.
func Take(p *footy.Post, batch string, open []footy.Batch, now time.Time, d Delays) bool {
	if p.Ended() || p.Batch != batch && !Free(*p, open, now) {
		return false
	}
	p.Batch, p.NextTry = batch, now.Add(d.Lease)
	if NextStep(*p) == StepFetch {
		setState(p, footy.PostFetching, now)
	}
	return true
}

// Free reports whether a batch may take the post: its time has come and no open batch has it.
func Free(p footy.Post, open []footy.Batch, now time.Time) bool {
	held := slices.ContainsFunc(open, func(b footy.Batch) bool { return b.Key == p.Batch })
	return !p.Ended() && !held && !p.NextTry.After(now)
}

// ExtendLease notes that the batch that has the post is still at work.
func ExtendLease(p *footy.Post, now time.Time, d Delays) { p.NextTry = now.Add(d.Lease) }

// Fetched notes that the bytes are staged.
func Fetched(p *footy.Post, m footy.Media, now time.Time, d Delays) {
	p.Media, p.NextTry = &m, now.Add(d.Lease)
	clearTrouble(p)
	setState(p, footy.PostFetched, now)
}

// SameBytes notes that the file is byte for byte the clip: no verdict is needed, the post supports it.
func SameBytes(p *footy.Post, clip string, now time.Time, d Delays) {
	p.ClipID, p.NextTry = clip, now.Add(d.Lease)
	clearTrouble(p)
	setState(p, footy.PostJudged, now)
}

// Judged notes a verdict: an accepted post goes on, a rejected one ends.
func Judged(p *footy.Post, v footy.Verdict, now time.Time, d Delays) {
	p.Verdict, p.NextTry = &v, now.Add(d.Lease)
	clearTrouble(p)
	if v.Outcome == footy.OutcomeRejected {
		Refuse(p, v.Reason, v.Detail, now)
		return
	}
	setState(p, footy.PostJudged, now)
}

// Refuse ends a post with its reason.
func Refuse(p *footy.Post, why footy.Reason, detail string, now time.Time) {
	clearTrouble(p)
	p.NextTry = time.Time{}
	p.Reason, p.Detail = why, detail
	setState(p, footy.PostRefused, now)
}

// Wait makes a post wait because of trouble that is not its own. The delay grows with each try.
func Wait(p *footy.Post, cause footy.Reason, detail string, now time.Time, d Delays) {
	if p.WaitingSince.IsZero() {
		p.WaitingSince = now
	}
	p.Tries++
	p.Reason, p.Detail = cause, detail
	p.NextTry = now.Add(d.After(p.Tries))
	setState(p, footy.PostWaiting, now)
}

// Suspect handles an answer that says the post is deleted or blocked here. A blocked address gets that answer for every
// post: it is believed when it comes again after a while and another post could be fetched meanwhile.
func Suspect(p *footy.Post, why footy.Reason, detail string, now time.Time, d Delays, fetchedSince func(time.Time) bool) {
	if p.Suspicion == nil || p.Suspicion.Reason != why {
		p.Suspicion = &footy.Suspicion{Reason: why, At: now}
	} else if now.Sub(p.Suspicion.At) >= d.Confirm && fetchedSince(p.Suspicion.At) {
		Refuse(p, why, detail, now)
		return
	}
	Wait(p, why, detail, now, d)
	if first := p.Suspicion.At.Add(d.Confirm); p.NextTry.Before(first) {
		p.NextTry = first // a try before that could decide nothing
	}
}

// Unstaged sends a post back to be fetched: its staged bytes are gone.
func Unstaged(p *footy.Post, detail string, now time.Time, d Delays) {
	p.Media, p.Verdict = nil, nil
	Wait(p, footy.ReasonStorage, detail, now, d)
}

// Retry makes a waiting post due at once: an operator asks.
func Retry(p *footy.Post, now time.Time) bool {
	if p.Ended() {
		return false
	}
	p.NextTry, p.Tries = now, 0
	return true
}

// Publish ends a post by what the event's clips say: its own file is a clip, or another clip replaces it. It answers
// false while no clip counts the post. A post that was merged before is found again by the clip that counts it.
func Publish(p *footy.Post, e footy.Event, now time.Time) bool {
	i := slices.IndexFunc(e.Clips, func(c footy.Clip) bool { return slices.Contains(c.Posts, p.PostID) })
	if i < 0 {
		return false
	}
	c := &e.Clips[i]
	state := footy.PostPublished
	if c.ReplacedBy != "" || c.Posts[0] != p.PostID {
		state = footy.PostMerged
	}
	clearTrouble(p)
	p.ClipID, p.NextTry = c.ID, time.Time{}
	if c.ReplacedBy != "" {
		p.ClipID = c.ReplacedBy
	}
	setState(p, state, now)
	return true
}

// clearTrouble ends the trouble: a step succeeded.
func clearTrouble(p *footy.Post) {
	p.Reason, p.Detail, p.Tries, p.WaitingSince, p.Suspicion = "", "", 0, time.Time{}, nil
}

func setState(p *footy.Post, s footy.PostState, now time.Time) { p.State, p.ChangedAt = s, now }
