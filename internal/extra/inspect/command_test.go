package inspect_test

import (
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/inspect"
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
