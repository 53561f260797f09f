package devtest

import "testing"

// Engine is the path of footy-devstack, for a test that starts and supervises it itself. It skips the test where it was not built.
func Engine(t testing.TB) string {
	t.Helper()
	return binary(t, "temporal")
}
