package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

const mark = "MARKED-SECRET"

// markedHealth has the mark wherever a part can say something.
type markedHealth struct{ state health.State }

func (m markedHealth) Health(context.Context) health.Report {
	r := health.Report{State: m.state, At: noon}
	for _, name := range []string{health.Engine, health.Database, health.Clips, health.Feed, health.Followed, health.Search, health.Fetch, health.Model, health.Proof,
		health.Ledger, health.Programs, "anything new"} {
		r.Parts = append(r.Parts, health.Part{Name: name, State: m.state, Since: noon.Add(-time.Hour), Reason: mark + " in /home/" + mark, Remedy: "Set " + mark + ".", Unasked: m.state == health.StateOK,
			Facts: map[string]any{"budget_left": 31337, "spent_" + mark: 1.5, "account": mark, "reddit_by": mark, "last_check": mark, "samples": []string{mark}, "calls_per_day": mark}})
	}
	return r
}

// TestNoPublicAnswerSaysWhatIsTheOperators: reasons, remedies and figures of health name accounts, spending, hosts and files.
func TestNoPublicAnswerSaysWhatIsTheOperators(t *testing.T) {
	t.Parallel()
	for _, state := range health.States() {
		s := newTestServer(t, func(o *web.Options) { o.Health = markedHealth{state} })
		for _, path := range []string{"/", "/day/2026-11-14", "/watch", "/health", "/waiting", "/search?q=a", "/admin", "/nope", "/api/v1/health", "/api/v1/coverage", "/api/v1/waiting", "/api/v1/dates", "/api/v1/fixtures",
			"/feed.xml", "/readyz", "/healthz", "/oembed", "/manifest.webmanifest"} {
			headers := [][]string{nil, {"X-Forwarded-For", "203.0.113.7"}, {"Cookie", "ff_admin=1.x"}}
			if strings.HasSuffix(path, "/health") { // a wrong token is a guess, and few are allowed
				headers = append(headers, []string{"Authorization", "Bearer wrong"})
			}
			for _, header := range headers {
				res := s.Get(path, header...)
				body := text(t, res)
				for _, secret := range []string{mark, "31337", "31,337"} {
					if strings.Contains(body, secret) {
						require.FailNow(t, "a secret is told", "%s %s with %v", state, path, header)
					}
				}
				for name, values := range res.Header {
					require.NotContains(t, strings.Join(values, " "), mark, name)
				}
			}
		}
		require.Contains(t, text(t, s.Get("/api/v1/health", "Authorization", "Bearer "+adminToken)), mark)
		require.Contains(t, text(t, s.Get("/health", "Cookie", s.signIn())), mark)
	}
}

func TestTheLiveStreamCarriesNoHealth(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.Health = markedHealth{health.StateDown} })
	res := s.Get("/api/v1/stream")
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		require.NotContains(t, lines.Text(), mark)
		if strings.Contains(lines.Text(), "event: connected") {
			s.Hub.Publish(stream.EntityHealth)
		}
		if strings.Contains(lines.Text(), `"entity":"health"`) {
			return
		}
	}
	t.Fatal("the announcement did not come")
}

func TestReadersSeeWhichPartIsDownAndSinceWhen(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.Health = markedHealth{health.StateDown} })
	var got health.Report
	require.NoError(t, json.Unmarshal([]byte(text(t, s.Get("/api/v1/health"))), &got))
	require.Equal(t, health.StateDown, got.State)
	require.Equal(t, noon, got.At)
	require.Len(t, got.Parts, 12)
	require.Equal(t, health.Part{Name: health.Engine, State: health.StateDown, Since: noon.Add(-time.Hour)}, got.Parts[0])
	page := text(t, s.Get("/health"))
	for _, want := range []string{"Vision model", "14 Nov 15:20", "down", "What does not work", "footy doctor", "/admin?back=/health"} {
		require.Contains(t, page, want)
	}
}

// TestThisMachineSeesHealthWhereNobodyCanSignIn: the rule of /metrics.
func TestThisMachineSeesHealthWhereNobodyCanSignIn(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.Health, o.AdminToken = markedHealth{health.StateDown}, "" })
	for _, path := range []string{"/health", "/api/v1/health"} {
		require.Contains(t, text(t, s.Get(path)), mark)
		res := s.Get(path, "X-Forwarded-For", "127.0.0.1")
		require.Equal(t, http.StatusOK, res.StatusCode)
		require.NotContains(t, text(t, res), mark)
	}
}
