package web_test

import (
	"html"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
)

// TestTheMinuteOfAStoredMatchGoesOn asks for a match that is not written meanwhile.
func TestTheMinuteOfAStoredMatchGoesOn(t *testing.T) {
	t.Parallel()
	var passed atomic.Int64
	s := newTestServer(t, func(o *web.Options) {
		o.Now = func() time.Time { return webtest.Noon.Add(time.Duration(passed.Load())) }
	})
	f := webtest.Match(5001, webtest.Team(40, "Liverpool"), webtest.Team(49, "Chelsea"), webtest.Noon.Add(-40*time.Minute), "1H", 38, 0, 0)
	f.Match.Status.Since = webtest.Noon
	s.Add(f)
	for _, c := range []struct {
		after time.Duration
		label string
	}{{0, "38'"}, {3 * time.Minute, "41'"}, {9 * time.Minute, "45+2'"}} {
		passed.Store(int64(c.after))
		s.Hub.Publish("health") // what is cached ends
		status := decode(t, s.Get("/api/v1/fixtures/5001"))["status"].(map[string]any)
		require.Equal(t, c.label, status["label"])
		page := html.UnescapeString(text(t, s.Get("/day/2026-11-14")))
		require.Contains(t, page, ` 60000 45">`+c.label+"</span>")
	}
	s.Update(5001, func(f *footy.Fixture) { f.Match.Status.Code = "HT" })
	page := text(t, s.Get("/day/2026-11-14"))
	require.NotContains(t, page, "data-clock=")
	require.Contains(t, page, "<span>HT</span>")
}
