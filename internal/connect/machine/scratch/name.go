package scratch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/found-footy/found-footy/internal/footy/filelock"
)

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
