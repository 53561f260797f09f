package check

import (
	"fmt"
	"syscall"
)

const (
	// roomToRun is where the embedded databases begin to fail; roomToStart is what a first start writes.
	roomToRun   = 4 << 20
	roomToStart = 16 << 20
)

// fullDisk says that the disk of dir has less than need bytes left; "" when it has enough or cannot tell.
func fullDisk(dir string, need uint64) string {
	free, known := freeBytes(dir)
	if !known || free >= need { // what cannot be told, the write that fails will tell
		return ""
	}
	return fmt.Sprintf("the disk of %s is full: %d KB left, %d MB needed", dir, free>>10, need>>20)
}

// freeBytes is how many bytes are left on the disk of dir.
func freeBytes(dir string) (free uint64, known bool) {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return 0, false
	}
	return uint64(st.Bavail) * uint64(st.Bsize), true //nolint:unconvert // their types differ between systems
}
