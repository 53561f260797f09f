package program

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// fence bounds what a running program may take, beside what its arguments ask of it: those are for files that say what they are.
func fence(pid int, f Limits) error {
	for what, most := range map[int]uint64{
		unix.RLIMIT_AS: f.Memory, unix.RLIMIT_CPU: f.CPUSeconds, unix.RLIMIT_FSIZE: f.File, unix.RLIMIT_NOFILE: f.Files, unix.RLIMIT_CORE: 0,
	} {
		var has unix.Rlimit
		err := unix.Prlimit(pid, what, nil, &has)
		if err == nil {
			most = min(most, has.Max)
			err = unix.Prlimit(pid, what, &unix.Rlimit{Cur: most, Max: most}, nil)
		}
		if err != nil && !errors.Is(err, unix.ESRCH) { // it has ended already
			return fmt.Errorf("limit %d: %w", what, err)
		}
	}
	return nil
}

// awaitEnd waits until a program has ended, and leaves it to be waited for.
func awaitEnd(pid int) bool {
	for {
		if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); !errors.Is(err, unix.EINTR) {
			return err == nil
		}
	}
}
