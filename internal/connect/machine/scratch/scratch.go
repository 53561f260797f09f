// Package scratch makes the directory that a process keeps downloads in while it works on them, and clears those of dead processes.
package scratch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/filelock"
)

const (
	parent     = "tmp"   // in STATE_DIR
	lockSuffix = ".lock" // of the file beside each directory there
)

// Dir is a directory for downloads on their way, owned by this process. Beside it lies a file that is locked as long
// as the process lives, however it ends, so that the next start can tell what is not used any more. Left to the system's
// own temporary directory, downloads of killed workers filled the disk.
type Dir struct {
	Path string
	lock *os.File
}

// Open clears what dead processes left in the state directory and makes a directory of our own.
func Open(stateDir string) (*Dir, error) {
	d, err := open(filepath.Join(stateDir, parent))
	if err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, "create a directory for downloads", "%w; make it writable, or choose another place with STATE_DIR", err)
	}
	return d, nil
}

func open(parent string) (*Dir, error) {
	lock, err := lockFirst(parent, lockSuffix)
	if err != nil {
		return nil, err
	}
	d := &Dir{strings.TrimSuffix(lock.Name(), lockSuffix), lock}
	if err := errors.Join(sweep(parent), os.RemoveAll(d.Path)); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	if err := os.Mkdir(d.Path, 0o700); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return d, nil
}

// Remove deletes the directory. What is left of it, the next start sweeps.
func (d *Dir) Remove() {
	_ = os.RemoveAll(d.Path)
	filelock.Free(d.lock)
}

// sweep removes the directories of processes that are gone. Their lock files stay, for the next processes.
func sweep(parent string) error {
	locks, err := filepath.Glob(filepath.Join(parent, "*"+lockSuffix))
	if err != nil {
		return err
	}
	for _, path := range locks {
		lock, err := filelock.Open(path)
		if err != nil {
			return err
		}
		locked, err := filelock.Try(lock)
		if locked {
			err = os.RemoveAll(strings.TrimSuffix(path, lockSuffix))
		}
		if err = errors.Join(err, lock.Close()); err != nil {
			return err
		}
	}
	return nil
}

// lockFirst locks the first of the numbered files of a directory that no living process has.
func lockFirst(dir, suffix string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		f, err := filelock.Open(filepath.Join(dir, strconv.Itoa(n)+suffix))
		if err != nil {
			return nil, err
		}
		locked, err := filelock.Try(f)
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if locked {
			return f, nil
		}
		_ = f.Close()
	}
}

const names = "names" // in STATE_DIR

// Name is what a process is known by to others that share its database: a file that it has locked, and the run of the machine's kernel
// that keeps the lock. When the process ends, however that happens, the next one here takes the name and goes on with what it held: the
// lock proves that nobody else does. A copy of the directory is another file, and another machine or a later boot another kernel:
// who has the lock there proves nothing, has another name, and waits.
type Name struct {
	Text string
	lock *os.File
}

// TakeName takes the first name of a state directory that no living process has.
func TakeName(stateDir string) (*Name, error) {
	boot, err := bootID()
	if err != nil {
		return nil, err
	}
	f, err := lockFirst(filepath.Join(stateDir, names), "")
	if err != nil {
		return nil, err
	}
	var is syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &is); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Name{fmt.Sprintf("%s/%d/%d", boot, is.Dev, is.Ino), f}, nil
}

// Free lets another process have the name; nil has none.
func (n *Name) Free() {
	if n != nil {
		filelock.Free(n.lock)
	}
}

// Free is how many bytes are left on the disk of a directory.
func Free(dir string) (bytes uint64, known bool) {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return 0, false
	}
	return uint64(st.Bavail) * uint64(st.Bsize), true //nolint:unconvert // their types differ between systems
}
