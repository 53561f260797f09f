package target_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/extra/posting/discord"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

var kickoff = time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)

// bundle is a match with one goal, and a target.
type bundle struct {
	t      *testing.T
	store  store.Store
	blob   blob.Store
	now    time.Time
	target *target.Target
}

func setup(t *testing.T, s target.Service, change ...func(*target.Options)) *bundle {
	t.Helper()
	b := &bundle{t: t, now: kickoff.Add(time.Hour)}
	b.store, b.blob = open(t, t.TempDir())
	o := target.Options{Service: s, Template: rule.DefaultTemplate, Verified: true,
		Store: b.store, Blob: b.blob, BaseURL: "https://goals.example", Now: func() time.Time { return b.now }, Filter: allGoals, Lead: alone, Page: unseen{}}
	for _, c := range change {
		c(&o)
	}
	b.blob = o.Blob
	b.target = target.New(o)
	require.NoError(t, b.store.Add(t.Context(), match(1, b.now)))
	return b
}

func allGoals(context.Context) (news.Filter, error) { return news.Filter{All: true}, nil }

// alone is the only process that posts.
func alone(context.Context, string) (bool, error) { return true, nil }

// unseen is a page without readers.
type unseen struct{}

// Publish implements footy.Publisher.
func (unseen) Publish(context.Context, string, ...string) {}

func open(t *testing.T, at string) (store.Store, blob.Store) {
	t.Helper()
	s, clips, err := openAt(at)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s, clips
}

func openAt(at string) (store.Store, blob.Store, error) {
	back, err := sqlite.Open(filepath.Join(at, "footy.db"))
	if err != nil {
		return nil, nil, err
	}
	clips, err := dir.Open(filepath.Join(at, "clips"))
	return store.New(back), clips, err
}

// match has one goal that is certain and has no clip yet.
func match(id int64, now time.Time) footy.Fixture {
	return footy.Fixture{ID: id, Stage: footy.StageActive, League: footy.League{ID: 39, Name: "Premier League"}, Match: footy.Match{ID: id, Kickoff: now.Add(-time.Hour)},
		Teams:  footy.Teams{Home: footy.Team{ID: 40, Name: "Liverpool"}, Away: footy.Team{ID: 50, Name: "City"}},
		Events: []footy.Event{event(1, now.Add(-time.Minute))}}
}

// event is the n-th goal of the match.
func event(n int, certain time.Time) footy.Event {
	return footy.Event{UID: fmt.Sprintf("1-%d", n), ID: fmt.Sprintf("1_40_7_Goal_%d", n), Kind: footy.KindGoal, Player: footy.Person{Name: "Salah"}, Minute: footy.Minute{Elapsed: 59},
		ScoreAfter: footy.ScoreOf(n, 0), CertainAt: certain}
}

func (b *bundle) look() error { return b.target.SendNew(b.t.Context()) }

func (b *bundle) change(f func(*footy.Event)) {
	b.t.Helper()
	_, err := b.store.Update(b.t.Context(), 1, func(x *footy.Fixture) ([]footy.Entry, error) { f(&x.Events[0]); return nil, nil })
	require.NoError(b.t, err)
}

// today lets the match be under way by the clock of the services.
func (b *bundle) today() {
	b.t.Helper()
	b.now = time.Now()
	_, err := b.store.Update(b.t.Context(), 1, func(x *footy.Fixture) ([]footy.Entry, error) {
		x.Match.Kickoff, x.Events[0].CertainAt = b.now.Add(-time.Hour), b.now
		return nil, nil
	})
	require.NoError(b.t, err)
}

// clip gives the goal a clip of that many bytes, before the others.
func (b *bundle) clip(id string, size int, verified bool) {
	b.t.Helper()
	b.change(func(e *footy.Event) {
		e.Clips = append([]footy.Clip{put(b.t.Context(), b.t, b.blob, id, size, verified)}, e.Clips...)
	})
}

func put(ctx context.Context, t require.TestingT, s blob.Store, id string, size int, verified bool) footy.Clip {
	c := footy.Clip{ID: id, Key: "clips/" + id + ".mp4", PosterKey: "posters/" + id + ".jpg", Size: int64(size), Width: 640, Height: 360, Duration: 8, Verified: verified}
	require.NoError(t, s.Put(ctx, c.Key, strings.NewReader(strings.Repeat("v", size)), int64(size), blob.Info{}))
	require.NoError(t, s.Put(ctx, c.PosterKey, strings.NewReader("a picture"), 9, blob.Info{}))
	return c
}

func (b *bundle) posting() rule.Posting {
	b.t.Helper()
	f, err := b.store.Fixture(b.t.Context(), 1)
	require.NoError(b.t, err)
	if is := all(&f.Events[0]); len(is) > 0 {
		return is[0]
	}
	return rule.Posting{}
}

// all are the posts about a goal.
func all(e *footy.Event) []rule.Posting {
	out, err := rule.All(e)
	if err != nil {
		panic(err)
	}
	return out
}

// keep records one.
func keep(e *footy.Event, p rule.Posting) {
	if err := rule.Put(e, p); err != nil {
		panic(err)
	}
}

// rows are what the goal's page tells of its posts.
func (b *bundle) rows() []footy.Entry {
	b.t.Helper()
	rows, err := b.store.Entries(b.t.Context(), store.LogQuery{EventUID: "1-1", Kinds: []footy.EntryKind{footy.EntryExtra}})
	require.NoError(b.t, err)
	return rows
}

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL
}

func onDiscord(t *testing.T, at *social.Discord) target.Service {
	t.Helper()
	s, err := discord.New(discord.Options{URL: serve(t, at) + social.Hook})
	require.NoError(t, err)
	return s
}
