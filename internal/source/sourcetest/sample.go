package sourcetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Sample reads a recorded payload from the directory FOOTY_SHARED, or from one named shared beside the checkout. The
// recordings are not ours to publish: without them the test is skipped, and says so.
func Sample(tb testing.TB, name string) []byte {
	tb.Helper()
	raw, err := os.ReadFile(filepath.Join(samples(), name))
	if err != nil {
		tb.Skipf("recorded payload %s is not here (set FOOTY_SHARED): %v", name, err)
	}
	return raw
}

func samples() string {
	if dir := os.Getenv("FOOTY_SHARED"); dir != "" {
		return filepath.Join(dir, "samples")
	}
	dir, _ := os.Getwd()
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(filepath.Dir(dir), "shared", "samples")
		}
	}
	return "shared"
}
