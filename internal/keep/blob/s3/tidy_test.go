package s3_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

func TestUploadsThatBrokeOffAreAborted(t *testing.T) {
	t.Parallel()
	opts := server(t)
	opts.Bucket = "footy"
	s, err := open(t, opts)
	require.NoError(t, err)
	core, err := minio.NewCore(opts.Endpoint, &minio.Options{Creds: credentials.NewStaticV4(accessKey, secretKey, "")})
	require.NoError(t, err)
	for _, key := range []string{"clips/e/a.mp4", "staging/b/clip.mp4", "of-somebody-else"} {
		id, err := core.NewMultipartUpload(t.Context(), opts.Bucket, key, minio.PutObjectOptions{})
		require.NoError(t, err)
		_, err = core.PutObjectPart(t.Context(), opts.Bucket, key, id, 1, bytes.NewReader(make([]byte, 5<<20)), 5<<20, minio.PutObjectPartOptions{})
		require.NoError(t, err)
	}
	left := func() (keys []string) {
		for u := range core.ListIncompleteUploads(t.Context(), opts.Bucket, "", true) {
			require.NoError(t, u.Err)
			keys = append(keys, u.Key)
		}
		return keys
	}
	require.NoError(t, s.Tidy(t.Context(), time.Now().Add(-time.Hour)))
	require.Len(t, left(), 3, "they may be under way")
	require.NoError(t, s.Tidy(t.Context(), time.Now().Add(time.Hour)))
	require.Equal(t, []string{"of-somebody-else"}, left())
}

// cutting breaks the first upload off in the middle of its body, as a connection that is cut does.
type cutting struct {
	next http.RoundTripper
	puts atomic.Int64
}

func (c *cutting) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPut && r.ContentLength > 1000 && c.puts.Add(1) == 1 {
		_, _ = io.CopyN(io.Discard, r.Body, 1000)
		_ = r.Body.Close()
		return nil, io.ErrUnexpectedEOF
	}
	return c.next.RoundTrip(r)
}

func TestAnUploadThatWasCutIsRepeated(t *testing.T) {
	t.Parallel()
	opts := server(t)
	opts.Bucket = "footy"
	wire := &cutting{next: http.DefaultTransport}
	opts.Transport = wire
	s, err := open(t, opts)
	require.NoError(t, err)
	want := bytes.Repeat([]byte("clip"), 50_000)
	path := filepath.Join(t.TempDir(), "clip.mp4")
	require.NoError(t, os.WriteFile(path, want, 0o600))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, s.Put(t.Context(), "staging/a/clip.mp4", f, int64(len(want)), blob.Info{}))
	require.EqualValues(t, 2, wire.puts.Load())
	o, err := s.Open(t.Context(), "staging/a/clip.mp4")
	require.NoError(t, err)
	defer o.Close()
	got, err := io.ReadAll(o)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, got))
}

// plain is a server that refuses conditions.
type plain struct{ next http.RoundTripper }

func (p plain) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("If-None-Match") == "" {
		return p.next.RoundTrip(r)
	}
	_, _ = io.Copy(io.Discard, r.Body)
	_ = r.Body.Close()
	const body = `<?xml version="1.0"?><Error><Code>InvalidRequest</Code><Message>no conditions</Message></Error>`
	return &http.Response{StatusCode: http.StatusBadRequest, Header: http.Header{"Content-Type": {"application/xml"}}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
}

func TestAServerWithoutConditionsIsAskedFirst(t *testing.T) {
	t.Parallel()
	opts := server(t)
	opts.Bucket = "footy"
	opts.Transport = plain{http.DefaultTransport}
	s, err := open(t, opts)
	require.NoError(t, err)
	require.NoError(t, s.Create(t.Context(), "one.json", []byte("first")))
	require.Equal(t, footy.CodeConflict, footy.CodeOf(s.Create(t.Context(), "one.json", []byte("late"))))
	at, err := s.Stat(t.Context(), "one.json")
	require.NoError(t, err)
	require.EqualValues(t, 5, at.Size)
}

// watching counts the bytes that go to the server.
type watching struct {
	next http.RoundTripper
	sent atomic.Int64
	got  atomic.Int64
}

func (w *watching) RoundTrip(r *http.Request) (*http.Response, error) {
	w.sent.Add(max(r.ContentLength, 0))
	res, err := w.next.RoundTrip(r)
	if err == nil {
		w.got.Add(max(res.ContentLength, 0))
	}
	return res, err
}

func TestACopyMovesNoBytes(t *testing.T) {
	t.Parallel()
	opts := server(t)
	opts.Bucket = "footy"
	wire := &watching{next: http.DefaultTransport}
	opts.Transport = wire
	s, err := open(t, opts)
	require.NoError(t, err)
	body := make([]byte, 5<<20)
	require.NoError(t, s.Put(t.Context(), "staging/a/clip.mp4", bytes.NewReader(body), int64(len(body)), blob.Info{}))
	sent, got := wire.sent.Load(), wire.got.Load()
	require.NoError(t, s.Copy(t.Context(), "staging/a/clip.mp4", "clips/e/a.mp4", blob.Info{ContentType: "video/mp4"}))
	require.Less(t, wire.sent.Load()-sent+wire.got.Load()-got, int64(10_000))
}
