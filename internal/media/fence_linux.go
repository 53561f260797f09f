package media

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// fence bounds what a running program may take, beside what its arguments ask of it: those are for files that say what they are.
func fence(pid int, f fenced) error {
	for what, most := range map[int]uint64{
		unix.RLIMIT_AS: f.memory, unix.RLIMIT_CPU: f.cpuSeconds, unix.RLIMIT_FSIZE: f.file, unix.RLIMIT_NOFILE: f.files, unix.RLIMIT_CORE: 0,
	} {
		var has unix.Rlimit
		err := unix.Prlimit(pid, what, nil, &has)
		if err == nil {
			most = min(most, has.Max)
			err = unix.Prlimit(pid, what, &unix.Rlimit{Cur: most, Max: most}, nil)
		}
		if err != nil && !errors.Is(err, unix.ESRCH) { // it has ended already
			return fmt.Errorf("set limit %d of the program: %w", what, err)
		}
	}
	return nil
}
