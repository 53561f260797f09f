package demo_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/demo"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

// TestAModeEndsWhenItWasSeen: a machine that is late, or starts late, sees it later.
func TestAModeEndsWhenItWasSeen(t *testing.T) {
	t.Parallel()
	s := script.Short()
	s.Manners = []script.Manner{{Mode: script.Mode{Mode: "blocked_fetch", Minutes: 22}, While: &script.Sight{
		Health: []script.PartExpect{{Part: health.Fetch, State: "down"}}, Waiting: map[string]int{"": 4}}}}
	require.NoError(t, s.With("blocked_fetch"))
	w, err := world.New(world.Options{Script: s, ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, w.Close()) })

	var down atomic.Bool
	var waiting atomic.Int64
	page := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		answer := any(map[string]any{"causes": []any{map[string]any{"cause": "deleted", "count": waiting.Load()}}})
		if r.URL.Path == "/api/v1/health" {
			part := health.Part{Name: health.Fetch, State: health.StateDegraded}
			if down.Load() {
				part.State = health.StateDown
			}
			answer = health.Report{Parts: []health.Part{part}}
		}
		_ = json.NewEncoder(rw).Encode(answer)
	}))
	t.Cleanup(page.Close)
	eyes := demo.Watch(w, page.URL)
	look := func(minute float64, err error) bool {
		eyes.Look(t.Context(), minute, func() (world.Outcome, error) { return world.Outcome{}, err })
		return eyes.Holding()
	}

	require.True(t, look(21, nil))
	require.True(t, look(22, nil), "its minutes are over, and nobody was told")
	waiting.Store(4)
	down.Store(true)
	require.True(t, look(40, errors.New("the database is busy")), "who could not look has not seen it")
	require.False(t, look(41, nil))
	down.Store(false)
	require.False(t, look(42, nil))
}

func TestADayThatGoesOnDoesNotBringBackAModeThatIsOver(t *testing.T) {
	t.Parallel()
	s := script.Short()
	require.NoError(t, s.With("stale_start", "blocked_fetch"))
	w, err := world.New(world.Options{Script: s, ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	require.Greater(t, s.Begins(), 22.0)
	require.False(t, demo.Watch(w, "").Holding())
}
