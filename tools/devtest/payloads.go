package devtest

import (
	"os"
	"path/filepath"
	"testing"
)

// Payloads returns where a payload (or a directory of them) lies: the project's own, made for its tests, and the recorded one
// of the same name where a directory of recordings is there, so that nothing is skipped where it is not.
func Payloads(t testing.TB, name string) []string {
	t.Helper()
	return append([]string{filepath.Join(module(t), "tools", "devtest", "payloads", name)}, Recorded(t, name)...)
}

// Recorded returns the path of a recorded payload below FOOTY_SHARED, or below a directory named shared beside the checkout;
// none where there is no such file. Recordings are not ours to publish.
func Recorded(t testing.TB, name string) []string {
	t.Helper()
	root := os.Getenv("FOOTY_SHARED")
	if root == "" {
		root = filepath.Join(filepath.Dir(module(t)), "shared")
	}
	path := filepath.Join(root, name)
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	return []string{path}
}

// module is the directory of this module's go.mod.
func module(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}
