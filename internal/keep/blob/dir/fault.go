package dir

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/found-footy/found-footy/internal/footy"
)

// fault translates an error of the file system into one line that names the directory and the remedy.
func (s *Store) fault(op string, err error) error {
	if err == nil {
		return nil
	}
	var own *footy.Error
	switch {
	case errors.As(err, &own):
		return footy.Wrap(own.Code, op, err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &footy.Error{Code: footy.CodeUnavailable, Op: op, Err: err}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return footy.Errorf(footy.CodeUnavailable, op, "the disk of %s is full: free some space; nothing that was stored before is lost (%w)", s.root, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return footy.Errorf(footy.CodeInvalid, op, "%s cannot be written (%w): give this user write permission or choose another directory", s.root, err)
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.EEXIST):
		return footy.Errorf(footy.CodeInvalid, op, "a file and a directory want the same name (%w)", err)
	case errors.Is(err, fs.ErrNotExist):
		return footy.Errorf(footy.CodeNotFound, op, "no such object")
	}
	return footy.Errorf(footy.CodeUnavailable, op, "%s: %w", s.root, err)
}

// gone reports whether a key names nothing: also where a part of it is a file of its own.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
