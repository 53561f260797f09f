package demo_test

import (
	"io"
	"log/slog"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/demo"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/world/script"
)

// TestModes plays the short day in each mode that it says something of. `make modes` asks for it: two days at a time take
// some eight minutes.
func TestModes(t *testing.T) {
	if os.Getenv("FOOTY_E2E") == "" {
		t.Skip("plays six short match days; run it with: make modes")
	}
	cfg, err := config.Load()
	require.NoError(t, err)
	w, err := demo.World{Config: cfg, Short: true, Err: os.Stderr}.Start(t.Context())
	require.NoError(t, err, "its clips are drawn once")
	require.NoError(t, w.Close())
	for _, m := range script.Short().Manners {
		t.Run(m.Mode.Mode, func(t *testing.T) {
			t.Parallel()
			playIn(t, m.Mode.Mode)
		})
	}
}

// TestADayOfSeveralModes plays what has nothing to do with each other at once: a key that may not ask much, a model that is
// exchanged in the middle of the day.
func TestADayOfSeveralModes(t *testing.T) {
	if os.Getenv("FOOTY_E2E") == "" {
		t.Skip("plays a short match day; run it with: make modes-short")
	}
	playIn(t, "free_plan", "blind_model")
}

// TestNothingWhileRedditRefuses: with nothing configured, and Reddit refusing in each of its manners, four of five goals have their clip.
func TestNothingWhileRedditRefuses(t *testing.T) {
	if os.Getenv("FOOTY_E2E") == "" {
		t.Skip("plays two short match days; run it with: make modes")
	}
	for _, how := range []string{script.RedditBlocked, script.RedditEmpty} {
		t.Run(how, func(t *testing.T) {
			sum := playIn(t, script.Nothing, how)
			require.GreaterOrEqual(t, 5*sum.Proven, 4*sum.Posted)
			require.Positive(t, sum.Posted)
		})
	}
}

// playIn plays the short day without Chromium: what its modes are about is not how X is searched.
func playIn(t *testing.T, modes ...string) *demo.Summary {
	t.Helper()
	cfg, err := config.Load()
	require.NoError(t, err)
	cfg.Program.Chromium = "none"
	d := demo.Demo{World: demo.World{Config: cfg, State: t.TempDir(), Err: os.Stderr, Short: true, Modes: modes}, Log: slog.New(slog.DiscardHandler), Version: "test", Exit: true}
	sum, err := d.Run(t.Context())
	require.NoError(t, err)
	require.NotNil(t, sum)
	require.Empty(t, sum.Expectations.Failed, sum.TooSlow)
	return sum
}

func TestAModeThatNobodyKnowsIsNamed(t *testing.T) {
	t.Parallel()
	_, err := demo.World{Short: true, Modes: []string{"deaf_model"}, ClipDir: t.TempDir(), Err: io.Discard}.Start(t.Context())
	require.ErrorContains(t, err, `mode "deaf_model": unknown; there are blind_model, blocked_fetch, slow_model, small_context, stale_start, no_model, no_app, nothing, every_kind, free_plan`)
}
