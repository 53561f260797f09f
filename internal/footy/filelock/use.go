package filelock

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// What lies beside a file that processes share.
const (
	LockSuffix  = ".lock"  // who uses the file has this one locked
	UsersSuffix = ".users" // a directory: each of them has a file of it locked, which says what process it is
)

// Use is the right to use a file, with others or alone.
type Use struct{ lock, note *os.File }

// HeldError says which processes are in the way.
type HeldError struct{ By []Holder }

func (e *HeldError) Error() string {
	if len(e.By) == 0 { // one that starts or ends just now
		return "another process"
	}
	words := make([]string, len(e.By))
	for i, h := range e.By {
		words[i] = h.String()
	}
	return strings.Join(words, ", ")
}

// Holder is a process that uses a file.
type Holder struct {
	PID        int
	Host, Role string // of the machine or container; the command, as "footy web"
}

func (h Holder) String() string {
	where := ""
	if own, _ := os.Hostname(); h.Host != "" && h.Host != own {
		where = " on " + h.Host
	}
	return fmt.Sprintf("%s (process %d%s)", cmp.Or(h.Role, "a process"), h.PID, where)
}

// Share is the right to use the file at path with others; a HeldError says that one has it alone.
func Share(path string) (*Use, error) { return begin(path, TryShared) }

// Take is the right to use the file at path alone, also to replace it; a HeldError says who else uses it.
func Take(path string) (*Use, error) { return begin(path, Try) }

func begin(path string, lock func(*os.File) (bool, error)) (*Use, error) {
	f, err := Open(path + LockSuffix)
	if err != nil {
		return nil, err
	}
	ours, err := lock(f)
	if err == nil && !ours {
		err = &HeldError{Users(path)}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	note, _ := takeNote(path + UsersSuffix) // people read it: on a full disk it is left out
	return &Use{lock: f, note: note}, nil
}

// Free gives the right back; nil has none.
func (u *Use) Free() {
	if u != nil {
		Free(u.note)
		Free(u.lock)
	}
}

// takeNote writes which process this is into the first file of dir that no living one has.
func takeNote(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		f, err := Open(filepath.Join(dir, strconv.Itoa(n)))
		if err != nil {
			return nil, err
		}
		ours, err := Try(f)
		if err == nil && ours {
			err = WriteNote(f)
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if ours {
			return f, nil
		}
		_ = f.Close() // another's
	}
}

// WriteNote writes into a lock file which process has it.
func WriteNote(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	is := This()
	_, err := f.WriteAt(fmt.Appendf(nil, "%d %s %s\n", is.PID, cmp.Or(is.Host, "-"), is.Role), 0)
	return err
}

// This is this process.
func This() Holder {
	host, _ := os.Hostname()
	return Holder{PID: os.Getpid(), Host: host, Role: role()}
}

// ReadNote is the process that wrote the last note into f.
func ReadNote(f *os.File) (h Holder) {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 512))
	if err != nil {
		return Holder{}
	}
	words := strings.SplitN(strings.TrimSpace(string(b)), " ", 3)
	h.PID, _ = strconv.Atoi(words[0])
	if len(words) == 3 {
		h.Host, h.Role = words[1], words[2]
	}
	return h
}

// role is the command of this process. Its arguments may hold what is not for others.
func role() string {
	name := filepath.Base(os.Args[0])
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		name += " " + os.Args[1]
	}
	return name
}

// Alone names the process that has the file at path alone now; nil: none has.
func Alone(path string) error {
	f, err := os.OpenFile(path+LockSuffix, os.O_RDWR, 0)
	if err != nil {
		return nil // no process has used it yet
	}
	defer Free(f)
	if free, err := TryShared(f); err != nil || free {
		return nil // locks that fail are for Share to report
	}
	return &HeldError{Users(path)}
}

// Users are the processes that use the file at path now.
func Users(path string) (out []Holder) {
	all, _ := os.ReadDir(path + UsersSuffix) // none: no process has used it yet
	for _, e := range all {
		f, err := os.OpenFile(filepath.Join(path+UsersSuffix, e.Name()), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if free, err := TryShared(f); err == nil && !free {
			out = append(out, ReadNote(f))
		}
		Free(f)
	}
	slices.SortFunc(out, func(a, b Holder) int { return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.PID, b.PID)) })
	return out
}
