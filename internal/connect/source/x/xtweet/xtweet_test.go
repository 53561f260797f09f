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

	"github.com/found-footy/found-footy/internal/connect/source"
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

// TestTheSearchsOwnAddressesComeFirst: what they lead to proves nothing against the post.
func TestTheSearchsOwnAddressesComeFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files  []string
		max    int64
		broken int32 // answers of the file that fail
		looked int32
		ends   string
	}{
		"one that is there":         {files: []string{"/large.mp4"}, ends: "/large.mp4"},
		"one that expired":          {files: []string{"/gone.mp4", "/small.mp4"}, looked: 1, ends: "/large.mp4"},
		"one that is refused":       {files: []string{"/refused.mp4"}, looked: 1, ends: "/large.mp4"},
		"one on another host":       {files: []string{"https://example.org/large.mp4"}, looked: 1, ends: "/large.mp4"},
		"no address":                {files: []string{"%zz"}, looked: 1, ends: "/large.mp4"},
		"a picture":                 {files: []string{"/picture.mp4"}, looked: 1, ends: "/large.mp4"},
		"one that is too large":     {files: []string{"/large.mp4", "/small.mp4"}, max: 6000, ends: "/small.mp4"},
		"one that breaks off":       {files: []string{"/large.mp4"}, broken: 1, looked: 1, ends: "/large.mp4"},
		"one that breaks off twice": {files: []string{"/large.mp4"}, broken: 2, looked: 2, ends: "/large.mp4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t, &site{})
			s.file = func(w http.ResponseWriter, r *http.Request) {
				if s.got.Load() > c.broken {
					whole(w, r)
					return
				}
				w.Header().Set("Content-Length", strconv.Itoa(len(video)))
				_, _ = w.Write(video[:1000*s.got.Load()])
			}
			s.Config.Handler.(*http.ServeMux).HandleFunc("/refused.mp4", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
			s.Config.Handler.(*http.ServeMux).HandleFunc("/picture.mp4", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "image/jpeg") })
			u, err := url.Parse(s.URL)
			require.NoError(t, err)
			f := xtweet.New(xtweet.Options{SyndicationURL: s.URL, AllowedHosts: []string{u.Host}, Pause: time.Millisecond, MaxBytes: c.max}, s.Client())
			known := footy.Candidate{PostID: post}
			for _, file := range c.files {
				if strings.HasPrefix(file, "/") {
					file = s.URL + file
				}
				known.Files = append(known.Files, file)
			}
			file, err := os.Create(t.TempDir() + "/clip.mp4")
			require.NoError(t, err)
			defer file.Close()
			got, err := f.Fetch(t.Context(), known, file)
			require.NoError(t, err)
			require.True(t, strings.HasSuffix(got.URL, c.ends), got.URL)
			require.Equal(t, c.looked, s.looked.Load())
			b, err := os.ReadFile(file.Name())
			require.NoError(t, err)
			sum := sha256.Sum256(b)
			require.Equal(t, hex.EncodeToString(sum[:]), got.Digest)
			if c.ends == "/large.mp4" {
				require.Equal(t, string(video), string(b))
			}
			require.NoError(t, source.Probe(t.Context(), f, known))
		})
	}
}

func TestAFurtherVideoOfAPostIsLookedUpByItsNumber(t *testing.T) {
	t.Parallel()
	s := setup(t, &site{})
	s.tweet = func(base string) string {
		one := func(file string) string {
			return fmt.Sprintf(`{"type":"video","video_info":{"variants":[{"content_type":"video/mp4","bitrate":1,"url":"%s/%s"}]}}`, base, file)
		}
		return fmt.Sprintf(`{"id_str":%q,"mediaDetails":[%s,{"type":"photo"},%s]}`, post, one("large.mp4"), one("small.mp4"))
	}
	u, err := url.Parse(s.URL)
	require.NoError(t, err)
	f := xtweet.New(xtweet.Options{SyndicationURL: s.URL, AllowedHosts: []string{u.Host}, Pause: time.Millisecond}, s.Client())
	for id, ends := range map[string]string{post: "/large.mp4", post + "_2": "/small.mp4"} {
		got, err := f.Fetch(t.Context(), footy.Candidate{PostID: id}, new(bytes.Buffer))
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(got.URL, ends), got.URL)
	}
	_, err = f.Fetch(t.Context(), footy.Candidate{PostID: post + "_3"}, new(bytes.Buffer))
	require.Equal(t, footy.ReasonNoVideo, footy.ReasonOf(err))
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
