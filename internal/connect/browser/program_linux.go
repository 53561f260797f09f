package browser

import "syscall"

// group gives a program a process group of its own. It ends with us, also where we are killed: nobody else would end it.
func group() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: politely}
}
