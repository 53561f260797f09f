package audit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// Run looks at the whole state and changes nothing. A running footy may be between two steps: what is found is looked at
// again, and only what is still so is told.
func Run(ctx context.Context, s store.Store, b blob.Store, o Options) (Report, error) {
	pinned := o.Now
	if pinned.IsZero() {
		o.Now = time.Now()
	}
	first, err := once(ctx, s, b, o)
	if err != nil || len(first.Breaches) == 0 || o.Again <= 0 {
		return first, err
	}
	if err := network.Pause(ctx, o.Again); err != nil {
		return first, err
	}
	if pinned.IsZero() {
		o.Now = time.Now()
	}
	again, err := once(ctx, s, b, o)
	again.Breaches = slices.DeleteFunc(again.Breaches, func(b Breach) bool {
		return !slices.ContainsFunc(first.Breaches, func(f Breach) bool { return f.id() == b.id() })
	})
	return again, err
}

// once takes one look. Objects are listed first: what is put later is in no list and no orphan; fixtures one by one, so that
// no more than one of them with its rows is in memory.
func once(ctx context.Context, s store.Store, b blob.Store, o Options) (Report, error) {
	r := Report{Breaches: []Breach{}}
	if err := s.Verify(ctx); err != nil {
		return r, err
	}
	objects := Objects{}
	err := b.List(ctx, "", func(a blob.Attributes) error { objects[a.Key] = a; return nil })
	if err != nil {
		return r, err
	}
	tombstones, err := s.Tombstones(ctx)
	if err != nil {
		return r, err
	}
	fixtures, err := s.List(ctx, store.FixtureQuery{})
	if err != nil {
		return r, err
	}
	open, err := s.Posts(ctx, store.PostQuery{Open: true})
	if err != nil {
		return r, err
	}
	idle, err := asOf(ctx, s, fixtures, open, &o)
	if err != nil {
		return r, err
	}
	r.AsOf = o.Now.UTC()
	r.Checked.Fixtures, r.Checked.Objects, r.Checked.Tombstones = len(fixtures), len(objects), len(tombstones)
	if n := work(fixtures, open); idle > 0 && n > 0 {
		r.Breaches = append(r.Breaches, Breach{Check: Idle, Detail: fmt.Sprintf("nothing was done for %s; open: %d", explain.Span(idle), n), Remedy: remedies[Idle]})
	}
	var owners Owners
	known := map[int64]bool{}
	for _, f := range fixtures {
		m, err := read(ctx, s, f)
		if err != nil {
			return r, err
		}
		known[f.ID] = true
		r.Checked.add(m)
		owners.Add(m)
		r.Breaches = append(append(r.Breaches, CheckMatch(m, objects, o)...), CheckTombstones(m.Fixture, tombstones)...)
	}
	if err := s.CheckState(ctx); err != nil {
		return r, err
	}
	bad := s.Damaged() // met by the reading above
	there(bad, open, known)
	r.Breaches = append(r.Breaches, orphans(open, known, &owners, o)...)
	if other := notOurs(ctx, b); other != nil { // nothing there is without an owner
		r.Breaches = append(r.Breaches, *other)
	} else {
		r.Breaches = append(r.Breaches, CheckObjects(objects, &owners, tombstones, o)...)
	}
	r.Breaches = sorted(damaged(bad, r.Breaches))
	return r, nil
}

// notOurs finds that the clip store is not this database's, or that nobody knows; nil where it is.
func notOurs(ctx context.Context, b blob.Store) *Breach {
	g, guarded := b.(*owner.Guard)
	if !guarded {
		return nil
	}
	err := g.Look(ctx)
	if err == nil {
		return nil
	}
	br := Breach{Check: ClipStoreOwner, Detail: footy.UserMessage(err), Remedy: remedies[ClipStoreOwner]}
	if refused := owner.Refused(err); refused != nil {
		br.Detail, br.Remedy = refused.Reason(), refused.Remedy()
	}
	return &br
}

// orphans are open posts whose fixture is gone.
func orphans(open []footy.Post, known map[int64]bool, owners *Owners, o Options) []Breach {
	var out []Breach
	for _, p := range open {
		if known[p.FixtureID] {
			continue
		}
		m := Match{Fixture: footy.Fixture{ID: p.FixtureID}, Posts: []footy.Post{p}}
		owners.Add(m)
		l := newLook(m, nil, o)
		l.post(&m.Posts[0])
		out = append(out, l.out...)
	}
	return out
}

// asOf sets the time that ages count up to: where footy has not run for long, its last sign of life, because nothing can come
// to its end meanwhile. idle is how long ago that was, 0 where it runs.
func asOf(ctx context.Context, s store.Store, fixtures []footy.Fixture, open []footy.Post, o *Options) (idle time.Duration, err error) {
	last, err := cleanup.LastSweep(ctx, s) // of a footy that runs: every quarter of an hour
	if err != nil {
		return 0, err
	}
	for _, f := range fixtures {
		last = latest(last, f.LastMonitor, f.UpdatedAt, f.CompletedAt)
	}
	for _, p := range open {
		last = latest(last, p.ChangedAt)
	}
	if idle = o.Now.Sub(last); last.IsZero() || idle <= o.Overdue {
		return 0, nil
	}
	o.Now = last
	return idle, nil
}

// work counts what somebody should do.
func work(fixtures []footy.Fixture, open []footy.Post) int {
	n := len(open)
	for _, f := range fixtures {
		if f.Stage == footy.StageActive {
			n++
		}
		for _, e := range f.Events {
			if e.Certain() && !e.Removed && !e.DownloadComplete {
				n++
			}
		}
	}
	return n
}

func read(ctx context.Context, s store.Store, f footy.Fixture) (Match, error) {
	m := Match{Fixture: f}
	var err error
	if f.Stage == footy.StageActive { // written all the time: as it is now, beside records as they are now
		if m.Fixture, err = s.Fixture(ctx, f.ID); err != nil {
			return m, err
		}
	}
	if m.Posts, err = s.Posts(ctx, store.PostQuery{FixtureID: f.ID}); err != nil {
		return m, err
	}
	if m.Rows, err = s.Entries(ctx, store.LogQuery{FixtureID: f.ID}); err != nil {
		return m, err
	}
	for _, e := range f.Events {
		prints, err := s.Fingerprints(ctx, e.UID)
		if err != nil {
			return m, err
		}
		m.Prints = append(m.Prints, prints...)
	}
	return m, nil
}

func (c *Counts) add(m Match) {
	c.Posts += len(m.Posts)
	c.Rows += len(m.Rows)
	c.Fingerprints += len(m.Prints)
	c.Events += len(m.Fixture.Events)
	for _, e := range m.Fixture.Events {
		c.Clips += len(e.Clips)
	}
}

// unsure lists what only seems not to hold while documents of a collection cannot be read: they may own an object.
var unsure = map[store.Collection][]Check{
	store.FixturesColl: {ObjectOwner},
	store.PostsColl:    {ObjectOwner, ClipPost, EventIncomplete},
	store.EventLog:     {ObjectOwner},
}

// damaged tells each document that cannot be read and takes back what is not sure without it.
func damaged(list []store.Damage, found []Breach) []Breach {
	for _, d := range list {
		found = slices.DeleteFunc(found, func(b Breach) bool { return slices.Contains(unsure[d.Collection], b.Check) })
		if d.Renewed {
			continue
		}
		b := Breach{Check: DocumentDamaged, Key: string(d.Collection) + " " + d.ID, Detail: d.Detail, Remedy: remedies[DocumentDamaged]}
		if what := d.Counts(); what != "" {
			b.Detail += " (" + what + ")"
		}
		if d.Collection == store.FixturesColl {
			b.FixtureID, _ = strconv.ParseInt(d.ID, 10, 64) // the ids of fixtures are numbers
			b.Remedy += ", or footy ingest " + d.ID + " to begin the match anew"
		}
		found = append(found, b)
	}
	return found
}

// there notes the fixtures that are there, although they cannot be read: their posts are no orphans.
func there(list []store.Damage, open []footy.Post, known map[int64]bool) {
	for _, p := range open {
		id := strconv.FormatInt(p.FixtureID, 10)
		if slices.ContainsFunc(list, func(d store.Damage) bool { return d.Collection == store.FixturesColl && d.ID == id }) {
			known[p.FixtureID] = true
		}
	}
}
