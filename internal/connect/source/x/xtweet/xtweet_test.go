package xtweet_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
)

var video = bytes.Repeat([]byte("football"), 40_000)

const post = "1858912345678901234"

// site is a look-up and a file server in one.
type site struct {
	*httptest.Server
	tweet  func(base string) string
	file   http.HandlerFunc
	looked atomic.Int32
	got    atomic.Int32
}

func setup(t *testing.T, s *site) *site {
	t.Helper()
	if s.tweet == nil {
		s.tweet = func(base string) string {
			return fmt.Sprintf(`{"__typename":"Tweet","id_str":"%s","mediaDetails":[{"type":"video","video_info":{"variants":[
			{"content_type":"application/x-mpegURL","url":"%[2]s/v.m3u8"},
			{"content_type":"video/mp4","bitrate":256000,"url":"%[2]s/small.mp4"},
			{"content_type":"video/mp4","bitrate":2176000,"url":"%[2]s/large.mp4"}]}}]}`, post, base)
		}
	}
	if s.file == nil {
		s.file = whole
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/tweet-result", func(w http.ResponseWriter, _ *http.Request) {
		s.looked.Add(1)
		fmt.Fprint(w, s.tweet(s.URL))
	})
	mux.HandleFunc("/small.mp4", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "small.mp4", time.Unix(1, 0), bytes.NewReader(video[:5000]))
	})
	mux.HandleFunc("/large.mp4", func(w http.ResponseWriter, r *http.Request) {
		s.got.Add(1)
		s.file(w, r)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func whole(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "video/mp4")
	http.ServeContent(w, r, "large.mp4", time.Unix(1, 0), bytes.NewReader(video))
}

func fetch(t *testing.T, s *site, change func(*xtweet.Options)) (string, string, error) {
	t.Helper()
	u, err := url.Parse(s.URL)
	require.NoError(t, err)
	o := xtweet.Options{SyndicationURL: s.URL, AllowedHosts: []string{u.Host}, Pause: time.Millisecond}
	if change != nil {
		change(&o)
	}
	file, err := os.Create(t.TempDir() + "/clip.mp4")
	require.NoError(t, err)
	defer file.Close()
	got, err := xtweet.New(o, s.Client()).Fetch(t.Context(), footy.Candidate{PostID: post}, file)
	b, readErr := os.ReadFile(file.Name())
	require.NoError(t, readErr)
	sum := sha256.Sum256(b)
	if err == nil {
		require.Equal(t, hex.EncodeToString(sum[:]), got.Digest, "the digest is that of the bytes written")
		require.Equal(t, int64(len(b)), got.Size)
	}
	return got.URL, string(b), err
}

func TestFetch(t *testing.T) {
	t.Parallel()

	t.Run("takes the MP4 of the highest bitrate", func(t *testing.T) {
		t.Parallel()
		from, b, err := fetch(t, setup(t, &site{}), nil)
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(from, "/large.mp4"))
		require.Equal(t, string(video), b)
	})

	t.Run("a broken transfer goes on where it broke", func(t *testing.T) {
		t.Parallel()
		s := setup(t, &site{})
		var ranges []string
		s.file = func(w http.ResponseWriter, r *http.Request) {
			ranges = append(ranges, r.Header.Get("Range"))
			if len(ranges) > 1 {
				whole(w, r)
				return
			}
			w.Header().Set("Content-Type", "video/mp4")
			w.Header().Set("Content-Length", strconv.Itoa(len(video)))
			_, _ = w.Write(video[:len(video)/2])
		}
		_, b, err := fetch(t, s, nil)
		require.NoError(t, err)
		require.Equal(t, string(video), b)
		require.Equal(t, []string{"", fmt.Sprintf("bytes=%d-", len(video)/2)}, ranges)
	})

	t.Run("a file that always ends early is truncated", func(t *testing.T) {
		t.Parallel()
		s := setup(t, &site{file: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "video/mp4")
			w.Header().Set("Content-Length", strconv.Itoa(len(video)))
			_, _ = w.Write(video[:100])
		}})
		_, _, err := fetch(t, s, nil)
		require.Equal(t, footy.CodeRejected, footy.CodeOf(err))
		require.ErrorContains(t, err, string(footy.ReasonTruncated))
		require.EqualValues(t, 3, s.got.Load())
	})

	t.Run("a refused file is looked up anew, and blocked if it stays refused", func(t *testing.T) {
		t.Parallel()
		s := setup(t, &site{file: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }})
		_, _, err := fetch(t, s, nil)
		require.Equal(t, footy.CodeGeoBlocked, footy.CodeOf(err))
		require.EqualValues(t, 3, s.looked.Load())

		s = setup(t, &site{})
		s.file = func(w http.ResponseWriter, r *http.Request) {
			if s.looked.Load() < 2 {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			whole(w, r)
		}
		_, _, err = fetch(t, s, nil)
		require.NoError(t, err)
	})

	for name, c := range map[string]struct {
		tweet  string
		reason footy.Reason
	}{
		"nothing at all": {`{}`, footy.ReasonDeleted},
		"a tombstone":    {`{"__typename":"TweetTombstone","tombstone":{"text":{"text":"This Post was deleted by the Post author."}}}`, footy.ReasonDeleted},
		"a GIF":          {`{"id_str":"1","mediaDetails":[{"type":"animated_gif","video_info":{"variants":[{"content_type":"video/mp4","url":"http://x/y.mp4"}]}}]}`, footy.ReasonNoVideo},
		"another host":   {`{"id_str":"1","mediaDetails":[{"type":"video","video_info":{"variants":[{"content_type":"video/mp4","url":"http://169.254.169.254/y.mp4"}]}}]}`, footy.ReasonForbiddenURL},
		"a local file":   {`{"id_str":"1","mediaDetails":[{"type":"video","video_info":{"variants":[{"content_type":"video/mp4","url":"file:///etc/passwd"}]}}]}`, footy.ReasonForbiddenURL},
	} {
		t.Run("a post with "+name+" is refused as "+string(c.reason), func(t *testing.T) {
			t.Parallel()
			_, _, err := fetch(t, setup(t, &site{tweet: func(string) string { return c.tweet }}), nil)
			require.Equal(t, footy.CodeRejected, footy.CodeOf(err))
			require.ErrorContains(t, err, string(c.reason))
		})
	}

	t.Run("a file over the limit is refused before it is fetched", func(t *testing.T) {
		t.Parallel()
		_, b, err := fetch(t, setup(t, &site{}), func(o *xtweet.Options) { o.MaxBytes = 1000 })
		require.ErrorContains(t, err, string(footy.ReasonTooLarge))
		require.Empty(t, b)
	})

	t.Run("a page instead of a video is somebody's between us and X", func(t *testing.T) {
		t.Parallel()
		s := setup(t, &site{file: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>sorry</html>") }})
		_, _, err := fetch(t, s, nil)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
		require.Equal(t, footy.ReasonFetchFailed, footy.ReasonOf(err))
	})

	t.Run("a look-up that fails is no empty answer", func(t *testing.T) {
		t.Parallel()
		_, _, err := fetch(t, setup(t, &site{tweet: func(string) string { return `<html>` }}), nil)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
		require.Equal(t, footy.ReasonFetchFailed, footy.ReasonOf(err))
	})
}
