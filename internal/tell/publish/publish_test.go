package publish_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/tell/publish"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// process is one that shares a database with others, with a page.
type process struct {
	*publish.Shared
	state  store.Store
	reader *stream.Reader
	notes  []stream.Note // taken, not looked at yet
}

// next waits for what the page hears next.
func (p *process) next() stream.Note {
	for len(p.notes) == 0 {
		<-p.reader.C
		p.notes = p.reader.Take()
	}
	n := p.notes[0]
	p.notes = p.notes[1:]
	return n
}

func processes(t *testing.T, n int) []process {
	t.Helper()
	path := filepath.Join(t.TempDir(), "footy.db")
	out := make([]process, n)
	for i := range out {
		db, err := sqlite.Open(path)
		require.NoError(t, err)
		s := store.New(db)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		out[i] = process{Shared: publish.NewShared(s, slog.New(slog.DiscardHandler), nil), state: s}
	}
	return out
}

// open begins to show a page, which has looked once when open returns.
func (p *process) open(t *testing.T) {
	t.Helper()
	hub := stream.NewHub()
	p.reader = hub.Subscribe()
	looked := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	s := &firstLook{Store: p.state, looked: looked}
	page := publish.NewShared(s, slog.New(slog.DiscardHandler), hub)
	p.Shared = page
	go page.Follow(ctx, publish.Followed)
	<-looked
}

// firstLook tells when a page has looked a second time, so that it knows where it begins.
type firstLook struct {
	store.Store
	looks  int
	looked chan struct{}
}

func (f *firstLook) State(ctx context.Context, key string, out any) error {
	if f.looks++; f.looks == 2 {
		close(f.looked)
	}
	return f.Store.State(ctx, key, out)
}

func TestAChangeOfAnyProcessReachesEveryPage(t *testing.T) {
	t.Parallel()
	all := processes(t, 3)
	all[0].Publish(t.Context(), stream.EntityFixture, "before")
	require.NoError(t, all[0].Flush(t.Context()))
	all[1].open(t)
	all[2].open(t)
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() { all[0].Run(ctx); close(stopped) }()
	all[0].Publish(ctx, stream.EntityEvent, "5000-1")
	all[0].Publish(ctx, stream.EntityEvent, "5000-2", "5000-1")
	for i := range all[1:] {
		p := &all[1+i]
		require.Equal(t, stream.Note{Entity: "event", IDs: []string{"5000-1", "5000-2"}}, p.next())
	}
	all[0].Publish(ctx, stream.EntityHealth)
	stop() // what is left is written
	<-stopped
	for i := range all[1:] {
		p := &all[1+i]
		require.Equal(t, stream.Note{Entity: "health", IDs: []string{}}, p.next())
	}
	all[1].Publish(t.Context(), stream.EntityFixture, "of the page itself")
	require.NoError(t, all[1].Flush(t.Context()))
	require.Equal(t, "of the page itself", all[1].next().IDs[0])
	require.Equal(t, "of the page itself", all[2].next().IDs[0])
	all[2].Publish(t.Context(), stream.EntityFixture, "of the other")
	require.NoError(t, all[2].Flush(t.Context()))
	require.Equal(t, "of the other", all[1].next().IDs[0], "a page's own change comes once")
}

func TestAPageThatMissedSomethingIsToldThatAnythingMayHaveChanged(t *testing.T) {
	t.Parallel()
	all := processes(t, 2)
	all[1].open(t)
	for i := range 300 {
		all[0].Publish(t.Context(), stream.EntityFixture, fmt.Sprint(i))
		all[0].Publish(t.Context(), stream.EntityEvent, fmt.Sprint(i))
		if i%2 == 0 {
			all[0].Publish(t.Context(), stream.EntityHealth)
		}
	}
	require.NoError(t, all[0].Flush(t.Context()), "hundreds of changes are one write")
	for range 3 {
		n := all[1].next()
		require.NotEqual(t, stream.EntityAll, n.Entity)
	}
	require.NoError(t, all[0].state.PutState(t.Context(), "page_changes", map[string]any{"seq": 900, "notes": []map[string]any{
		{"seq": 900, "from": "x", "entity": "event", "ids": []string{"1"}}}}))
	require.Equal(t, stream.EntityAll, all[1].next().Entity, "the journal begins after what was read last")
	require.NoError(t, all[0].state.PutState(t.Context(), "page_changes", map[string]any{"seq": 2}))
	require.Equal(t, stream.EntityAll, all[1].next().Entity, "a backup came back")
}

func TestWhatCannotBeWrittenWaits(t *testing.T) {
	t.Parallel()
	all := processes(t, 2)
	all[1].open(t)
	all[0].Publish(t.Context(), stream.EntityEvent, "5000-1")
	away, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, all[0].Flush(away))
	require.NoError(t, all[0].Flush(t.Context()))
	require.Equal(t, stream.Note{Entity: "event", IDs: []string{"5000-1"}}, all[1].next())
}
