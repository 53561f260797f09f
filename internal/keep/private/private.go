// Package private keeps files with secrets in them from other users of the machine: 0600 in directories of 0700, also where they were there
// before.
package private

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const others = 0o077 // what the group and everybody may do

// Dir makes a directory, and takes from others what they may do with one that is there.
func Dir(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	return tighten(path)
}

// File makes an empty file unless there is one, and takes from others what they may do with it.
func File(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist): // to open and close it would end the locks that this process has on it
		return tighten(path)
	case err != nil:
		return err
	}
	return f.Close()
}

// Existing takes from others what they may do with files. One that is not there is no error.
func Existing(paths ...string) error {
	for _, p := range paths {
		if err := tighten(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Below does so with all that a directory holds.
func Below(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) { // another user's, or removed meanwhile
			return nil
		}
		if err != nil {
			return err
		}
		return Existing(path)
	})
}

// tighten leaves alone what is shared by design (a directory like /tmp) or another user's: a volume of a cluster is root's.
func tighten(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if mode := info.Mode(); mode&others == 0 || mode&(fs.ModeSticky|fs.ModeSymlink) != 0 {
		return nil
	}
	err = os.Chmod(path, info.Mode()&^others)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
