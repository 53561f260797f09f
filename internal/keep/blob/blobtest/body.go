package blobtest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

func ranges(t *testing.T, s blob.Store) {
	body := noise(100_000)
	require.NoError(t, s.Put(t.Context(), "k", bytes.NewReader(body), int64(len(body)), blob.Info{}))
	o, err := s.Open(t.Context(), "k")
	require.NoError(t, err)
	defer func() { require.NoError(t, o.Close()) }()

	end, err := o.Seek(0, io.SeekEnd)
	require.NoError(t, err)
	require.EqualValues(t, len(body), end)
	for _, at := range []struct{ from, n int }{{50_000, 1000}, {0, 10}, {99_990, 10}, {12_345, 54_321}, {12_345, 1}} {
		pos, err := o.Seek(int64(at.from), io.SeekStart)
		require.NoError(t, err)
		require.EqualValues(t, at.from, pos)
		got := make([]byte, at.n)
		_, err = io.ReadFull(o, got)
		require.NoError(t, err)
		require.Equal(t, body[at.from:at.from+at.n], got)
	}
	_, err = o.Seek(-5, io.SeekEnd)
	require.NoError(t, err)
	tail, err := io.ReadAll(o)
	require.NoError(t, err)
	require.Equal(t, body[len(body)-5:], tail)
}

func served(t *testing.T, s blob.Store) {
	body := noise(20_000)
	require.NoError(t, s.Put(t.Context(), "v.mp4", bytes.NewReader(body), int64(len(body)), blob.Info{ContentType: "video/mp4"}))
	get := func(rng string) *http.Response {
		o, err := s.Open(t.Context(), "v.mp4")
		require.NoError(t, err)
		defer func() { require.NoError(t, o.Close()) }()
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/v.mp4", nil)
		if rng != "" {
			r.Header.Set("Range", rng)
		}
		w.Header().Set("Content-Type", o.Attributes().Info.ContentType)
		http.ServeContent(w, r, "v.mp4", o.Attributes().ModTime, o)
		return w.Result()
	}
	for rng, want := range map[string][]byte{
		"": body, "bytes=0-99": body[:100], "bytes=19000-": body[19_000:], "bytes=-1": body[19_999:], "bytes=7-7": body[7:8],
	} {
		res := get(rng)
		got, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.Equal(t, want, got, rng)
		require.Equal(t, "video/mp4", res.Header.Get("Content-Type"))
	}
	require.Equal(t, "bytes 0-99/20000", get("bytes=0-99").Header.Get("Content-Range"))
	require.Equal(t, http.StatusPartialContent, get("bytes=0-99").StatusCode)
	require.Equal(t, http.StatusRequestedRangeNotSatisfiable, get("bytes=20000-").StatusCode)
}

func big(t *testing.T, s blob.Store) {
	body := noise(20<<20 + 17)
	for name, size := range map[string]int64{"known.mp4": int64(len(body)), "unknown.mp4": -1} {
		// Nothing but Read: an adapter cannot rely on seeking or on the length.
		require.NoError(t, s.Put(t.Context(), name, struct{ io.Reader }{bytes.NewReader(body)}, size, blob.Info{ContentType: "video/mp4"}))
		o, err := s.Open(t.Context(), name)
		require.NoError(t, err)
		got, err := io.ReadAll(o)
		require.NoError(t, err)
		require.NoError(t, o.Close())
		require.True(t, bytes.Equal(body, got), "size %s", name)
		require.EqualValues(t, len(body), o.Attributes().Size)
		require.Equal(t, "video/mp4", o.Attributes().Info.ContentType)
	}
}

func broken(t *testing.T, s blob.Store, traits Traits) {
	put(t, s, "k", "before")
	cut := errors.New("connection cut")
	for _, size := range []int64{-1, 1000} {
		r := io.MultiReader(bytes.NewReader(noise(500)), iotest.ErrReader(cut))
		require.Error(t, s.Put(t.Context(), "k", r, size, blob.Info{}))
		r = io.MultiReader(bytes.NewReader(noise(500)), iotest.ErrReader(cut))
		require.Error(t, s.Put(t.Context(), "new", r, size, blob.Info{}))
	}
	body, attrs := read(t, s, "k")
	require.Equal(t, "before", body)
	require.Equal(t, traits.kept("k", blob.Info{ContentType: "text/plain"}).ContentType, attrs.Info.ContentType)
	require.Equal(t, []string{"k"}, keys(t, s, ""))
}

func wrongSize(t *testing.T, s blob.Store) {
	put(t, s, "k", "before")
	for _, size := range []int64{3, 10} {
		err := s.Put(t.Context(), "k", strings.NewReader("after"), size, blob.Info{})
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "5 bytes announced as %d: %v", size, err)
	}
	body, _ := read(t, s, "k")
	require.Equal(t, "before", body)
}

func concurrent(t *testing.T, s blob.Store, traits Traits) {
	const writers, rounds = 6, 4
	body := func(i int) string { return strings.Repeat(fmt.Sprint(i), 3000) } // all of one length
	put(t, s, "k", body(0))
	var g errgroup.Group
	for i := range writers {
		g.Go(func() error {
			for range rounds {
				info := blob.Info{ContentType: "text/plain", Metadata: map[string]string{"writer": fmt.Sprint(i)}}
				if err := s.Put(t.Context(), "k", strings.NewReader(body(i)), 3000, info); err != nil {
					return err
				}
				o, err := s.Open(t.Context(), "k")
				if err != nil {
					return err
				}
				got, err := io.ReadAll(o)
				if closed := o.Close(); closed != nil {
					return closed
				}
				if err != nil {
					continue // replaced while it was read: an error, never a mixture
				}
				who := o.Attributes().Info.Metadata["writer"]
				if traits.LooseWords || traits.ByName {
					who = string(got[:1])
				}
				if string(got) != strings.Repeat(who, 3000) {
					return fmt.Errorf("the words of writer %s came with %d bytes that start with %.5q", who, len(got), got)
				}
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
	require.Equal(t, []string{"k"}, keys(t, s, ""))
}

func replacedWhileRead(t *testing.T, s blob.Store) {
	old := noise(300_000)
	require.NoError(t, s.Put(t.Context(), "k", bytes.NewReader(old), int64(len(old)), blob.Info{}))
	o, err := s.Open(t.Context(), "k")
	require.NoError(t, err)
	defer func() { require.NoError(t, o.Close()) }()
	head := make([]byte, 10)
	_, err = io.ReadFull(o, head)
	require.NoError(t, err)
	fresh := bytes.Repeat([]byte("n"), len(old))
	require.NoError(t, s.Put(t.Context(), "k", bytes.NewReader(fresh), int64(len(fresh)), blob.Info{}))
	if _, err := o.Seek(200_000, io.SeekStart); err != nil {
		return
	}
	if tail, err := io.ReadAll(o); err == nil {
		require.True(t, bytes.Equal(old[200_000:], tail), "the rest must belong to the beginning")
	}
	now, err := s.Stat(t.Context(), "k")
	require.NoError(t, err)
	require.NotEqual(t, o.Attributes().ETag, now.ETag, "another version has another tag, also at the same size")
	require.WithinDuration(t, time.Now(), now.ModTime, time.Hour)
}
