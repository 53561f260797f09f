package temporal

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/found-footy/found-footy/devstack/problem"
)

// lockDB makes sure that one process at a time uses the database. The kernel drops the lock with the process, however it
// ends, so the lock file itself may stay; its content only names the holder for people.
func lockDB(db string) (*os.File, error) {
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
			What:   "in use by another footy-devstack" + holder(path),
			Remedy: "connect to that one, stop it, or give another --db",
			Code:   problem.InUse,
			Err:    err,
		}
	}
	if err := f.Truncate(0); err == nil {
		_, _ = fmt.Fprintf(f, "%d\n", os.Getpid())
	}
	return f, nil
}

func holder(path string) string {
	b, err := os.ReadFile(path)
	if pid := strings.TrimSpace(string(b)); err == nil && pid != "" {
		return " (process " + pid + ")"
	}
	return ""
}
