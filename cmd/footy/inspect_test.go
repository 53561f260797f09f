package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

var (
	ruleRow      = regexp.MustCompile("(?m)^\\| `((?:decide|recognize)/[a-z/]+)` \\| (.+) \\|$")
	askedBy      = regexp.MustCompile("`footy inspect ([a-z ]+)`")
	saysNoRule   = "decides nothing"
	shownOnAPage = "page `/"
)

// inspectCommands are all commands below footy inspect: "clip dedup".
func inspectCommands(t *testing.T) (out []string) {
	t.Helper()
	parser, err := kong.New(&struct {
		Inspect inspectCmd `cmd:""`
	}{}, kong.Name("footy"))
	require.NoError(t, err)
	for _, leaf := range parser.Model.Leaves(false) {
		path, _, _ := strings.Cut(strings.TrimPrefix(leaf.Path(), "inspect "), " <")
		path, _, _ = strings.Cut(path, " [")
		out = append(out, path)
	}
	return out
}

// TestEveryRuleCanBeAsked: each package of rules has a command, or a page that shows its answer; internal/tell/web proves of the pages that they do.
func TestEveryRuleCanBeAsked(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "inspect.md"))
	require.NoError(t, err)
	asked := map[string]string{}
	for _, row := range ruleRow.FindAllStringSubmatch(string(page), -1) {
		asked[row[1]] = row[2]
	}
	commands := inspectCommands(t)
	for _, room := range []string{"decide", "recognize"} {
		at := filepath.Join("..", "..", "internal")
		require.NoError(t, filepath.WalkDir(filepath.Join(at, room), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() || strings.HasSuffix(path, "test") {
				return err
			}
			files, err := filepath.Glob(filepath.Join(path, "*.go"))
			if err != nil || len(files) == 0 {
				return err
			}
			rule, err := filepath.Rel(at, path)
			rule = filepath.ToSlash(rule)
			where := asked[rule]
			delete(asked, rule)
			by := askedBy.FindAllStringSubmatch(where, -1)
			require.True(t, len(by) > 0 || strings.Contains(where, shownOnAPage) || strings.Contains(where, saysNoRule),
				"docs/inspect.md names neither a command nor a page for %s", rule)
			for _, c := range by {
				require.Contains(t, commands, c[1], "docs/inspect.md asks %s by a command that there is not", rule)
			}
			return err
		}))
	}
	require.Empty(t, asked, "packages that docs/inspect.md lists and that there are not")
}

func TestEveryInspectCommandIsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "inspect.md"))
	require.NoError(t, err)
	commands := inspectCommands(t)
	require.Greater(t, len(commands), 15)
	for _, c := range commands {
		require.Contains(t, string(page), "bin/footy inspect "+c, "no example of it")
	}
}

// TestWhatIsWrongOnTheCommandLineIsNamed: the flag, its value, and what to give.
func TestWhatIsWrongOnTheCommandLineIsNamed(t *testing.T) {
	t.Parallel()
	for line, says := range map[string]string{
		"post":                                `expected "<event>"`,
		"post 1 --at yesterday":               `--at: "yesterday" is no time; give one like 2026-11-14T16:30:00Z`,
		"round 1 --when now":                  "unknown flag --when",
		"scale --kickoff 15:00":               `"15:00" is no time; give one like 2026-11-14T16:30:00Z`,
		"scale --waiting many":                "--waiting: expected a valid 64 bit int but got \"many\"",
		"reel --length long":                  "--length: expected duration",
		"clip footage a.mp4":                  `expected "<judged>"`,
		"posting 1 --at 2026-11-14T16:30:00Z": "unknown flag --at",
	} {
		parser, err := kong.New(&struct {
			Inspect inspectCmd `cmd:""`
		}{}, kong.Name("footy"))
		require.NoError(t, err)
		_, err = parser.Parse(append([]string{"inspect"}, strings.Fields(line)...))
		require.ErrorContains(t, err, says, line)
	}
}
