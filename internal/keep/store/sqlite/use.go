package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/filelock"
)

// share is the right that each process needs that opens the file. It waits a while for one that has it alone: a restore, a migration.
func share(path string) (*filelock.Use, error) {
	u, err := waitFor(busyTimeout, func() (*filelock.Use, error) { return filelock.Share(path) })
	return u, refused(path, err, "wait until that has ended, then try again")
}

// alone is the right to change or replace the file: no other process has it open, and none opens it until the right is freed. This process
// must have it neither open nor shared.
func alone(path string) (*filelock.Use, error) {
	u, err := filelock.Take(path)
	if err != nil {
		return nil, err
	}
	if err := unseen(path); err != nil {
		u.Free()
		return nil, err
	}
	return u, nil
}

const stopIt = "stop it first, then try again; nothing was changed"

// Alone is the right to replace the file, which lasts until free is called. Where others use it, the error names them.
func Alone(path string) (free func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, "lock database", "%w", err)
	}
	u, err := alone(path)
	if err != nil {
		return nil, refused(path, err, stopIt)
	}
	return u.Free, nil
}

func refused(path string, err error, remedy string) error {
	_, own := errors.AsType[*footy.Error](err)
	held, isHeld := errors.AsType[*filelock.HeldError](err)
	switch {
	case err == nil, own:
		return err
	case isHeld:
		return footy.Errorf(footy.CodeConflict, "lock database", "%s is in use by %w; %s", path, held, remedy)
	case errors.Is(err, syscall.ENOSPC):
		return full("lock database", path, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return footy.Errorf(footy.CodeInvalid, "lock database", "%w; give this user write permission or choose another path", err)
	}
	return footy.Errorf(footy.CodeUnavailable, "lock database", "%w", err)
}

// waitFor asks again for as long as another process is in the way, up to patience.
func waitFor(patience time.Duration, ask func() (*filelock.Use, error)) (*filelock.Use, error) {
	until := time.Now().Add(patience)
	return backoff.Retry(context.Background(), func() (*filelock.Use, error) {
		u, err := ask()
		if _, held := errors.AsType[*filelock.HeldError](err); err != nil && (!held || !time.Now().Before(until)) {
			err = backoff.Permanent(err)
		}
		return u, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(20*time.Millisecond)))
}

// Where SQLite locks the file itself while a connection to it is open, in WAL (sqlite.org/fileformat2.html, "The Lock-Byte Page").
const (
	sharedFirst = 0x40000000 + 2
	sharedSize  = 510
)

// unseen refuses a file that another process has open without saying so: one of an earlier version, or another program.
func unseen(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	defer f.Close()
	l := syscall.Flock_t{Type: syscall.F_WRLCK, Start: sharedFirst, Len: sharedSize}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &l); err != nil {
		return err
	}
	if l.Type == syscall.F_UNLCK {
		return nil
	}
	return &filelock.HeldError{By: []filelock.Holder{{PID: int(l.Pid), Role: "an earlier version of footy or another program"}}}
}
