package devtest

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Script is a shell script of that name in a folder of its own, which can be executed at once.
//
// No process may be started while the file is open for writing: a child that another test has just forked would hold it open until it
// executes its own program, and Linux executes no file that is being written ("text file busy", https://go.dev/issue/22315).
func Script(t testing.TB, name, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o700) //nolint:gosec // a program must be executable
	syscall.ForkLock.RUnlock()
	require.NoError(t, err)
	return path
}
