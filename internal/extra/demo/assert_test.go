package demo_test

import (
	"html"
	"strings"
	"testing"
)

// shows reports a failure without ending the goroutine: it may be another than the test's own.
func shows(t *testing.T, ok bool, what string) bool {
	t.Helper()
	if !ok {
		t.Errorf("not so: %s", what)
	}
	return ok
}

func contains(page, text string) bool { return strings.Contains(html.UnescapeString(page), text) }
