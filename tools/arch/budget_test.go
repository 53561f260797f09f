package arch_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEachRoomKeepsItsBudget counts lines of the product: no tests, no suites for tests, no simulated world. A change that needs more lines
// raises the number in ARCHITECTURE.md and says why.
func TestEachRoomKeepsItsBudget(t *testing.T) {
	t.Parallel()
	lines := map[string]int{}
	for _, top := range []string{"cmd", "internal"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root(t), top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			rel, err := filepath.Rel(root(t), path)
			require.NoError(t, err)
			in := filepath.ToSlash(filepath.Dir(rel))
			if isSuite(in) || strings.HasPrefix(in, "internal/world") {
				return nil
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			n := bytes.Count(text, []byte("\n"))
			lines["all"] += n
			if extra(in) == "" {
				lines["core"] += n
			}
			lines[room(in)] += n
			return nil
		}))
	}
	budgets := block(t, "budgets")
	for of, n := range lines {
		require.Contains(t, budgets, of, "ARCHITECTURE.md has no budget for %s, which has %d lines", of, n)
		budget, err := strconv.Atoi(budgets[of][0])
		require.NoError(t, err)
		require.LessOrEqual(t, n, budget, "%s has more lines than its budget in ARCHITECTURE.md", of)
	}
}

// room is the part of the house that a package is in: cmd/footy, internal/keep, internal/extra/reels.
func room(path string) string {
	parts := strings.SplitN(path, "/", 4)
	if parts[1] == "extra" {
		return strings.Join(parts[:3], "/")
	}
	return strings.Join(parts[:2], "/")
}
