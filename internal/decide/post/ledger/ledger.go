// Package ledger moves the record of one post of one event. A post has one state; Advance is the only way to another one, over
// the table in table.go. Only a fact about the post ends it; trouble makes it wait. Pure: values in, values out.
package ledger

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// ErrIllegal is in every error of Advance: the table has no such move. The record is as it was.
var ErrIllegal = errors.New("illegal move of a post")

// Advance applies one move to a post. It returns the post as it is afterwards and the log rows of the move; both are
// to be written in one step. A move that the table does not have for the post's state is refused with ErrIllegal.
func Advance(p footy.Post, m Move, now time.Time, d Delays) (footy.Post, []footy.Entry, error) {
	r, err := legal(p, m, now, d)
	if err != nil {
		return p, nil, err
	}
	before := p
	r.do(&p, m, now, d)
	if p.State != before.State {
		p.ChangedAt = now
	}
	if p.Ended() {
		p.NextTry = time.Time{}
	}
	row, has := logRow(r.row, before, p, m, now)
	if !has {
		return p, nil, nil
	}
	return p, []footy.Entry{row}, nil
}

// Moved is Advance of one move, as the store asks for it.
func Moved(m Move, now time.Time, d Delays) func(footy.Post) (footy.Post, []footy.Entry, error) {
	return func(p footy.Post) (footy.Post, []footy.Entry, error) { return Advance(p, m, now, d) }
}

// legal finds the rule of the table for a move, or says why there is none.
func legal(p footy.Post, m Move, now time.Time, d Delays) (rule, error) {
	for _, r := range table {
		if r.move != m.kind || !slices.Contains(r.from, p.State) {
			continue
		}
		if r.held && (p.Download != m.by || m.by == "") {
			return r, fmt.Errorf("%w: %s of %s by %s, which %s has", ErrIllegal, m.kind, p.State, orNobody(m.by), orNobody(p.Download))
		}
		if m.kind == Claimed && !Near(p, now, d) && (p.Download != m.by || p.State == waiting) {
			return r, fmt.Errorf("%w: %s of %s by %s, and it is %s's until %s", ErrIllegal, m.kind, p.State, m.by, orNobody(p.Download), p.NextTry.UTC().Format(time.TimeOnly))
		}
		return r, nil
	}
	return rule{}, fmt.Errorf("%w: %s of a post that is %s", ErrIllegal, m.kind, p.State)
}

func orNobody(download string) string {
	if download == "" {
		return "nobody"
	}
	return download
}

// Found makes the record of a post that a search found and chose, for the Download that is started for it.
func Found(fixture int64, e footy.Event, c footy.Candidate, by Search, download string, now time.Time, d Delays) (footy.Post, footy.Entry) {
	p := found(fixture, e, c, by, now)
	p.State, p.Download, p.NextTry = footy.PostOffered, download, now.Add(d.Lease)
	return p, candidateRow(p, "", footy.ReasonNone, now)
}

// PassedOver makes the record of a post that a search found, and of which it chose longer ones.
func PassedOver(fixture int64, e footy.Event, c footy.Candidate, by Search, now time.Time) (footy.Post, footy.Entry) {
	p := found(fixture, e, c, by, now)
	p.State, p.Reason = footy.PostPassed, footy.ReasonNotChosen
	return p, candidateRow(p, string(footy.ReasonNotChosen), footy.ReasonNotChosen, now)
}

// Offered makes the record of a post that a sibling goal passes on: it is due at once.
func Offered(fixture int64, e footy.Event, c footy.Candidate, now time.Time) (footy.Post, footy.Entry) {
	p := found(fixture, e, c, Search{Round: e.Round.Number}, now)
	p.State, p.NextTry = footy.PostOffered, now
	return p, candidateRow(p, "offered", footy.ReasonNone, now)
}

// Search is one search of an event.
type Search struct {
	Round int
	Try   int
}

func found(fixture int64, e footy.Event, c footy.Candidate, by Search, now time.Time) footy.Post {
	return footy.Post{EventUID: e.UID, PostID: c.PostID, FixtureID: fixture, Candidate: c, Round: by.Round, Try: by.Try, FirstSeen: now, ChangedAt: now}
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

// Near reports whether a Download of the post's event may take the post: it has not ended, and its time has come, or nearly so where it
// waits and is not in doubt since just now. Posts of one goal that fail alike are thus soon tried by one Download, and not by one each.
// Where a Download begins the goal is certain and stands, or its next step finds out: what waits for that is free at any time.
func Near(p footy.Post, now time.Time, d Delays) bool {
	if p.State == waiting && p.Reason.AwaitsGoal() {
		return true
	}
	if p.State == waiting && (p.Suspicion == nil || now.Sub(p.Suspicion.At) >= d.Confirm) {
		now = now.Add(d.After(p.Tries) / 4)
	}
	return !p.Ended() && !p.NextTry.After(now)
}

// Delays say how long a post is not touched.
type Delays struct {
	First   time.Duration `json:"first"`   // after the first trouble; doubles with each further one
	Usual   time.Duration `json:"usual"`   // from here on it grows by an eighth: by an eighth of the time that the trouble has lasted
	Longest time.Duration `json:"longest"` // at most
	Confirm time.Duration `json:"confirm"` // before "deleted" or "blocked here" is believed
	Unfit   time.Duration `json:"unfit"`   // before a file that alone meets a trouble is given up
	Lease   time.Duration `json:"lease"`   // a worker without a sign of life for so long may be dead
}

// DefaultDelays are the product's own numbers.
func DefaultDelays() Delays {
	return Delays{First: 30 * time.Second, Usual: 15 * time.Minute, Longest: time.Hour, Confirm: 10 * time.Minute, Unfit: 24 * time.Hour, Lease: 2 * time.Minute}
}

// Scaled divides every delay by n.
func (d Delays) Scaled(n int) Delays {
	for _, each := range []*time.Duration{&d.First, &d.Usual, &d.Longest, &d.Confirm, &d.Unfit, &d.Lease} {
		*each /= time.Duration(n)
	}
	return d
}

// TurnEvery is how often one post is fetched where fetching rests.
func (d Delays) TurnEvery() time.Duration { return d.Usual / 3 }

// Rest is how long a post waits at most for its next try, as it is.
func (d Delays) Rest(p footy.Post) time.Duration {
	if p.State != waiting {
		return d.Lease
	}
	return max(d.After(p.Tries), d.Usual, d.Confirm)
}

// After is the delay after the n-th trouble in a row.
func (d Delays) After(n int) time.Duration {
	delay := d.First
	for i := 1; i < n && delay < d.Longest; i++ {
		if delay < d.Usual {
			delay = min(2*delay, d.Usual)
		} else {
			delay += delay / 8
		}
	}
	return min(delay, d.Longest)
}
