// Package durable changes the names of files so that a power cut leaves the old state or the new one, and keeps what is replaced under a
// name that nothing has.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// TimeForm is how names carry a time (UTC).
const TimeForm = "2006-01-02T150405Z"

// SetAside moves the file at path beside it, to path.WHY-TIME, with the files whose names go on with ends. It returns the new path; "" if
// there was nothing. All are under the new name before the first leaves the old one.
func SetAside(path, why string, now time.Time, ends ...string) (to string, err error) {
	ends = append([]string{""}, ends...)
	var there []string
	for _, end := range ends {
		if _, err := os.Lstat(path + end); err == nil {
			there = append(there, end)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if len(there) == 0 {
		return "", nil
	}
	if to, err = FreeName(path+"."+why+"-"+now.UTC().Format(TimeForm), ends...); err != nil {
		return "", err
	}
	for _, end := range there {
		if err := os.Link(path+end, to+end); err != nil { // some file systems have no links
			return to, errors.Join(rename(path, to, there), Sync(filepath.Dir(path)))
		}
	}
	if err := Sync(filepath.Dir(path)); err != nil {
		return to, err
	}
	for _, end := range there {
		if err := os.Remove(path + end); err != nil {
			return to, err
		}
	}
	return to, Sync(filepath.Dir(path))
}

func rename(path, to string, ends []string) error {
	for _, end := range ends {
		if err := os.Rename(path+end, to+end); err != nil {
			return err
		}
	}
	return nil
}

// FreeName is path, or path-2, path-3, ..., whichever is the first that no file has, also none that goes on with one of ends.
func FreeName(path string, ends ...string) (string, error) {
	for n, name := 2, path; ; n, name = n+1, fmt.Sprintf("%s-%d", path, n) {
		free, err := isFree(name, append([]string{""}, ends...))
		if free || err != nil {
			return name, err
		}
	}
}

func isFree(name string, ends []string) (bool, error) {
	for _, end := range ends {
		if _, err := os.Lstat(name + end); err == nil {
			return false, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	return true, nil
}

// Sync makes what a file holds, or the names in a directory, outlive a power cut.
func Sync(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
