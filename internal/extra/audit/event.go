package audit

import (
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// fixture checks that a match that is over is moved.
func (l *look) fixture() {
	f := l.Fixture
	if f.Stage == footy.StageActive && !f.TerminalSince.IsZero() && l.age(f.TerminalSince) > l.Finish {
		l.tell(FixtureUnfinished, Breach{}, "over (%s) for %s", f.Match.Status.Code, span(l.age(f.TerminalSince)))
	}
}

// event checks that a goal's search and its posts come to an end.
func (l *look) event(e *footy.Event) {
	if e.DownloadComplete && !e.Removed {
		if p := l.openOf(e); p != nil && home(e, p.PostID) == nil {
			l.tell(EventOpen, Breach{EventUID: e.UID, PostID: p.PostID}, "complete, and the post is %s", p.State)
		}
	}
	if l.Fixture.Stage != footy.StageCompleted || !e.Certain() || e.Removed || e.DownloadComplete {
		return
	}
	if !e.Round.Blocked.Since.IsZero() && e.Round.EndedAt.IsZero() {
		return // nobody can look
	}
	for _, p := range l.posts[e.UID] {
		if !p.Ended() && (p.State == footy.PostWaiting && p.Reason != "" || p.NextTry.After(l.Now)) {
			return // waits for a cause, or a worker has it
		}
	}
	if quiet := l.age(l.lastWrite(e)); quiet > l.Settle {
		l.tell(EventIncomplete, Breach{EventUID: e.UID}, "%s: nothing came of it for %s", e.ID, span(quiet))
	}
}

// lastWrite is when anything was written about the event.
func (l *look) lastWrite(e *footy.Event) time.Time {
	last := latest(e.UpdatedAt, e.CertainAt, e.Round.OpenedAt, e.Round.SearchedAt, e.Round.EndedAt, l.Fixture.CompletedAt)
	for _, p := range l.posts[e.UID] {
		last = latest(last, p.ChangedAt)
	}
	if rows := l.rows[e.UID]; len(rows) > 0 {
		last = latest(last, rows[len(rows)-1].At)
	}
	return last
}

// openOf is the first post of an event that has not ended; nil if all have.
func (l *look) openOf(e *footy.Event) *footy.Post {
	for i := range l.Posts {
		if p := &l.Posts[i]; p.EventUID == e.UID && !p.Ended() {
			return p
		}
	}
	return nil
}
