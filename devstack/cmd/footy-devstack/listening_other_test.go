//go:build !linux

package main_test

import "testing"

func listening(t *testing.T, _ int) []string {
	t.Helper()
	t.Skip("only Linux says which process listens where")
	return nil
}
