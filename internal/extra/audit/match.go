package audit

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
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
	prints  map[string]map[string]footy.Fingerprint
	out     []Breach
}

func newLook(m Match, objects Objects, o Options) *look {
	l := &look{Options: o, Match: m, objects: objects, posts: map[string]map[string]*footy.Post{}, rows: map[string][]footy.Entry{},
		prints: map[string]map[string]footy.Fingerprint{}}
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
		if l.prints[p.EventUID] == nil {
			l.prints[p.EventUID] = map[string]footy.Fingerprint{}
		}
		l.prints[p.EventUID][p.ClipID] = p.Fingerprint
	}
	return l
}

// tell adds a breach.
func (l *look) tell(c Check, b Breach, format string, args ...any) {
	b.Check, b.FixtureID, b.Detail, b.Remedy = c, l.Fixture.ID, fmt.Sprintf(format, args...), c.Remedy()
	l.out = append(l.out, b)
}

func (l *look) age(t time.Time) time.Duration { return l.Now.Sub(t) }

// eventOf finds an event by its uid alone.
func (l *look) eventOf(uid string) *footy.Event {
	for i := range l.Fixture.Events {
		if l.Fixture.Events[i].UID == uid {
			return &l.Fixture.Events[i]
		}
	}
	return nil
}

// home is the clip that counts the post.
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

// span writes an age for people.
func span(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	}
	return fmt.Sprintf("%d s", int(d.Seconds()))
}

// sorted puts breaches into the order in which they are told.
func sorted(list []Breach) []Breach {
	slices.SortStableFunc(list, func(a, b Breach) int {
		return cmp.Or(cmp.Compare(a.Check.place(), b.Check.place()), cmp.Compare(a.FixtureID, b.FixtureID),
			cmp.Compare(a.EventUID, b.EventUID), cmp.Compare(a.PostID, b.PostID), cmp.Compare(a.ClipID, b.ClipID), cmp.Compare(a.Key, b.Key))
	})
	return list
}
