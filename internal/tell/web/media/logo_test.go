package media_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/tell/web/media"
)

type bundle struct {
	cache *media.Logos
	calls atomic.Int64
	body  atomic.Value
	now   atomic.Int64
	url   string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{}
	var pic bytes.Buffer
	require.NoError(t, png.Encode(&pic, image.NewGray(image.Rect(0, 0, 8, 8))))
	b.body.Store(pic.Bytes())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		b.calls.Add(1)
		body := b.body.Load().([]byte)
		if body == nil {
			w.WriteHeader(http.StatusInternalServerError)
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	store, err := dir.Open(t.TempDir())
	require.NoError(t, err)
	b.url = server.URL + "/40.png"
	b.cache = media.NewLogos(store, server.Client(), func() time.Time { return time.Now().Add(time.Duration(b.now.Load())) })
	return b
}

func TestALogoIsFetchedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, _, err := b.cache.Logo(context.Background(), "team", 40)
	require.True(t, footy.IsNotFound(err), "nobody said where it lies")
	b.cache.Learn("team", 40, b.url)
	for range 3 {
		_, kind, err := b.cache.Logo(context.Background(), "team", 40)
		require.NoError(t, err)
		require.Equal(t, "image/png", kind)
	}
	require.EqualValues(t, 1, b.calls.Load())
}

func TestAnOldLogoStaysWhileItsServerIsDown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.cache.Learn("team", 40, b.url)
	_, _, err := b.cache.Logo(context.Background(), "team", 40)
	require.NoError(t, err)
	b.body.Store([]byte(nil))
	b.now.Store(int64(31 * 24 * time.Hour))
	for range 5 {
		_, _, err = b.cache.Logo(context.Background(), "team", 40)
		require.NoError(t, err)
	}
	require.EqualValues(t, 2, b.calls.Load(), "one try, then a pause")
}

func TestWhatIsNoPictureIsRefused(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "<html>", string(make([]byte, 300<<10))} {
		b := setup(t)
		b.body.Store([]byte(body))
		b.cache.Learn("team", 40, b.url)
		_, _, err := b.cache.Logo(context.Background(), "team", 40)
		require.Error(t, err)
	}
	b := setup(t)
	b.cache.Learn("team", 40, "file:///etc/passwd")
	_, _, err := b.cache.Logo(context.Background(), "team", 40)
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
}
