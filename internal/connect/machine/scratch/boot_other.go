//go:build !linux

package scratch

import "golang.org/x/sys/unix"

// bootID is a text that the kernel makes anew whenever it starts (man 3 sysctl).
func bootID() (string, error) { return unix.Sysctl("kern.bootsessionuuid") }
