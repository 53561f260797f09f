package posting_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/posting"
	"github.com/found-footy/found-footy/internal/tell/posting/telegram"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// TestMemoryDoesNotGrowWithTheClip counts all that a post allocates, the stand-in of its service included. Nothing runs beside it.
func TestMemoryDoesNotGrowWithTheClip(t *testing.T) { //nolint:paralleltest // what others allocate would be counted
	allocated := func(name string, size int) uint64 {
		p := places()[name]
		b := setup(t, p.client(serve(t, p.Handler), time.Now))
		b.today()
		b.clip("aa", size, true)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		require.NoError(t, b.look())
		runtime.ReadMemStats(&after)
		require.Equal(t, social.Message{File: "video/mp4", Size: size}, social.Message{File: p.Standing()[0].File, Size: p.Standing()[0].Size})
		return after.TotalAlloc - before.TotalAlloc
	}
	for name, p := range places() {
		large := int(min(p.client("https://posts.example", time.Now).Traits().MaxVideo, 100<<20))
		small, most := allocated(name, 1<<20), allocated(name, large)
		t.Logf("%s: %d KB for a clip of 1 MB, %d KB for one of %d MB", name, small>>10, most>>10, large>>20)
		require.Less(t, most, small+uint64(large)/20, name)
	}
}

// gate is a service that takes a file, and processes it, only when the test lets it.
type gate struct {
	name             string
	took, processed  chan struct{}
	begun, processes atomic.Bool
}

func newGate(name string) *gate {
	return &gate{name: name, took: make(chan struct{}), processed: make(chan struct{})}
}

// Traits implements posting.Service.
func (g *gate) Traits() posting.Traits {
	return posting.Traits{Name: g.name, Text: posting.Limit{Max: 1000, Unit: posting.Runes}, MaxVideo: 1 << 20, MaxPicture: 1 << 20}
}

// Upload implements posting.Uploader.
func (g *gate) Upload(ctx context.Context, f posting.File) (string, error) {
	g.begun.Store(true)
	<-g.took
	return "file", posting.Processed(ctx, "hand a file to "+g.name, f, func(bool) (bool, time.Duration, error) {
		g.processes.Store(true)
		<-g.processed
		return true, 0, nil
	})
}

// Create implements posting.Service.
func (g *gate) Create(context.Context, posting.Post) (posting.Ref, error) {
	return posting.Ref{ID: "1"}, nil
}

// Delete implements posting.Service.
func (g *gate) Delete(context.Context, posting.Ref) error { return nil }

// Test implements posting.Service.
func (g *gate) Test(context.Context) (string, error) { return "", nil }

// TestOneFileAtATimeLeavesAProcess: the next one is sent while a service processes the one before, and its time begins then.
func TestOneFileAtATimeLeavesAProcess(t *testing.T) { //nolint:paralleltest // the line is the process's
	synctest.Test(t, func(t *testing.T) {
		first, second := newGate("First"), newGate("Second")
		done := make(chan error, 2)
		look := func(g *gate) *bundle {
			b := setup(t, g)
			b.clip("aa", 1000, true)
			go func() { done <- b.look() }()
			synctest.Wait()
			return b
		}
		look(first)
		require.True(t, first.begun.Load())
		b := look(second)
		require.False(t, second.begun.Load())

		<-time.After(time.Minute)
		close(first.took)
		synctest.Wait()
		require.True(t, first.processes.Load())
		require.True(t, second.begun.Load(), "while the first file is processed")
		<-time.After(90 * time.Second)
		close(second.took)
		close(second.processed)
		require.NoError(t, <-done)
		require.Equal(t, footy.PostingDone, b.posting().Step)
		require.Empty(t, b.posting().Picture.Why, "150 s after it was to be sent, and 90 s after its turn")
		close(first.processed)
		<-done
	})
}

// brokenClips is a storage whose files break off, or are never answered.
type brokenClips struct {
	blob.Store
	hangs bool
	whole atomic.Bool
}

// Open implements blob.Store.
func (s *brokenClips) Open(ctx context.Context, key string) (blob.Object, error) {
	o, err := s.Store.Open(ctx, key)
	if err != nil || s.whole.Load() {
		return o, err
	}
	return &brokenClip{o, ctx, s.hangs}, nil
}

type brokenClip struct {
	blob.Object
	ctx   context.Context
	hangs bool
}

// Read implements io.Reader: it breaks off in the last thousand bytes.
func (c *brokenClip) Read(p []byte) (int, error) {
	n, err := c.Object.Read(p[:min(len(p), 1000)])
	at, _ := c.Seek(0, io.SeekCurrent)
	if at < c.Attributes().Size || err != nil {
		return n, err
	}
	if c.hangs {
		<-c.ctx.Done()
		return 0, c.ctx.Err()
	}
	return 0, errors.New("the disk is gone")
}

// TestAFaultOfTheStorageIsNotTheServices: the clip is posted once it can be read, with its video and once.
func TestAFaultOfTheStorageIsNotTheServices(t *testing.T) {
	t.Parallel()
	for says, hangs := range map[string]bool{"the disk is gone": false, "the storage of the clips did not answer within 1 s": true} {
		each(t, func(t *testing.T, p place, b *bundle) {
			b.today()
			b.clip("aa", 100_000, true)
			require.ErrorContains(t, b.look(), says)
			require.Contains(t, b.posting().Error, says)
			require.NotContains(t, b.posting().Error, "it cannot be reached")
			require.Empty(t, p.Standing())
			b.blob.(*brokenClips).whole.Store(true)
			b.now = b.now.Add(5 * time.Minute)
			require.NoError(t, b.look())
			require.Len(t, p.Messages(), 1)
			require.Equal(t, "video/mp4", p.Messages()[0].File)
			require.Equal(t, 100_000, p.Messages()[0].Size)
		}, func(o *posting.Options) {
			o.Blob, o.Call = &brokenClips{Store: o.Blob, hangs: hangs}, time.Second
		})
	}
}

// TestAFileIsSentAnewWhereATryIsRepeated: a server that moved.
func TestAFileIsSentAnewWhereATryIsRepeated(t *testing.T) {
	t.Parallel()
	at := &social.Telegram{}
	there := serve(t, at)
	moved := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		http.Redirect(w, r, there+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(moved.Close)
	b := setup(t, telegram.New(telegram.Options{URL: moved.URL, Token: social.BotToken, Chat: social.Channel}))
	b.clip("aa", 100_000, true)
	require.NoError(t, b.look())
	require.Equal(t, 100_000, at.Standing()[0].Size)
}
