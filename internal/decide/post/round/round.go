// Package round decides about the search rounds of one event: their workflow ids, how long a round searches, what to do about a
// search that died, and when the event is complete. Pure: values in, values out.
package round

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Limits say how long a round searches.
type Limits struct {
	Searches int             // usable ones wanted
	Tries    int             // searches at most, usable or not
	Window   time.Duration   // since the round was opened
	Blocked  time.Duration   // time in which nobody could look is added, up to this
	At       []time.Duration // when each usable search is due, since the round was opened

	CommentsAfter time.Duration // comments are read for a goal without a clip so long after it is certain; 0 = never
	CommentsAgain time.Duration // and a second time so long after the first
}

// Over reports whether the present round makes no further search, and why it ended short of its searches; "" if it has them all.
func (l Limits) Over(e *footy.Event, now time.Time) (why footy.Reason, over bool) {
	switch r := e.Round; {
	case l.enough(e):
		return "", true
	case !r.EndedAt.IsZero():
		return r.End, true
	case r.Tries >= l.Tries:
		return footy.ReasonTriesUsed, true
	case !now.Before(l.WindowEnd(e, now)):
		return footy.ReasonWindowOver, true
	}
	return "", false
}

func (l Limits) enough(e *footy.Event) bool { return e.Round.Searches >= l.Searches }

// WindowEnd is when the round's time is up as things are at now.
func (l Limits) WindowEnd(e *footy.Event, now time.Time) time.Time {
	from := e.FirstSeen
	if e.CertainAt.After(from) {
		from = e.CertainAt // an outage between sighting and certainty takes nothing from the search
	}
	if e.Round.OpenedAt.After(from) && e.Round.Number > 1 {
		from = e.Round.OpenedAt
	}
	blocked := e.Round.Blocked.Total + l.idle(e, now)
	if since := e.Round.Blocked.Since; !since.IsZero() {
		blocked += now.Sub(since)
	}
	return from.Add(l.Window + min(blocked, l.Blocked))
}

// idle is how long nobody tried to search, where that is longer than any pause between two searches of a round: ten minutes of a
// window of 45.
func (l Limits) idle(e *footy.Event, now time.Time) time.Duration {
	last := e.Round.SearchedAt
	for _, t := range []time.Time{e.CertainAt, e.Round.OpenedAt} {
		if t.After(last) {
			last = t
		}
	}
	if gap := now.Sub(last); !last.IsZero() && e.Round.Blocked.Since.IsZero() && gap > l.Window*2/9 {
		return gap
	}
	return 0
}

// Wait is how long to wait for the next usable search: until so long after the round's time began as At says, where time in which nobody
// could look does not count. 0 = it is due. Never longer than from the search before to this one: clocks of two machines may differ.
func (l Limits) Wait(e *footy.Event, now time.Time) time.Duration {
	n := e.Round.Searches
	if n < 1 || n >= len(l.At) {
		return 0
	}
	due := l.WindowEnd(e, now).Add(l.At[n] - l.Window)
	return max(min(due.Sub(now), l.At[n]-l.At[n-1]), 0)
}

// Answered notes that a search was answered, and whether it was usable; false if it was counted before. A time in which nobody even
// tried, because the machine slept say, counts as blocked, also then.
func (l Limits) Answered(e *footy.Event, try int, usable bool, now time.Time) bool {
	r := &e.Round
	r.Blocked.Total += l.idle(e, now)
	unblock(r, now)
	r.SearchedAt = now
	if try <= r.Tries {
		return false
	}
	if r.Tries = try; usable {
		r.Searches++
	}
	return true
}

// TakeUp marks that a TwitterWorkflow took up the event's present round. It is that workflow's first act.
func TakeUp(e *footy.Event, workflowID string) (changed bool) {
	if e.Round.TakenUpBy == workflowID {
		return false
	}
	e.Round.TakenUpBy, e.Round.Before = workflowID, ""
	return true
}

// End closes a round: no further search will come. The end of a round that is over changes nothing.
func End(e *footy.Event, ofRound int, why footy.Reason, now time.Time) (changed bool) {
	r := &e.Round
	if !r.EndedAt.IsZero() || r.Number != ofRound {
		return false
	}
	unblock(r, now)
	r.EndedAt, r.End = now, why
	return true
}

// Unshown reports whether an event lacks its first clip. One that is not certain yet does, too: its posts are fetched ahead.
func Unshown(e *footy.Event) bool { return e.Standing() && len(e.VisibleClips()) == 0 }

// Complete marks the event complete if it is: its round is over, and every post that the ledger has of it has ended.
func (l Limits) Complete(e *footy.Event, posts []footy.Post, now time.Time) (completed bool) {
	r := &e.Round
	enough := l.enough(e)
	switch {
	case e.DownloadComplete || e.Removed || !e.Certain() || !enough && r.EndedAt.IsZero():
		return false
	case slices.ContainsFunc(posts, func(p footy.Post) bool { return !p.Ended() }):
		return false
	case enough:
		r.End = ""
	case r.End == "":
		r.End = footy.ReasonWindowOver
	}
	e.DownloadComplete, e.CompletedAt = true, now
	return true
}

// Reopen makes a complete event incomplete: a sibling goal offered it a post.
func Reopen(e *footy.Event) { e.DownloadComplete, e.CompletedAt = false, time.Time{} }

// Block notes that nobody could search. The time until the next answer does not count against the window.
func Block(e *footy.Event, by string, now time.Time) (changed bool) {
	b := &e.Round.Blocked
	if !b.Since.IsZero() && b.By == by {
		return false
	}
	b.By = by
	if b.Since.IsZero() {
		b.Since = now
	}
	return true
}

func unblock(r *footy.Round, now time.Time) {
	if r.Blocked.Since.IsZero() {
		return
	}
	r.Blocked = footy.Blocked{Total: r.Blocked.Total + now.Sub(r.Blocked.Since)}
	r.SearchedAt = now
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

// WorkflowStatus is how a workflow is doing.
type WorkflowStatus string

// The statuses that are told apart.
const (
	Running WorkflowStatus = "running"
	Done    WorkflowStatus = "done" // returned a result
	Dead    WorkflowStatus = "dead" // failed, terminated, timed out, cancelled
	Missing WorkflowStatus = "missing"
)

// SearchPlan says what to do about an event's search.
type SearchPlan string

// What can be done about a search.
const (
	SearchLeave   SearchPlan = ""        // it runs, is over, or was never begun
	SearchRestart SearchPlan = "restart" // it is gone and its time is not up
	SearchEnd     SearchPlan = "end"     // it is gone and its time is up
)

// PlanSearch decides about the search of a certain event that stands. status is that of the workflow that took it up, or that is to. One
// that returned without closing the round, or without taking it up, ran before the state was restored from a backup.
func (l Limits) PlanSearch(e *footy.Event, status WorkflowStatus, now time.Time) SearchPlan {
	if e.DownloadComplete || !e.Round.EndedAt.IsZero() || status == Running {
		return SearchLeave
	}
	if !e.Round.TakenUp() {
		if status == Done { // the engine starts nothing under that id
			return SearchRestart
		}
		return SearchLeave
	}
	if _, over := l.Over(e, now); over {
		return SearchEnd
	}
	return SearchRestart
}

// readings is how often the comments of one post are read, mostLinks how many posts a goal gets from comments at most.
const (
	readings  = 2
	mostLinks = 10
)

// Comments is whose comments are to be read now for links to other copies of a goal's clip.
type Comments struct {
	Of   []footy.Post
	Done []string // posts whose comments were read, and are not due again
	Late bool     // the goal has been certain for long
	Max  int      // links that the goal may still get
}

// CommentsDue is that, of an event's posts at a place with comments; false if none are due: there is a clip, or there was one. A post that is
// gone or blocked here is due at once, others when the goal has waited.
func (l Limits) CommentsDue(e *footy.Event, posts []footy.Post, now time.Time) (Comments, bool) {
	out := Comments{Late: now.Sub(e.CertainAt) >= l.CommentsAfter, Max: mostLinks}
	if l.CommentsAfter <= 0 || !e.Certain() || e.Removed || len(e.Clips) > 0 {
		return out, false
	}
	again := map[string]bool{}
	for _, r := range e.CommentsRead {
		if r.Times == 0 {
			continue
		}
		if again[r.Post] = r.Times < readings && now.Sub(r.At) >= l.CommentsAgain; !again[r.Post] {
			out.Done = append(out.Done, r.Post)
		}
	}
	for _, p := range posts {
		switch due, was := again[p.PostID]; {
		case p.Candidate.Link != "":
			out.Max--
		case was && due, !was && (out.Late || Gone(p)):
			out.Of = append(out.Of, p)
		}
	}
	return out, out.Max > 0
}

// Gone reports whether a post's clip was removed, or is kept from this machine, as far as is known.
func Gone(p footy.Post) bool {
	return p.Reason == footy.ReasonDeleted || p.Reason == footy.ReasonGeoBlocked
}

// NoteComments writes down how comments were read.
func NoteComments(e *footy.Event, read []footy.CommentsRead) {
	for _, r := range read {
		i := slices.IndexFunc(e.CommentsRead, func(o footy.CommentsRead) bool { return o.Post == r.Post })
		if i < 0 {
			e.CommentsRead = append(e.CommentsRead, r)
			continue
		}
		if r.Failed != "" { // what an earlier answer had stays
			r.Links = e.CommentsRead[i].Links
		}
		r.Times += e.CommentsRead[i].Times
		e.CommentsRead[i] = r
	}
}
