package reddit_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/sourcetest"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
)

// outside has one post with one file, and fails in one way; the faults are those of every fetcher.
type outside struct {
	fault sourcetest.FetchFault
	file  []byte
}

// files serves the one file, or fails as it is to.
func files(script outside) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		switch script.fault {
		case sourcetest.FileRefused:
			http.Error(w, "", http.StatusForbidden)
		case sourcetest.FileGone:
			http.NotFound(w, r)
		case sourcetest.FileBroken:
			http.Error(w, "", http.StatusBadGateway)
		case sourcetest.FileIsPage:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html>log in to the hotel</html>"))
		default:
			w.Header().Set("Content-Type", "video/mp4")
			http.ServeContent(w, r, "", time.Unix(1, 0), bytes.NewReader(script.file))
		}
	}
}

func TestTheFileOfAPostIsFetched(t *testing.T) {
	t.Parallel()
	for fault, want := range map[sourcetest.FetchFault]struct {
		code   footy.Code
		reason footy.Reason
	}{
		"":                       {},
		sourcetest.LookupRefused: {footy.CodeGeoBlocked, footy.ReasonGeoBlocked},
		sourcetest.LookupGone:    {footy.CodeRejected, footy.ReasonDeleted},
		sourcetest.LookupNothing: {footy.CodeRejected, footy.ReasonDeleted},
		sourcetest.LookupLimited: {footy.CodeRateLimited, footy.ReasonFetchFailed},
		sourcetest.LookupBroken:  {footy.CodeUnavailable, footy.ReasonFetchFailed},
		sourcetest.NoVideo:       {footy.CodeRejected, footy.ReasonNoVideo},
		sourcetest.FileRefused:   {footy.CodeGeoBlocked, footy.ReasonGeoBlocked},
		sourcetest.FileGone:      {footy.CodeRejected, footy.ReasonDeleted},
		sourcetest.FileBroken:    {footy.CodeUnavailable, footy.ReasonFetchFailed},
		sourcetest.FileIsPage:    {footy.CodeUnavailable, footy.ReasonFetchFailed},
	} {
		t.Run("where "+string(fault), func(t *testing.T) {
			t.Parallel()
			script := outside{fault, bytes.Repeat([]byte("football"), 10_000)}
			f := fetcher(t, script)
			var out bytes.Buffer
			got, err := f.Fetch(t.Context(), footy.Candidate{PostID: "t3_1"}, &out)
			probed := source.Probe(t.Context(), f, footy.Candidate{PostID: "t3_1"})
			if fault == "" {
				require.NoError(t, err)
				require.NoError(t, probed)
				sum := sha256.Sum256(script.file)
				require.Equal(t, hex.EncodeToString(sum[:]), got.Digest)
				require.Equal(t, script.file, out.Bytes())
				return
			}
			for _, err := range []error{err, probed} {
				require.Equal(t, want.code, footy.CodeOf(err), "%v", err)
				require.Equal(t, want.reason, footy.ReasonOf(err), "%v", err)
			}
		})
	}
}

// fetcher is one whose Reddit has the script's post, with a file on the same host.
func fetcher(t *testing.T, script outside) *reddit.Fetcher {
	t.Helper()
	var s *site
	s = newSite(t, func(_, query string) (int, map[string]string, string) {
		p := video("t3_1", "Ajax 0 - [1] Celtic - MacAllan 60'", time.Now())
		p["secure_media"].(map[string]any)["reddit_video"].(map[string]any)["fallback_url"] = s.URL + "/v/1/CMAF_720.mp4?source=fallback"
		switch script.fault {
		case sourcetest.LookupRefused:
			return http.StatusUnavailableForLegalReasons, nil, ""
		case sourcetest.LookupGone:
			p["removed_by_category"] = "deleted"
		case sourcetest.LookupLimited:
			return http.StatusTooManyRequests, map[string]string{"Retry-After": "7"}, ""
		case sourcetest.LookupBroken:
			return http.StatusBadGateway, nil, "<html>"
		case sourcetest.NoVideo:
			p["secure_media"], p["url"] = nil, "https://i.redd.it/1.png"
		}
		if script.fault == sourcetest.LookupNothing || !strings.Contains(query, "t3_1") {
			return http.StatusOK, nil, listed()
		}
		return http.StatusOK, nil, listed(p)
	})
	api := s.Config.Handler
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v/") {
			files(script)(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
	u, err := url.Parse(s.URL)
	require.NoError(t, err)
	return reddit.NewFetcher(s.source(), xtweet.Options{AllowedHosts: []string{u.Host}, Tries: 2, Pause: time.Millisecond}, s.Client())
}
