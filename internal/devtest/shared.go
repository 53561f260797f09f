package devtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared returns a path below the directory of recorded payloads that lies beside a checkout (FOOTY_SHARED, else
// ../shared). It skips the test where there is none: the project's own samples cover the same shapes.
func Shared(t testing.TB, parts ...string) string {
	t.Helper()
	root := os.Getenv("FOOTY_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				root = filepath.Join(filepath.Dir(dir), "shared")
				break
			}
			if dir == filepath.Dir(dir) {
				break
			}
			dir = filepath.Dir(dir)
		}
	}
	path := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no recorded payloads at %s; set FOOTY_SHARED to a directory of them", path)
	}
	return path
}
