// Package filelock lets the processes of a machine agree on who uses a file. The kernel drops each lock with its process, however that
// ends, so a lock file is never removed, renamed or replaced.
package filelock

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Try locks f for this process alone, unless another has it. A file system without locks is an error: no process has the file, and none
// ever will.
func Try(f *os.File) (bool, error) { return try(f, syscall.LOCK_EX) }

// TryShared locks f together with others that share it, unless one has it alone.
func TryShared(f *os.File) (bool, error) { return try(f, syscall.LOCK_SH) }

func try(f *os.File, how int) (bool, error) {
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, syscall.EWOULDBLOCK):
		return false, nil
	}
	return false, fmt.Errorf("lock %s: %w", f.Name(), err)
}

// Free gives back the lock of f and closes it; nil has none. To close it is not enough: a program that is just being started still has
// the file open, and with it the lock.
func Free(f *os.File) {
	if f != nil {
		_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
		_ = f.Close()
	}
}

// Open opens a lock file, and makes it where it is missing.
func Open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}
