package audit

import (
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// post checks one record of the ledger.
func (l *look) post(p *footy.Post) {
	e := l.eventOf(p.EventUID)
	at := Breach{EventUID: p.EventUID, PostID: p.PostID, ClipID: p.ClipID}
	switch {
	case !slices.Contains(footy.PostStates, p.State): // no rule says what comes next
		l.tell(PostState, at, "its state is %q", p.State)
	case !p.Ended():
		l.openPost(p, e, at)
	case e == nil || p.State == footy.PostPassed || p.State == footy.PostRefused: // a placeholder that is gone takes nothing with it
	default:
		l.publishedPost(p, e, at)
	}
}

func (l *look) openPost(p *footy.Post, e *footy.Event, at Breach) {
	over := l.age(p.NextTry)
	if e == nil || e.Removed && e.Swept { // reconcile ends it when it is due
		if p.NextTry.IsZero() || over > l.Overdue {
			l.tell(PostEvent, at, "%s since %s", p.State, span(l.age(p.ChangedAt)))
		}
		return
	}
	if c := home(e, p.PostID); c != nil && p.Reason != footy.ReasonGoalRemoved {
		at.ClipID = c.ID
		l.tell(PostNotClosed, at, "%s, and clip %s counts it", p.State, c.ID)
		return
	}
	switch {
	case over < -l.Ahead || over < -l.Overdue && p.State != footy.PostWaiting:
		l.tell(PostNextTry, at, "%s, its next try is %s ahead", p.State, span(-over))
	case over > l.Overdue:
		l.tell(PostOverdue, at, "%s, its next try was %s ago", p.State, span(over))
	case p.State != footy.PostWaiting && l.Fixture.Stage == footy.StageCompleted &&
		l.age(latest(l.Fixture.CompletedAt, p.ChangedAt)) > l.Late:
		l.tell(PostLate, at, "%s for %s and waits for nothing", p.State, span(l.age(p.ChangedAt)))
	}
}

// publishedPost checks that a clip counts a post that was published or merged.
func (l *look) publishedPost(p *footy.Post, e *footy.Event, at Breach) {
	if e.Swept || len(e.Clips) == 0 && l.restoredAfter(e.UID, p.ChangedAt) {
		return // its clips are deleted
	}
	switch c := home(e, p.PostID); {
	case c == nil:
		l.tell(PostClip, at, "%s, but no clip of the goal counts it", p.State)
	case standsFor(e, p.ClipID) != standsFor(e, c.ID):
		l.tell(PostClip, at, "%s as clip %s, but clip %s counts it", p.State, p.ClipID, c.ID)
	}
}
