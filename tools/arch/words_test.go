package arch_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A comment names the thing that acts (the worker, the caller, the reader) and the field's verb (report, log, return).
var vague = regexp.MustCompile(`(?i)\b(whoever|nobody|somebody|anybody|seldom|as good as|of none|told|tells|a pity)\b`)

// TestCommentsAreForStrangers counts the words at which readers of the code stopped. Each number may only be lowered.
func TestCommentsAreForStrangers(t *testing.T) {
	t.Parallel()
	for tree, budget := range map[string]int{
		"bench": 0, "devstack": 0, "tools": 0, "cmd": 0, "internal": 582,
	} {
		var found []string
		require.NoError(t, filepath.WalkDir(filepath.Join(root(t), tree), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, group := range file.Comments {
				for _, c := range group.List {
					for _, word := range vague.FindAllString(c.Text, -1) {
						found = append(found, set.Position(c.Pos()).String()+": "+word)
					}
				}
			}
			return nil
		}))
		if len(found) > budget {
			t.Errorf("%s: %d vague words in comments, %d are allowed. Say who acts, and what it does:\n%s", tree, len(found), budget, strings.Join(found, "\n"))
		}
	}
}
