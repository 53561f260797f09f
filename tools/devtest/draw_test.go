package devtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/tools/devtest"
)

func TestASampleIsDrawnOnce(t *testing.T) {
	home, log := t.TempDir(), filepath.Join(t.TempDir(), "runs")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	program := devtest.Script(t, "ffmpeg", `for out; do :; done; echo run >>`+log+`; echo "$@" | sed "s, [^ ]*$,," >"$out"`)
	t.Setenv("PATH", filepath.Dir(program)+":"+os.Getenv("PATH"))
	input := filepath.Join(t.TempDir(), "input")
	write := func(text string) { require.NoError(t, os.WriteFile(input, []byte(text), 0o600)) }
	draw := func(name string, args ...string) (file string, runs int) {
		file = devtest.Draw(t, name, args...)
		said, err := os.ReadFile(log)
		require.NoError(t, err)
		return file, strings.Count(string(said), "run")
	}
	write("one")
	first, runs := draw("a.mp4", "-i", input)
	require.Equal(t, 1, runs)
	again, runs := draw("b.mp4", "-i", input)
	require.Equal(t, 1, runs, "whatever it is called")
	require.NotEqual(t, filepath.Dir(first), filepath.Dir(again), "what lies beside it is its test's")
	want, err := os.ReadFile(first)
	require.NoError(t, err)
	got, err := os.ReadFile(again)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))

	_, runs = draw("a.mkv", "-i", input)
	require.Equal(t, 2, runs, "another kind of file")
	_, runs = draw("a.mp4", "-i", input, "-an")
	require.Equal(t, 3, runs, "another argument")
	write("two")
	_, runs = draw("a.mp4", "-i", input)
	require.Equal(t, 4, runs, "another input of the same name")

	kept, err := filepath.Glob(filepath.Join(home, "*", "found-footy", "samples", "*"))
	require.NoError(t, err)
	if len(kept) == 0 { // macOS
		kept, err = filepath.Glob(filepath.Join(home, "Library", "Caches", "found-footy", "samples", "*"))
		require.NoError(t, err)
	}
	require.Len(t, kept, 4, "nothing else")
	old := time.Now().AddDate(0, 0, -40)
	for _, sample := range kept {
		require.NoError(t, os.Chtimes(sample, old, old))
	}
	_, runs = draw("a.mp4", "-i", input)
	require.Equal(t, 4, runs, "one that is old is as good")
	require.NoError(t, os.Chtimes(program, old, old))
	_, runs = draw("a.mp4", "-i", input)
	require.Equal(t, 5, runs, "another program")
	left := 0
	for _, sample := range kept {
		if _, err := os.Stat(sample); err == nil {
			left++
		}
	}
	require.Equal(t, 1, left, "what was not asked for in a long time is gone, what was is not")
}
