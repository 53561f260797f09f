//go:build amd64 || arm64

package program

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sealedThread starts programs that inherit what it may not do: make a socket, or reach into another process. That takes no privileges and no
// namespace, which most containers refuse.
type sealedThread struct {
	starts chan func()
	err    error // why it has no seal
}

var theSealedThread = sync.OnceValue(func() *sealedThread {
	t := &sealedThread{starts: make(chan func())}
	sealed := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: nothing else of ours may run on it
		err := seal()
		sealed <- err
		for err == nil {
			(<-t.starts)()
		}
	}()
	t.err = <-sealed
	return t
})

// Sealed is nil where programs are kept from the network, else why they are not.
func Sealed() error { return theSealedThread().err }

// startSealed starts a program without the network, where the system can take it away.
func startSealed(start func() error) (err error) {
	t := theSealedThread()
	if t.err != nil {
		return start()
	}
	done := make(chan struct{})
	t.starts <- func() {
		defer close(done)
		err = start()
	}
	<-done
	return err
}

// forbidden are the system calls by which a program gets at the network, or at the memory and files of another process.
var forbidden = []uint32{unix.SYS_SOCKET, unix.SYS_IO_URING_SETUP, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD}

// seal takes the forbidden calls from this thread and all that it starts.
func seal() error {
	const load, equal, atLeast, answer = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, unix.BPF_RET | unix.BPF_K
	const numberAt, archAt = 0, 4 // in what the kernel shows of a call
	const otherNumbers = 0x40000000
	arch := uint32(unix.AUDIT_ARCH_X86_64)
	if runtime.GOARCH == "arm64" {
		arch = unix.AUDIT_ARCH_AARCH64
	}
	refuse := uint8(len(forbidden)) // steps from here to the last line
	filter := []unix.SockFilter{
		{Code: load, K: archAt}, {Code: equal, K: arch, Jf: refuse + 3}, // the same calls have other numbers there
		{Code: load, K: numberAt}, {Code: atLeast, K: otherNumbers, Jt: refuse + 1},
	}
	for i, call := range forbidden {
		filter = append(filter, unix.SockFilter{Code: equal, K: call, Jt: refuse - uint8(i)}) //nolint:gosec // a few
	}
	filter = append(filter, unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)})
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("the kernel refuses no_new_privs: %w", err)
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}                                                    //nolint:gosec // idem
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0); err != nil { //nolint:gosec // as the kernel wants it
		return fmt.Errorf("the kernel refuses a filter of system calls: %w", err)
	}
	return nil
}
