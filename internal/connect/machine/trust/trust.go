// Package trust reads files that decide what the program does, unless another user of the machine may have written them.
package trust

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// Untrusted is a file that another user of the machine may write or put in place. It is not read.
type Untrusted struct {
	Path   string // the file, a link, or their directory
	Why    string
	Remedy string
}

func (u *Untrusted) Error() string { return u.Path + " " + u.Why + ": " + u.Remedy }

// Read reads a file that decides what the program does. It refuses one that another user may have written: the file, what a link leads to, and
// the directories of both must belong to this user or to root, and neither others nor a group of other users may write to them. In a
// directory with the sticky bit, like /tmp, others cannot replace what is not theirs.
func Read(path string) ([]byte, error) {
	at, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := look(at); err != nil {
		return nil, err
	}
	target, err := filepath.EvalSymlinks(at)
	if err != nil {
		return nil, err
	}
	if target != at {
		if err := look(target); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(target, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe that no process writes to would wait for ever
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat() // what was opened, whatever lies there by now
	if err == nil {
		err = trusted(target, info)
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &Untrusted{target, "is no plain file", "put one in its place, or move it away"}
	}
	return io.ReadAll(f)
}

// look checks a file and its directory. A file that is not there is no fault of the directory.
func look(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if err := trusted(path, info); err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if info, err = os.Stat(dir); err != nil {
		return err
	}
	return trusted(dir, info)
}

func trusted(path string, info fs.FileInfo) error {
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil // a system without owners
	}
	mode, refuse := info.Mode(), func(why, remedy string) error {
		kind := "file"
		if info.IsDir() {
			kind = "directory"
		}
		return &Untrusted{path, fmt.Sprintf("is a %s of %s with mode %#o, %s", kind, userName(owner.Uid), info.Mode().Perm(), why), remedy}
	}
	me := uint32(os.Geteuid()) //nolint:gosec // an id of this system
	switch {
	case owner.Uid != 0 && owner.Uid != me:
		return refuse("and this is "+userName(me), fmt.Sprintf("look what the file says, then chown %s %s; or move it away", userName(me), strconv.Quote(path)))
	case mode&fs.ModeSymlink != 0 || info.IsDir() && mode&fs.ModeSticky != 0 || readOnly(path):
		return nil
	case mode&0o002 != 0:
		return refuse("so every user may change what the file says", "look what it says, then chmod o-w "+strconv.Quote(path))
	case mode&0o020 != 0 && !privateGroup(owner.Gid):
		return refuse("so group "+groupName(owner.Gid)+" may change what the file says", "look what it says, then chmod g-w "+strconv.Quote(path))
	}
	return nil
}

// readOnly reports whether a path is on a file system that takes no writes, such as a cluster's mounted configuration, whose modes say 0777.
func readOnly(path string) bool {
	const write = 2
	return errors.Is(syscall.Access(path, write), syscall.EROFS)
}

// privateGroup is one that this user alone is in: it has the user's name, as most systems make it, or this process is in it and the system
// has no name for it, as with a volume's group in a cluster.
func privateGroup(gid uint32) bool {
	g, err := user.LookupGroupId(id(gid))
	if err == nil {
		return g.Name == userName(uint32(os.Geteuid())) //nolint:gosec // idem
	}
	all, err := os.Getgroups()
	return err == nil && slices.Contains(append(all, os.Getegid()), int(gid))
}

func userName(uid uint32) string {
	if u, err := user.LookupId(id(uid)); err == nil {
		return u.Username
	}
	return "user " + id(uid)
}

func groupName(gid uint32) string {
	if g, err := user.LookupGroupId(id(gid)); err == nil {
		return g.Name
	}
	return id(gid)
}

func id(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
