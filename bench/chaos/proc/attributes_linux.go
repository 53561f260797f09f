package proc

import "syscall"

// attributes: a group of its own, so that what it starts can be killed with it; and it dies with us, however we die.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
