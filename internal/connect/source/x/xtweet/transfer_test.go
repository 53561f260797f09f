package xtweet_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
)

// breaking serves half of the file first, then what next says.
func breaking(s *site, tag string, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.got.Load() > 1 {
			next(w, r)
			return
		}
		w.Header().Set("ETag", tag)
		w.Header().Set("Content-Type", "video/mp4")
		w.Header().Set("Content-Length", strconv.Itoa(len(video)))
		_, _ = w.Write(video[:len(video)/2])
	}
}

func TestBrokenTransfers(t *testing.T) {
	t.Parallel()

	t.Run("a server that cannot resume repeats the same bytes", func(t *testing.T) {
		t.Parallel()
		s := setup(t, &site{})
		s.file = breaking(s, "", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "video/mp4")
			w.Header().Set("Content-Length", strconv.Itoa(len(video)))
			_, _ = w.Write(video)
		})
		_, b, err := fetch(t, s, nil)
		require.NoError(t, err)
		require.Equal(t, string(video), b)
	})

	t.Run("the bytes of a changed file never follow those of the old one", func(t *testing.T) {
		t.Parallel()
		other := bytes.Repeat([]byte("handball"), 40_000)
		s := setup(t, &site{})
		s.file = breaking(s, `"old"`, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"new"`)
			w.Header().Set("Content-Type", "video/mp4")
			http.ServeContent(w, r, "", time.Unix(2, 0), bytes.NewReader(other))
		})
		_, b, err := fetch(t, s, nil)
		require.NoError(t, err)
		require.Equal(t, string(other), b)
	})

	t.Run("a writer that cannot start over gets no mixed file", func(t *testing.T) {
		t.Parallel()
		s := setup(t, &site{})
		s.file = breaking(s, "", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "video/mp4")
			_, _ = w.Write(bytes.Repeat([]byte("handball"), 40_000))
		})
		var buf bytes.Buffer
		_, err := fetcher(t, s).Fetch(t.Context(), footy.Candidate{PostID: post}, &buf)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
		require.ErrorContains(t, err, "cannot begin anew")
	})

	t.Run("a range that was not asked for is refused", func(t *testing.T) {
		t.Parallel()
		s := setup(t, &site{})
		s.file = breaking(s, "", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 5-9/10")
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write([]byte("xxxxx"))
		})
		var buf bytes.Buffer
		_, err := fetcher(t, s).Fetch(t.Context(), footy.Candidate{PostID: post}, &buf)
		require.ErrorContains(t, err, "cannot begin anew")
	})

	t.Run("a file of unknown length stops at the limit", func(t *testing.T) {
		t.Parallel()
		s := setup(t, &site{file: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "video/mp4")
			for range 100 {
				_, _ = w.Write(video)
				w.(http.Flusher).Flush()
			}
		}})
		_, b, err := fetch(t, s, func(o *xtweet.Options) { o.MaxBytes = 1 << 20 })
		require.ErrorContains(t, err, string(footy.ReasonTooLarge))
		require.LessOrEqual(t, len(b), 1<<20)
	})

	t.Run("an empty file is truncated", func(t *testing.T) {
		t.Parallel()
		s := setup(t, &site{file: func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "video/mp4") }})
		_, _, err := fetch(t, s, nil)
		require.ErrorContains(t, err, string(footy.ReasonTruncated))
	})

	t.Run("a full disk is not tried again", func(t *testing.T) {
		t.Parallel()
		s := setup(t, &site{})
		_, err := fetcher(t, s).Fetch(t.Context(), footy.Candidate{PostID: post}, full{})
		require.ErrorIs(t, err, errFull)
		require.EqualValues(t, 1, s.got.Load())
	})
}

var errFull = errors.New("no space left on device")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func fetcher(t *testing.T, s *site) *xtweet.Fetcher {
	t.Helper()
	u, err := url.Parse(s.URL)
	require.NoError(t, err)
	return xtweet.New(xtweet.Options{SyndicationURL: s.URL, AllowedHosts: []string{u.Host}, Pause: time.Millisecond}, s.Client())
}

func TestAnswersOfTheLookup(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]footy.Code{404: footy.CodeRejected, 403: footy.CodeGeoBlocked, 429: footy.CodeRateLimited,
		503: footy.CodeUnavailable, 418: footy.CodeUnavailable} {
		looked := 0
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			looked++
			if q := r.URL.Query(); r.URL.Path != "/tweet-result" || q.Get("id") != post || q.Get("token") == "" {
				t.Errorf("asked %s", r.URL)
			}
			w.Header().Set("Retry-After", "9")
			w.WriteHeader(status)
		}))
		t.Cleanup(srv.Close)
		var buf bytes.Buffer
		_, err := xtweet.New(xtweet.Options{SyndicationURL: srv.URL, Pause: time.Millisecond}, srv.Client()).
			Fetch(t.Context(), footy.Candidate{PostID: post}, &buf)
		require.Equal(t, want, footy.CodeOf(err), status)
		if status == 429 {
			var e *footy.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, 9*time.Second, e.RetryAfter)
		}
		if status == 403 {
			require.Equal(t, 1, looked, "a 403 of the look-up is final")
		}
	}
}

func TestAddressesThatPostsSupplyLeadNowhereElse(t *testing.T) {
	t.Parallel()
	inside := 0
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside++ }))
	t.Cleanup(private.Close)
	s := setup(t, &site{file: func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, private.URL, http.StatusFound) }})
	u, err := url.Parse(s.URL)
	require.NoError(t, err)
	client := httpx.New(httpx.Options{AllowHosts: []string{u.Host}})
	var buf bytes.Buffer
	f := xtweet.New(xtweet.Options{SyndicationURL: s.URL, AllowedHosts: []string{u.Host}, Pause: time.Millisecond}, client)
	_, err = f.Fetch(t.Context(), footy.Candidate{PostID: post}, &buf)
	require.ErrorContains(t, err, string(footy.ReasonForbiddenURL))
	require.Zero(t, inside)
	require.EqualValues(t, 1, s.got.Load(), "a refused address is not tried again")
}
