package audit

import (
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
)

// moves pairs the end of a match with its row.
func (l *look) moves() {
	f := l.Fixture
	last := footy.Entry{}
	for _, r := range l.rows[""] {
		if r.Kind == footy.EntryActivated || r.Kind == footy.EntryRescheduled || r.Kind == footy.EntryCompleted {
			last = r
		}
	}
	switch {
	case f.Stage == footy.StageCompleted && !f.ActivatedAt.IsZero() && last.Kind != footy.EntryCompleted:
		l.missing(footy.Entry{At: f.CompletedAt, Kind: footy.EntryCompleted}, "the match was completed")
	case f.Stage != footy.StageCompleted && last.Kind == footy.EntryCompleted:
		l.alone(last, "the match is "+string(f.Stage))
	}
}

// pairs checks that what happened to an event is told, and that what is told happened.
func (l *look) pairs(e *footy.Event) {
	rows := l.rows[e.UID]
	l.certain(e, rows)
	l.removed(e, rows)
	l.completed(e, rows)
	l.published(e, rows)
	l.refused(e, rows)
}

func (l *look) certain(e *footy.Event, rows []footy.Entry) {
	i := slices.IndexFunc(rows, func(r footy.Entry) bool { return r.Kind == footy.EntryCertain })
	switch {
	case e.Certain() && i < 0:
		l.missing(footy.Entry{EventUID: e.UID, At: e.CertainAt, Kind: footy.EntryCertain}, "it became certain")
	case !e.Certain() && i >= 0:
		l.alone(rows[i], "the goal is not certain")
	}
}

// removed counts, for times do not tell what came last: while a clock was ahead, a removal is dated after the return that followed it.
func (l *look) removed(e *footy.Event, rows []footy.Entry) {
	var gone, back int
	var last footy.Entry
	for _, r := range rows {
		switch {
		case r.Kind == footy.EntryRemoved:
			gone, last = gone+1, r
		case r.BringsBack():
			back++
		}
	}
	switch {
	case e.Removed && gone <= back:
		l.missing(footy.Entry{EventUID: e.UID, At: e.RemovedAt, Kind: footy.EntryRemoved}, "it was removed")
	case !e.Removed && gone > back:
		l.alone(last, "the goal stands")
	}
}

func (l *look) completed(e *footy.Event, rows []footy.Entry) {
	should := footy.CompletedEntry(l.Fixture.ID, *e, e.CompletedAt)
	i := slices.IndexFunc(rows, func(r footy.Entry) bool { return r.Key == should.Key })
	switch {
	case e.DownloadComplete && i < 0:
		l.missing(should, "it was completed")
	case !e.DownloadComplete && i >= 0 && l.openOf(e) == nil && !l.restoredAfter(e.UID, rows[i].At): // a sibling goal may have offered it a post since
		l.alone(rows[i], "the goal is not complete")
	}
}

// published pairs clips with the rows of their publication.
func (l *look) published(e *footy.Event, rows []footy.Entry) {
	told := map[string]bool{}
	for _, r := range rows {
		if r.Kind != footy.EntryClip && r.Kind != footy.EntryMerged {
			continue
		}
		told[r.ClipID] = true
		_, redirected := e.Redirects[r.ClipID]
		if e.Clip(r.ClipID) == nil && !redirected && !e.Swept && !l.restoredAfter(e.UID, r.At) {
			l.alone(r, "there is no such clip")
		}
	}
	for _, c := range e.Clips {
		if told[c.ID] {
			continue
		}
		row := footy.Entry{EventUID: e.UID, ClipID: c.ID, At: c.AddedAt, Kind: footy.EntryClip}
		if c.ReplacedBy != "" {
			row.Kind = footy.EntryMerged
		}
		l.missing(row, "the clip was published")
	}
}

// refused pairs refused posts with their rows.
func (l *look) refused(e *footy.Event, rows []footy.Entry) {
	type end struct {
		post string
		why  footy.Reason
	}
	told := map[end]bool{}
	for _, r := range rows {
		if r.Kind != footy.EntryRejected || r.PostID == "" {
			continue
		}
		told[end{r.PostID, r.Reason}] = true
		p := l.posts[e.UID][r.PostID]
		switch {
		case r.Reason == footy.ReasonDuplicate: // tells of a post that counts for another's clip
			if p != nil && p.State == footy.PostRefused {
				l.alone(r, "the post was refused")
			}
		case p == nil:
			l.alone(r, "the ledger has no record of the post")
		case p.State != footy.PostRefused || p.Reason != r.Reason:
			l.alone(r, fmt.Sprintf("the post is %s %s", p.State, p.Reason))
		}
	}
	for _, p := range l.posts[e.UID] {
		if p.State != footy.PostRefused || ledger.Untold(p.Reason) || p.Reason == "" || told[end{p.PostID, p.Reason}] {
			continue
		}
		l.missing(footy.Entry{EventUID: e.UID, PostID: p.PostID, At: p.ChangedAt, Kind: footy.EntryRejected}, "the post was refused: "+string(p.Reason))
	}
}

// missing reports an effect that no row of that kind tells.
func (l *look) missing(row footy.Entry, what string) {
	l.tell(RowMissing, Breach{EventUID: row.EventUID, PostID: row.PostID, ClipID: row.ClipID, Key: row.Key}, "%s %s, no %s row tells it",
		what, row.At.UTC().Format(time.DateTime), row.Kind)
}

func (l *look) alone(row footy.Entry, but string) {
	l.tell(RowAlone, Breach{EventUID: row.EventUID, PostID: row.PostID, ClipID: row.ClipID, Key: row.Key}, "%s, but %s", row.Kind, but)
}
