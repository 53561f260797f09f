package media

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeBytes is what Linux lets anybody have in a pipe. By default it is a sixteenth: each picture took many turns of writing and reading.
const pipeBytes = 1 << 20

// widen makes room for whole pictures in a pipe. Where that is refused, the pipe works as it is.
func widen(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeBytes) })
	}
}
