package budgets_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
)

// bodies is a database that counts the documents it gives with their bodies.
type bodies struct {
	store.Backend
	read atomic.Int64
}

// Select counts and passes on.
func (b *bodies) Select(ctx context.Context, c store.Collection, f store.Filter) ([]store.Doc, error) {
	docs, err := b.Backend.Select(ctx, c, f)
	if !f.Bare {
		b.read.Add(int64(len(docs)))
	}
	return docs, err
}

// LookReads is how many documents a look at Health may decode where nothing waits and nothing changed since the look before: the newest match.
const LookReads = 1

// TestALookAtHealthReadsNothingThatHasEnded keeps days of matches with their posts. Each process looks four times a minute.
func TestALookAtHealthReadsNothingThatHasEnded(t *testing.T) {
	back, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	b := &bodies{Backend: back}
	s := store.New(b)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	keep := func(from, to int) {
		for id := from; id < to; id++ {
			uid := fmt.Sprint("g", id)
			require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: int64(id), Stage: footy.StageCompleted, Events: []footy.Event{{UID: uid, ID: uid, DownloadComplete: true}},
				Match: footy.Match{ID: int64(id), Kickoff: time.Now().Add(-time.Duration(26+id%140) * time.Hour), Status: footy.Status{Code: "FT"}}}))
			var posts []footy.Post
			for n := range 10 {
				posts = append(posts, footy.Post{FixtureID: int64(id), EventUID: uid, PostID: fmt.Sprint(n), State: footy.PostStates[5+n%4]})
			}
			require.NoError(t, s.AddPosts(t.Context(), posts))
		}
	}
	cfg, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "SOURCES": "xweb", "FEED": "api-football", "FFMPEG": "true", "FFPROBE": "true"})
	require.NoError(t, err)
	clips, err := dir.Open(t.TempDir())
	require.NoError(t, err)
	look := check.New(check.Options{Config: cfg, Store: s, Blob: clips, Source: xweb.New(xweb.Options{URL: "http://127.0.0.1:1"}, http.DefaultClient), Log: slog.New(slog.DiscardHandler), Online: func(context.Context) bool { return true }})
	look.Look(t.Context())
	cost := func() (docs int64, allocations float64) {
		look.Look(t.Context())
		b.read.Store(0)
		allocations = testing.AllocsPerRun(1, func() { look.Look(t.Context()) }) // which looks twice
		return b.read.Load() / 2, allocations
	}
	keep(1000, 1020)
	docs, few := cost()
	require.EqualValues(t, LookReads, docs)
	keep(1020, 1220)
	docs, many := cost()
	require.EqualValues(t, LookReads, docs)
	require.Less(t, many-few, 200*60.0, "a match that is kept costs its id and its revision: %.0f allocations with 20 matches, %.0f with 220", few, many)
}
