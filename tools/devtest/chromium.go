package devtest

import (
	"os/exec"
	"testing"
)

// Chromium returns the browser that tests drive, under any of the names it is installed by. It skips the test where
// there is none, and in short runs.
func Chromium(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("Chromium is not installed; make chromium does it")
	return ""
}
