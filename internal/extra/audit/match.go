package audit

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Match is everything the store holds of one fixture.
type Match struct {
	Fixture footy.Fixture
	Posts   []footy.Post
	Rows    []footy.Entry // in time order
	Prints  []footy.StoredFingerprint
}

// Objects are the stored objects by key.
type Objects map[string]blob.Attributes

// CheckMatch finds the breaches of one fixture.
func CheckMatch(m Match, objects Objects, o Options) []Breach {
	l := newLook(m, objects, o)
	l.fixture()
	for i := range m.Posts {
		l.post(&m.Posts[i])
	}
	for i := range m.Fixture.Events {
		l.event(&m.Fixture.Events[i])
		l.clips(&m.Fixture.Events[i])
	}
	return l.out
}

// look is one fixture, prepared for looking things up.
type look struct {
	Options
	Match
	objects Objects
	posts   map[string]map[string]*footy.Post // by event and post
	rows    map[string][]footy.Entry          // by event
	prints  map[[2]string]bool                // events and clips that have one
	out     []Breach
}

func newLook(m Match, objects Objects, o Options) *look {
	l := &look{Options: o, Match: m, objects: objects, posts: map[string]map[string]*footy.Post{}, rows: map[string][]footy.Entry{},
		prints: map[[2]string]bool{}}
	for i := range m.Posts {
		p := &m.Posts[i]
		if l.posts[p.EventUID] == nil {
			l.posts[p.EventUID] = map[string]*footy.Post{}
		}
		l.posts[p.EventUID][p.PostID] = p
	}
	for _, r := range m.Rows {
		l.rows[r.EventUID] = append(l.rows[r.EventUID], r)
	}
	for _, p := range m.Prints {
		l.prints[[2]string{p.EventUID, p.ClipID}] = true
	}
	return l
}

func (l *look) tell(c Check, b Breach, format string, args ...any) {
	b.Check, b.FixtureID, b.Detail, b.Remedy = c, l.Fixture.ID, fmt.Sprintf(format, args...), remedies[c]
	l.out = append(l.out, b)
}

func (l *look) age(t time.Time) time.Duration { return l.Now.Sub(t) }

func home(e *footy.Event, post string) *footy.Clip {
	for i := range e.Clips {
		if slices.Contains(e.Clips[i].Posts, post) {
			return &e.Clips[i]
		}
	}
	return nil
}

// standsFor is the clip that stands for this one now.
func standsFor(e *footy.Event, id string) string {
	all := append([]string{id}, e.Replacements(id)...)
	return all[len(all)-1]
}

// restoredAfter reports whether a goal came back after that time: if its bytes had been deleted, it began anew.
func (l *look) restoredAfter(uid string, t time.Time) bool {
	return slices.ContainsFunc(l.rows[uid], func(r footy.Entry) bool { return r.Kind == footy.EntryRestored && !r.At.Before(t) })
}

func latest(times ...time.Time) time.Time {
	return slices.MaxFunc(append(times, time.Time{}), time.Time.Compare)
}

// sorted puts breaches into the order in which they are told.
func sorted(list []Breach) []Breach {
	slices.SortStableFunc(list, func(a, b Breach) int {
		return cmp.Or(cmp.Compare(a.Check, b.Check), cmp.Compare(a.FixtureID, b.FixtureID),
			cmp.Compare(a.EventUID, b.EventUID), cmp.Compare(a.PostID, b.PostID), cmp.Compare(a.ClipID, b.ClipID), cmp.Compare(a.Key, b.Key))
	})
	return list
}

func (l *look) fixture() {
	f := l.Fixture
	if f.Stage == footy.StageActive && !f.TerminalSince.IsZero() && l.age(f.TerminalSince) > l.Finish {
		l.tell(FixtureUnfinished, Breach{}, "over (%s) for %s", f.Match.Status.Code, explain.Span(l.age(f.TerminalSince)))
	}
}

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
		l.tell(EventIncomplete, Breach{EventUID: e.UID}, "%s: nothing came of it for %s", e.ID, explain.Span(quiet))
	}
}

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

func (l *look) post(p *footy.Post) {
	e := l.Fixture.Event(p.EventUID)
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
			l.tell(PostEvent, at, "%s since %s", p.State, explain.Span(l.age(p.ChangedAt)))
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
		l.tell(PostNextTry, at, "%s, its next try is %s ahead", p.State, explain.Span(-over))
	case over > l.Overdue:
		l.tell(PostOverdue, at, "%s, its next try was %s ago", p.State, explain.Span(over))
	case p.State != footy.PostWaiting && l.Fixture.Stage == footy.StageCompleted &&
		l.age(latest(l.Fixture.CompletedAt, p.ChangedAt)) > l.Late:
		l.tell(PostLate, at, "%s for %s and waits for nothing", p.State, explain.Span(l.age(p.ChangedAt)))
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

// clips checks the clips of one event against objects, fingerprints and ledger.
func (l *look) clips(e *footy.Event) {
	if e.Swept { // about to be struck from the record
		return
	}
	for _, c := range e.Clips {
		at := Breach{EventUID: e.UID, ClipID: c.ID}
		if !c.Swept {
			l.bytes(c, at)
			l.kept(e, c, at)
		}
		for _, id := range c.Posts {
			at.PostID = id
			switch p := l.posts[e.UID][id]; {
			case p == nil:
				l.tell(ClipPost, at, "the ledger has no record of it")
			case p.State == footy.PostRefused || p.State == footy.PostPassed:
				l.tell(ClipPost, at, "%s by the ledger: %s", p.State, p.Reason)
			}
		}
	}
}

func (l *look) bytes(c footy.Clip, at Breach) {
	missing := func(check Check, key string) {
		at.Key = key
		l.tell(check, at, "%s is not there", key)
	}
	switch o, there := l.objects[c.Key]; {
	case !there:
		missing(ClipBytes, c.Key)
	case c.Size > 0 && o.Size != c.Size:
		at.Key = c.Key
		l.tell(ClipBytes, at, "%s has %d bytes instead of %d", c.Key, o.Size, c.Size)
	}
	if _, there := l.objects[c.PosterKey]; c.PosterKey != "" && !there {
		missing(ClipPoster, c.PosterKey)
	}
	if !l.prints[[2]string{at.EventUID, c.ID}] {
		at.Key = ""
		l.tell(ClipFingerprint, at, "no fingerprint is stored")
	}
}

// kept finds what Monitor's sweep should have deleted: the clips of a removed goal, and retired copies of a complete one.
func (l *look) kept(e *footy.Event, c footy.Clip, at Breach) {
	switch {
	case e.Removed && l.age(e.RemovedAt) > l.Removed:
		l.tell(ClipKept, at, "the goal was removed %s ago", explain.Span(l.age(e.RemovedAt)))
	case !e.Removed && e.DownloadComplete && c.ReplacedBy != "" && l.age(l.lastWrite(e)) > l.Grace:
		l.tell(ClipKept, at, "replaced by %s, and the goal is complete for %s", c.ReplacedBy, explain.Span(l.age(e.CompletedAt)))
	}
}
