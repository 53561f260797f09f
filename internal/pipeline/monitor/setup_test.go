package monitor_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/feedtest"
	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// bench is a monitor over a real store, with a feed that says what a test wants.
type bench struct {
	t       *testing.T
	acts    *monitor.Activities
	store   store.Store
	back    store.Backend // below store
	feed    *vendor
	env     *testsuite.TestActivityEnvironment
	told    int // notices to readers
	setting sync.Mutex
	now     time.Time
}

var kickoff = feedtest.Match(1, 0).Match.Kickoff

// match is a live match whose goals have scorers with names.
func match(id int64, goals int) footy.Snapshot {
	s := feedtest.Match(id, goals)
	for i := range s.Events {
		s.Events[i].Player.Name = []string{"Salah", "Ødegaard", "Wirtz"}[i%3]
	}
	return s
}

func newBench(t *testing.T) *bench {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	b := &bench{t: t, store: s, back: db, feed: &vendor{quota: feed.Quota{DayLimit: -1, DayRemaining: -1, MinuteLimit: -1, MinuteRemaining: -1}}, now: kickoff.Add(time.Hour)}
	b.start()
	require.NoError(t, s.PutState(t.Context(), "sweep", map[string]any{"at": b.now.AddDate(1, 0, 0)})) // nothing to sweep
	return b
}

// otherProcess is a worker on the same store and feed.
func (b *bench) otherProcess() *bench {
	o := &bench{t: b.t, store: b.store, back: b.back, feed: b.feed, now: b.now}
	o.start()
	return o
}

func (b *bench) start() {
	b.acts = &monitor.Activities{Store: b.store, Feed: b.feed, Rules: cycle.Rules{Votes: debounce.Defaults(), Windows: lifecycle.Defaults()}, Cycle: 30 * time.Second,
		Cleanup: &cleanup.Activities{Store: b.store, Keep: cleanup.Defaults(), Now: b.clock}, Page: b, Now: b.clock}
	b.env = enginetest.Activity()
	b.env.RegisterActivity(b.acts)
	b.env.RegisterActivity(b.acts.Cleanup.Sweep)
}

// clock is the time of the product.
func (b *bench) clock() time.Time {
	b.setting.Lock()
	defer b.setting.Unlock()
	return b.now
}

// pass lets time pass, or takes it back.
func (b *bench) pass(d time.Duration) {
	b.setting.Lock()
	defer b.setting.Unlock()
	b.now = b.now.Add(d)
}

// Publish implements monitor.Publisher.
func (b *bench) Publish(context.Context, string, ...string) { b.told++ }

func (b *bench) add(stage footy.Stage, s footy.Snapshot) {
	b.t.Helper()
	f := footy.Fixture{ID: s.Match.ID, Stage: stage, Match: s.Match, League: s.League, Teams: s.Teams, Score: s.Score}
	require.NoError(b.t, b.store.Add(b.t.Context(), f))
}

func (b *bench) plan(poll string) monitor.Plan {
	b.t.Helper()
	out, err := b.env.ExecuteActivity(b.acts.Plan, poll)
	require.NoError(b.t, err)
	var p monitor.Plan
	require.NoError(b.t, out.Get(&p))
	return p
}

func (b *bench) poll(poll string, ids ...int64) (monitor.PollResult, error) {
	return b.call(monitor.Chunk{Poll: poll, IDs: ids})
}

func (b *bench) call(c monitor.Chunk) (monitor.PollResult, error) {
	out, err := b.env.ExecuteActivity(b.acts.Poll, c)
	var p monitor.PollResult
	if err == nil {
		require.NoError(b.t, out.Get(&p))
	}
	return p, err
}

func (b *bench) decide(d monitor.DecideInput) monitor.Todo {
	b.t.Helper()
	out, err := b.env.ExecuteActivity(b.acts.Decide, d)
	require.NoError(b.t, err)
	var todo monitor.Todo
	require.NoError(b.t, out.Get(&todo))
	return todo
}

func (b *bench) rows(fixture int64, kind footy.EntryKind) []footy.Entry {
	b.t.Helper()
	all, err := b.store.Entries(b.t.Context(), store.LogQuery{FixtureID: fixture})
	require.NoError(b.t, err)
	var out []footy.Entry
	for _, e := range all {
		if e.Kind == kind {
			out = append(out, e)
		}
	}
	return out
}

// vendor answers from what it lists, or fails.
type vendor struct {
	feedtest.Plain
	mu      sync.Mutex
	matches map[int64]footy.Snapshot
	err     error
	quota   feed.Quota
	account feed.Account
	calls   int
	asked   []string
	told    int // times that it told of the account
}

func (v *vendor) list(s ...footy.Snapshot) {
	v.matches = map[int64]footy.Snapshot{}
	for _, m := range s {
		v.matches[m.Match.ID] = m
	}
}

func (v *vendor) Day(context.Context, time.Time) ([]footy.Snapshot, error) { return nil, nil }

func (v *vendor) ByIDs(_ context.Context, ids []int64) (feed.Answer, error) {
	if err := v.count("ids", len(ids)); err != nil {
		return feed.Answer{}, err
	}
	return v.pick(ids...), nil
}

func (v *vendor) count(kind string, n int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.calls++
	v.asked = append(v.asked, fmt.Sprintf("%s %d", kind, n))
	return v.err
}

func (v *vendor) pick(ids ...int64) feed.Answer {
	a := feed.Answer{Failed: map[int64]string{}}
	for _, id := range ids {
		if s, ok := v.matches[id]; ok {
			s.HasEvents = true
			a.Snapshots = append(a.Snapshots, feedtest.Said(s))
		} else {
			a.Failed[id] = "the answer does not contain it"
		}
	}
	return a
}

func (v *vendor) Account(context.Context) (feed.Account, error) { v.told++; return v.account, v.err }

func (v *vendor) Quota() feed.Quota { return v.quota }

// whole runs one cycle as the workflow does, and returns what was decided on and what failed.
func (b *bench) whole(poll string) (d monitor.DecideInput) {
	b.t.Helper()
	d.Poll = poll
	for _, c := range b.plan(poll).Calls {
		c.Poll = poll
		p, err := b.call(c)
		if err != nil {
			for _, id := range c.IDs {
				d.Failed = append(d.Failed, monitor.Failure{ID: id, Why: err.Error()})
			}
		}
		d.Changed = append(d.Changed, p.Changed...)
		d.Regressed = append(d.Regressed, p.Regressed...)
		d.Failed = append(d.Failed, p.Failed...)
	}
	if len(d.Changed)+len(d.Failed) > 0 {
		b.decide(d)
	}
	return d
}

func (b *bench) fixture(id int64) footy.Fixture {
	b.t.Helper()
	f, err := b.store.Fixture(b.t.Context(), id)
	require.NoError(b.t, err)
	return f
}
