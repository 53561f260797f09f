package demo_test

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/demo"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

// served is a world with modes, whose clips nobody draws.
func served(t *testing.T, modes ...script.Mode) *world.World {
	t.Helper()
	day := script.Short()
	day.Modes = modes
	w, err := world.New(world.Options{Script: day, ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func TestAWorldWithoutAModelSaysSoInItsSettings(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(nil)
	require.NoError(t, err)
	lines := demo.World{Config: c}.Settings(served(t, script.Mode{Mode: script.NoModel}))
	require.Contains(t, lines, "PROOF=clock")
	require.NotContains(t, strings.Join(lines, "\n"), "LLAMA_")
	lines = demo.World{Config: c}.Settings(served(t))
	require.NotContains(t, strings.Join(lines, "\n"), "PROOF=")
	require.Contains(t, strings.Join(lines, "\n"), "LLAMA_URL=http")
}

func TestAWorldSaysWhenAModeEnds(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	day := served(t, script.Mode{Mode: "blind_model", Minutes: 0.01}, script.Mode{Mode: "free_plan"})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		demo.World{Err: w}.Watch(ctx, day)
	}()
	lines := bufio.NewScanner(r)
	for _, want := range []string{"Mode blind_model until minute 0.01", "Mode free_plan all day", "blind_model is over"} {
		require.True(t, lines.Scan())
		require.Contains(t, lines.Text(), want)
	}
	stop()
	<-ended
}

func TestAnAddressIsRefusedBeforeClipsAreDrawn(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(nil)
	require.NoError(t, err)
	for _, o := range []demo.World{{Addr: "nonsense"}, {Addr: "127.0.0.1:99999"}, {Control: "0.0.0.0:0"}, {Control: "127.0.0.1:99999"}} {
		var said strings.Builder
		o.Config, o.Short, o.ClipDir, o.Err = c, true, t.TempDir(), &said
		_, err := o.Start(t.Context())
		require.ErrorContains(t, err, "address", o)
		require.Empty(t, said.String(), "nothing was drawn")
	}
}
