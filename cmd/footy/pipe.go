package main

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// stopOnBrokenPipe calls stop when the reader of our output has left (footy demo | head): dying of SIGPIPE at once would leave
// the workflow engine running. A broken connection elsewhere raises the same signal and means nothing.
func stopOnBrokenPipe(stop func()) {
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	go func() {
		for range broken {
			if readerGone(os.Stdout) || readerGone(os.Stderr) {
				stop()
			}
		}
	}()
}

// readerGone reports whether the reader of f is gone.
func readerGone(f *os.File) bool {
	fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLOUT}} //nolint:gosec // file descriptors are small
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0
}
