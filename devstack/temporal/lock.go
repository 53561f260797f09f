package temporal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/found-footy/found-footy/devstack/problem"
)

// lock makes sure that one process at a time uses the database. The kernel drops it with the process, however that ends, so
// the file itself stays. It says who holds it and where that one answered: the next server goes to the same port if it
// can, and workers that were left alone find it again.
type lock struct {
	file     *os.File
	lastPort int // 0 when unknown
}

func lockDB(db string) (*lock, error) {
	path := db + ".lock"
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, diskProblem(path, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, diskProblem(path, err)
		}
		return nil, &problem.Error{
			Thing:  "database " + db,
			What:   "in use by another footy-devstack" + holder(f),
			Remedy: "connect to that one, stop it, or give another --db",
			Code:   problem.InUse,
			Err:    err,
		}
	}
	_, port := note(f)
	return &lock{f, port}, nil
}

// write replaces the note by ours. People and the next start read it; nothing depends on it.
func (l *lock) write(port int) {
	if err := l.file.Truncate(0); err == nil {
		_, _ = l.file.WriteAt(fmt.Appendf(nil, "%d %d\n", os.Getpid(), port), 0)
	}
}

func note(f *os.File) (pid, port int) {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 64))
	if err == nil {
		_, _ = fmt.Sscanf(string(b), "%d %d", &pid, &port)
	}
	return pid, port
}

func holder(f *os.File) string {
	if pid, _ := note(f); pid != 0 {
		return fmt.Sprintf(" (process %d)", pid)
	}
	return ""
}
