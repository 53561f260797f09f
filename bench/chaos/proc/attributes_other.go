//go:build !linux

package proc

import "syscall"

// attributes: a group of its own, so that what it starts can be killed with it. Elsewhere than on Linux only a clean end of
// ours ends it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
