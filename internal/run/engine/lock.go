package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/private"
)

// LockName is the file that marks a state directory whose engine somebody looks after. Two who did would stop it under each other.
const LockName = "footy.lock"

// StateLock is the right to look after a state directory. The kernel drops it with the process, however that ends.
type StateLock struct{ file *os.File }

// Release gives the directory back; nil holds none.
func (l *StateLock) Release() {
	if l != nil {
		_ = syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN) // a program that is just being started still has the file open
		_ = l.file.Close()
	}
}

// LockState locks dir, or says who has it and how to share.
func LockState(ctx context.Context, dir string) (*StateLock, error) {
	const op = "open the state directory"
	if err := private.Dir(dir); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w; choose another with STATE_DIR", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, LockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w; give this user write permission or choose another with STATE_DIR", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, footy.Errorf(footy.CodeUnavailable, op, "lock %s: %w; choose another with STATE_DIR", f.Name(), err)
		}
		share := "set TEMPORAL_ADDRESS to share its engine"
		if run := adopt(ctx, filepath.Join(dir, "engine")); run != nil {
			share = "set TEMPORAL_ADDRESS=" + run.Address + " to share its engine"
		}
		return nil, footy.Errorf(footy.CodeConflict, op, "%s is in use by another footy (process %d); stop that one, choose another STATE_DIR, or %s",
			dir, pidIn(f), share)
	}
	if err := f.Truncate(0); err == nil { // people read the note; nothing depends on it
		_, _ = f.WriteAt(fmt.Appendf(nil, "%d\n", os.Getpid()), 0)
	}
	return &StateLock{f}, nil
}

// lockHolder tells whether a lock file is locked and by whom.
func lockHolder(path string) (pid int, held bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil {
		return 0, false
	}
	return pidIn(f), true
}

// pidIn reads the process number that begins a lock file; 0 if there is none.
func pidIn(f *os.File) int {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 64))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	n, _ := strconv.Atoi(first)
	return n
}
