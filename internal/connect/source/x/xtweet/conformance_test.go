package xtweet_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source/sourcetest"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	sourcetest.RunFetcher(t, func(t *testing.T, s *sourcetest.FetchScript) sourcetest.FetchBench {
		t.Helper()
		srv := httptest.NewServer(outside(s))
		t.Cleanup(srv.Close)
		u, err := url.Parse(srv.URL)
		require.NoError(t, err)
		return sourcetest.FetchBench{Stop: srv.Close, Fetcher: xtweet.New(
			xtweet.Options{SyndicationURL: srv.URL, AllowedHosts: []string{u.Host}, Pause: time.Millisecond}, httpx.New(httpx.Options{}))}
	})
}

// outside answers as X does.
func outside(s *sourcetest.FetchScript) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/tweet-result", func(w http.ResponseWriter, r *http.Request) {
		switch s.Fault() {
		case sourcetest.LookupRefused:
			http.Error(w, "Forbidden", http.StatusForbidden)
		case sourcetest.LookupGone:
			http.NotFound(w, r)
		case sourcetest.LookupNothing:
			fmt.Fprint(w, "{}")
		case sourcetest.LookupLimited:
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		case sourcetest.LookupBroken:
			http.Error(w, "over capacity", http.StatusServiceUnavailable)
		case sourcetest.NoVideo:
			fmt.Fprintf(w, `{"__typename":"Tweet","id_str":%q,"mediaDetails":[{"type":"photo"}]}`, s.Post)
		default:
			fmt.Fprintf(w, `{"__typename":"Tweet","id_str":%q,"mediaDetails":[{"type":"video","video_info":{"variants":[
				{"content_type":"video/mp4","bitrate":832000,"url":"http://%s/a.mp4"}]}}]}`, s.Post, r.Host)
		}
	})
	var connections atomic.Int64
	mux.HandleFunc("/a.mp4", func(w http.ResponseWriter, r *http.Request) {
		n := int(connections.Add(1))
		switch s.Fault() {
		case sourcetest.FileRefused:
			http.Error(w, "Forbidden", http.StatusForbidden)
		case sourcetest.FileGone:
			http.NotFound(w, r)
		case sourcetest.FileBroken:
			http.Error(w, "bad gateway", http.StatusBadGateway)
		case sourcetest.FileIsPage:
			fmt.Fprint(w, "<html>log in to the hotel</html>")
		case sourcetest.FileCut:
			cut(w, s.File, 1000)
		case sourcetest.FileUneven:
			cut(w, s.File, 1000*n)
		default:
			w.Header().Set("Content-Type", "video/mp4")
			http.ServeContent(w, r, "", time.Unix(1, 0), bytes.NewReader(s.File))
		}
	})
	return mux
}

func cut(w http.ResponseWriter, file []byte, at int) {
	w.Header().Set("Content-Type", "video/mp4")
	w.Header().Set("Content-Length", strconv.Itoa(len(file)))
	_, _ = w.Write(file[:at])
}
