package scratch

import "syscall"

// Free is how many bytes are left on the disk of a directory.
func Free(dir string) (bytes uint64, known bool) {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return 0, false
	}
	return uint64(st.Bavail) * uint64(st.Bsize), true //nolint:unconvert // their types differ between systems
}
