package target_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/posting/target"
	"github.com/found-footy/found-footy/internal/extra/posting/telegram"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// TestMemoryDoesNotGrowWithTheClip counts all that a post allocates, the stand-in of its service included. Nothing runs beside it.
func TestMemoryDoesNotGrowWithTheClip(t *testing.T) { //nolint:paralleltest // what others allocate would be counted
	allocated := func(name string, size int) uint64 {
		p := places()[name]
		b := setup(t, p.client(serve(t, p.Handler)))
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
		if p.client("https://posts.example").Traits().MaxVideo == 0 {
			continue
		}
		large := int(min(p.client("https://posts.example").Traits().MaxVideo, 100<<20))
		small, most := allocated(name, 1<<20), allocated(name, large)
		t.Logf("%s: %d KB for a clip of 1 MB, %d KB for one of %d MB", name, small>>10, most>>10, large>>20)
		require.Less(t, most, small+uint64(large)/20, name)
	}
}

// brokenClips is a storage whose files break off.
type brokenClips struct {
	blob.Store
	whole atomic.Bool
}

// Open implements blob.Store.
func (s *brokenClips) Open(ctx context.Context, key string) (blob.Object, error) {
	o, err := s.Store.Open(ctx, key)
	if err != nil || s.whole.Load() {
		return o, err
	}
	return &brokenClip{o}, nil
}

type brokenClip struct {
	blob.Object
}

// Read implements io.Reader: it breaks off in the last thousand bytes.
func (c *brokenClip) Read(p []byte) (int, error) {
	n, err := c.Object.Read(p[:min(len(p), 1000)])
	at, _ := c.Seek(0, io.SeekCurrent)
	if at < c.Attributes().Size || err != nil {
		return n, err
	}
	return 0, errors.New("the disk is gone")
}

// TestAFaultOfTheStorageIsNotTheServices: the clip is posted once it can be read, with its video and once.
func TestAFaultOfTheStorageIsNotTheServices(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place, b *bundle) {
		if p.pictures { // the picture of the test is too short to break off
			return
		}
		b.today()
		b.clip("aa", 100_000, true)
		require.ErrorContains(t, b.look(), "the disk is gone")
		require.Contains(t, b.posting().Error, "the disk is gone")
		require.NotContains(t, b.posting().Error, "it cannot be reached")
		require.Empty(t, p.Standing())
		b.blob.(*brokenClips).whole.Store(true)
		b.now = b.now.Add(5 * time.Minute)
		require.NoError(t, b.look())
		require.Len(t, p.Messages(), 1)
		require.Equal(t, "video/mp4", p.Messages()[0].File)
		require.Equal(t, 100_000, p.Messages()[0].Size)
	}, func(o *target.Options) { o.Blob = &brokenClips{Store: o.Blob} })
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
