package web_test

import (
	"maps"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web"
)

func TestAnswersAreCountedByRoute(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]int{}
	s := newTestServer(t, func(o *web.Options) {
		o.Observe = func(route string, status int, _ time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			seen[route] = status
		}
	})
	s.DemoDay([]byte("0123456789"), []byte("jpg"))
	f, err := s.Store.Fixture(t.Context(), 5001)
	require.NoError(t, err)
	require.Equal(t, "234", text(t, s.Get(footy.ClipPath("5001-1", f.Events[0].Clips[0].ID, ""), "Range", "bytes=2-4")))
	s.Get("/day/2026-11-14")
	s.Get("/g/none")
	_, _ = wait(t, s.listen())
	want := map[string]int{"GET /v/{event}/{clip}": http.StatusPartialContent, "GET /day/{date}": http.StatusOK, "GET /g/{event}": http.StatusNotFound,
		"GET /api/v1/stream": http.StatusOK}
	require.Eventually(t, func() bool { // an answer is counted when its handler ends, which its reader may see before
		mu.Lock()
		defer mu.Unlock()
		return maps.Equal(want, seen)
	}, time.Minute, 10*time.Millisecond)
	require.Equal(t, 1, s.Hub.Readers())
}
