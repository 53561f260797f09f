// Package scratch makes the directory that a process keeps downloads in while it works on them, and clears those of dead processes.
package scratch

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/filelock"
)

const (
	parent     = "tmp"   // in STATE_DIR
	lockSuffix = ".lock" // of the file beside each directory there
)

// Dir is a directory for downloads on their way, owned by this process. Beside it lies a file that is locked as long
// as the process lives, however it ends, so that the next start can tell what nobody uses any more. Left to the system's
// own temporary directory, downloads of killed workers filled the disk.
type Dir struct {
	Path string
	lock *os.File
}

// Open clears what dead processes left in the state directory and makes a directory of our own.
func Open(stateDir string) (*Dir, error) {
	s, err := open(filepath.Join(stateDir, parent))
	if err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, "create a directory for downloads", "%w; make it writable, or choose another place with STATE_DIR", err)
	}
	return s, nil
}

func open(parent string) (*Dir, error) {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, err
	}
	if err := sweep(parent); err != nil {
		return nil, err
	}
	for {
		s, err := create(filepath.Join(parent, rand.Text()))
		if err != nil || s != nil {
			return s, err
		}
	}
}

// create locks first and makes the directory then: one without a locked file beside it is nobody's. nil without an
// error if somebody who sweeps just now took the new file for an old one.
func create(dir string) (*Dir, error) {
	lock, err := os.OpenFile(dir+lockSuffix, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	locked, err := filelock.Try(lock)
	if err != nil {
		return nil, errors.Join(err, os.Remove(lock.Name()), lock.Close())
	}
	if !locked || !sameFile(lock, dir+lockSuffix) {
		return nil, lock.Close()
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, errors.Join(err, os.Remove(lock.Name()), lock.Close())
	}
	return &Dir{Path: dir, lock: lock}, nil
}

// Remove deletes the directory; its lock goes last.
func (d *Dir) Remove() {
	if os.RemoveAll(d.Path) == nil {
		_ = os.Remove(d.lock.Name())
	}
	filelock.Free(d.lock) // what is left, the next start sweeps
}

// sweep removes every directory whose process is gone.
func sweep(parent string) error {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return err
	}
	for _, e := range entries {
		dir := filepath.Join(parent, strings.TrimSuffix(e.Name(), lockSuffix))
		lock, err := os.OpenFile(dir+lockSuffix, os.O_RDWR, 0)
		if errors.Is(err, os.ErrNotExist) {
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		locked, err := filelock.Try(lock)
		if locked {
			err = os.RemoveAll(dir)
			if err == nil {
				err = os.Remove(lock.Name())
			}
		}
		if err = errors.Join(err, lock.Close()); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// sameFile tells whether path still names the open file f.
func sameFile(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}
