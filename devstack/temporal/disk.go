package temporal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/found-footy/found-footy/devstack/problem"
)

// minFree is what a start needs: the schema, a first write-ahead log and some air.
const minFree = 16 << 20

func notOurs(file, what string) error {
	return &problem.Error{Thing: "database " + file, What: what + "; it was not touched",
		Remedy: "move it away or give another --db", Code: problem.Damaged}
}

// prepareDir makes the database's directory and looks whether it has room.
func prepareDir(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return diskProblem(dir, err)
	}
	free, err := freeBytes(dir)
	if err != nil {
		return diskProblem(dir, err)
	}
	if free < minFree {
		return full(dir, fmt.Sprintf("only %d KB free on its disk, %d MB needed", free>>10, minFree>>20), nil)
	}
	return nil
}

func freeBytes(dir string) (uint64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return st.Bavail * uint64(st.Bsize), nil
}

func full(path, what string, err error) error {
	return &problem.Error{Thing: path, What: what, Remedy: "free some space or give another --db", Err: err}
}

// syncDir makes what was renamed in a directory survive a power cut.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// diskProblem says in one line what went wrong with path. SQLite's own words are matched as text, because by the time
// they arrive here the server has wrapped them.
func diskProblem(path string, err error) error {
	p := &problem.Error{Thing: path, What: err.Error(), Remedy: "give another --db", Err: err}
	text := err.Error()
	switch {
	case isFull(err):
		return full(path, "the disk is full", err)
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.EROFS), strings.Contains(text, "readonly database"),
		strings.Contains(text, "unable to open database"):
		p.What, p.Remedy = "cannot be written by this user", "make it (and "+filepath.Dir(path)+") writable or give another --db"
	case errors.Is(err, syscall.ENOTDIR):
		p.What = "is not a directory, or lies below something that is none"
	case errors.Is(err, syscall.EISDIR):
		p.What = "is a directory"
	case isDamage(err):
		return notOurs(path, "is damaged ("+text+")")
	}
	return p
}

// unusable says that the server does not come up on a database, of which SQLite has nothing to say; the disk, a port or a limit of this user
// may be why all the same.
func unusable(db string, err error) error {
	p := diskProblem(db, err)
	if e := (*problem.Error)(nil); errors.As(p, &e) && e.What == err.Error() && !errors.Is(err, syscall.EADDRINUSE) && !errors.Is(err, syscall.EMFILE) {
		e.Code = problem.Unusable
		cause := err // without the names of the functions that the server is built of
		for next := errors.Unwrap(cause); next != nil && strings.Contains(cause.Error(), "could not build"); next = errors.Unwrap(cause) {
			cause = next
		}
		e.What = cause.Error()
	}
	return p
}

// isDamage matches what SQLite says of a file that it cannot make sense of, and of nothing else.
func isDamage(err error) bool {
	text := err.Error()
	return strings.Contains(text, "database disk image is malformed") || strings.Contains(text, "file is not a database")
}

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "database or disk is full")
}
