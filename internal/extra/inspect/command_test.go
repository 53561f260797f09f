package inspect_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/internal/run/config"
)

// inspectCommands are all commands below footy inspect: "clip dedup".
func inspectCommands(t *testing.T) (out []string) {
	t.Helper()
	parser, err := kong.New(&struct {
		Inspect inspect.Cmd `cmd:""`
	}{}, kong.Name("footy"))
	require.NoError(t, err)
	for _, leaf := range parser.Model.Leaves(false) {
		path, _, _ := strings.Cut(strings.TrimPrefix(leaf.Path(), "inspect "), " <")
		path, _, _ = strings.Cut(path, " [")
		out = append(out, path)
	}
	return out
}

func TestEveryInspectCommandIsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	commands := inspectCommands(t)
	require.Len(t, commands, 14)
	for _, c := range commands {
		require.Contains(t, string(page), "bin/footy inspect "+c, "no example of it")
	}
}

// TestRulesOnAFileNeedNoSettings: what is asked of a clip, a page or a title is answered beside a broken footy.env, and by the programs of the environment.
func TestRulesOnAFileNeedNoSettings(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("footy.env", []byte("this is no setting\n"), 0o600))
	t.Setenv("FFPROBE", "/nowhere/ffprobe")
	require.NoError(t, os.WriteFile("a.mp4", []byte("no video"), 0o600))
	for line, says := range map[string]string{
		"host https://streamff.com/v/x --page a.mp4": "",
		"replay a.mp4":               "a.mp4",
		"clock --elapsed 45 67":      "stdin",
		"clip facts a.mp4":           "/nowhere/ffprobe",
		"clip compare a.mp4 ./a.mp4": "/nowhere/ffprobe",
		"title Napoli":               "",
		"query --player Salah --team Liverpool --kind red_card": "",
	} {
		parser, err := kong.New(&struct {
			Inspect inspect.Cmd `cmd:""`
		}{}, kong.Name("footy"), kong.BindTo(t.Context(), (*context.Context)(nil)), kong.BindToProvider(func() (config.Config, error) { return config.Load() }))
		require.NoError(t, err)
		k, err := parser.Parse(append([]string{"inspect"}, strings.Fields(line)...))
		require.NoError(t, err, line)
		if err = k.Run(); says == "" {
			require.NoError(t, err, line)
		} else {
			require.ErrorContains(t, err, says, line)
		}
	}
}

// TestWhatIsWrongOnTheCommandLineIsNamed: the flag, its value, and what to give.
func TestWhatIsWrongOnTheCommandLineIsNamed(t *testing.T) {
	t.Parallel()
	for line, says := range map[string]string{
		"post":                  `expected "<event>"`,
		"post 1 --at yesterday": "--at",
		"post 1 --when now":     "unknown flag --when",
		"feed":                  "missing flags: --espn",
	} {
		parser, err := kong.New(&struct {
			Inspect inspect.Cmd `cmd:""`
		}{}, kong.Name("footy"))
		require.NoError(t, err)
		_, err = parser.Parse(append([]string{"inspect"}, strings.Fields(line)...))
		require.ErrorContains(t, err, says, line)
	}
}
