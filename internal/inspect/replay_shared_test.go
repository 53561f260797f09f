package inspect_test

import (
	"os"
	"path/filepath"
	"testing"
)

// shared finds a file of the recorded data, which does not belong to the repository.
func shared(t testing.TB, name string) string {
	t.Helper()
	roots := []string{os.Getenv("FOOTY_SHARED")}
	if dir, err := os.Getwd(); err == nil {
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				roots = append(roots, filepath.Join(filepath.Dir(dir), "shared"))
			}
		}
	}
	for _, r := range roots {
		if path := filepath.Join(r, name); r != "" {
			if _, err := os.Stat(path); err == nil {
				return path
			}
		}
	}
	t.Skipf("no recorded %s here: set FOOTY_SHARED to the directory that holds it", name)
	return ""
}
