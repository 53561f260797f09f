package stage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// disk is a small one of its own for the state directory, so that it can be filled without filling the machine's.
type disk struct{ dir string }

const diskSize = "size=192m"

// mount needs rights that only root has, and not in every container.
func mount(dir string) (*disk, error) {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, diskSize); err != nil {
		return nil, fmt.Errorf("mount it: %w", err)
	}
	return &disk{dir}, nil
}

// fill leaves no byte free.
func (d *disk) fill() (restore func() error, err error) {
	path := filepath.Join(d.dir, "ballast")
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		n, err := f.Write(make([]byte, size))
		if n < size && errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			os.Remove(path)
			return nil, err
		}
	}
	return func() error { return os.Remove(path) }, nil
}

// keep copies what lies on the disk and gives it back.
func (d *disk) keep(to string) {
	if d == nil {
		return
	}
	if err := os.CopyFS(to, os.DirFS(d.dir)); err != nil {
		os.RemoveAll(to) // half a copy misleads
	}
	_ = syscall.Unmount(d.dir, syscall.MNT_DETACH) // memory is freed at the latest with this machine
}

// Release gives back the disk that a killed run left in a day's directory.
func Release(day string) { _ = syscall.Unmount(filepath.Join(day, stateDir), syscall.MNT_DETACH) } // mostly there is none
