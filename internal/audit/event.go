package audit

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// fixture checks that stage and times of a match belong together.
func (l *look) fixture() {
	f := l.Fixture
	switch {
	case f.Stage == footy.StageCompleted && f.CompletedAt.IsZero():
		l.tell(FixtureStage, Breach{}, "completed, without the time of it")
	case f.Stage == footy.StageCompleted && f.CompletedAt.Before(f.ActivatedAt):
		l.tell(FixtureStage, Breach{}, "completed %s before it was activated", span(f.ActivatedAt.Sub(f.CompletedAt)))
	case f.Stage != footy.StageCompleted && !f.CompletedAt.IsZero():
		l.tell(FixtureStage, Breach{}, "%s, with a time of completion", f.Stage)
	case f.Stage == footy.StageActive && f.ActivatedAt.IsZero():
		l.tell(FixtureStage, Breach{}, "active, without the time of it")
	case f.Stage == footy.StageStaging && !f.ActivatedAt.IsZero():
		l.tell(FixtureStage, Breach{}, "staging, with a time of activation")
	case f.Stage == footy.StageActive && !f.TerminalSince.IsZero() && l.age(f.TerminalSince) > l.Finish:
		l.tell(FixtureUnfinished, Breach{}, "over (%s) for %s", f.Match.Status.Code, span(l.age(f.TerminalSince)))
	}
	if slices.ContainsFunc(f.Events, func(e footy.Event) bool { return fromLedger(&e) }) {
		l.moves()
	}
}

// event checks that a goal's search and its batches come to an end.
func (l *look) event(e *footy.Event) {
	for _, b := range e.Batches {
		l.batch(e, b)
	}
	if l.Fixture.Stage != footy.StageCompleted || !e.Certain() || e.Removed || e.DownloadComplete {
		return
	}
	if !e.BlockedSince.IsZero() && e.SearchEndedAt.IsZero() {
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
	last := latest(e.UpdatedAt, e.CertainAt, e.RoundOpenedAt, e.SearchEndedAt, l.Fixture.CompletedAt)
	for _, b := range e.Batches {
		last = latest(last, b.At)
	}
	for _, p := range l.posts[e.UID] {
		last = latest(last, p.ChangedAt)
	}
	if rows := l.rows[e.UID]; len(rows) > 0 {
		last = latest(last, rows[len(rows)-1].At)
	}
	return last
}

func (l *look) batch(e *footy.Event, b footy.Batch) {
	at := Breach{EventUID: e.UID, Key: b.Key}
	open, last, published := false, b.At, b.At
	for _, p := range l.posts[e.UID] {
		switch {
		case p.Ended(): // the goal's Upload takes batches one after the other: this one may wait behind
			published = latest(published, p.ChangedAt)
		case p.Batch == b.Key:
			open, last = true, latest(last, p.ChangedAt)
		}
	}
	switch age := l.age(last); {
	case slices.Contains(e.SettledBatches, b.Key):
		l.tell(BatchSettled, at, "%s", b.Key)
	case !open && l.age(published) > l.Overdue:
		l.tell(BatchEmpty, at, "%s, begun %s ago", b.WorkflowID(), span(age))
	case age > l.Batch:
		l.tell(BatchOverdue, at, "%s, nothing came of it for %s", b.WorkflowID(), span(age))
	}
}
