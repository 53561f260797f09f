package sqlite

import (
	"context"
	"errors"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/found-footy/found-footy/internal/footy"
)

// fault translates an error of the driver into one line that names the file and the remedy.
func fault(op, path string, err error) error {
	if _, own := errors.AsType[*footy.Error](err); own || err == nil {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &footy.Error{Code: footy.CodeUnavailable, Op: op, Err: err}
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return footy.Errorf(footy.CodeUnavailable, op, "%s: %w", path, err)
	}
	switch e.Code() & 0xff { // the low byte is the kind, the rest its detail
	case lib.SQLITE_CONSTRAINT:
		return footy.Errorf(footy.CodeConflict, op, "the document exists: %w", err)
	case lib.SQLITE_NOTADB:
		return footy.Errorf(footy.CodeCorrupt, op, "%s is not a SQLite database (%w); restore a backup, footy restore DIR --force, or correct STATE_DIR", path, err)
	case lib.SQLITE_CORRUPT:
		return corrupt(op, path, err)
	case lib.SQLITE_FULL:
		return full(op, path, err)
	case lib.SQLITE_READONLY, lib.SQLITE_PERM, lib.SQLITE_AUTH, lib.SQLITE_CANTOPEN:
		if noSpace(path) {
			return full(op, path, err)
		}
		return footy.Errorf(footy.CodeInvalid, op, "%s cannot be written (%w); give this user write permission to it and its directory", path, err)
	case lib.SQLITE_IOERR:
		if e.Code() == lib.SQLITE_IOERR_CORRUPTFS {
			return corrupt(op, path, err)
		}
		if noSpace(path) {
			return full(op, path, err)
		}
		return footy.Errorf(footy.CodeUnavailable, op, "%s: the disk cannot be read or written: %w", path, err)
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return footy.Errorf(footy.CodeUnavailable, op, "%s is locked by another process for too long; find out which one holds it", path)
	}
	return footy.Errorf(footy.CodeUnavailable, op, "%s: %w", path, err)
}

func corrupt(op, path string, err error) error {
	return footy.Errorf(footy.CodeCorrupt, op, "%s is damaged (%w); stop footy and restore a backup: footy restore DIR --force", path, err)
}

// unusable is a corrupt file at its opening: nothing was there before that could go on.
func unusable(err error) error {
	if footy.CodeOf(err) != footy.CodeCorrupt {
		return err
	}
	return &footy.Error{Code: footy.CodeInvalid, Err: err}
}

func busy(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == lib.SQLITE_BUSY
}

func full(op, path string, err error) error {
	return footy.Errorf(footy.CodeUnavailable, op, "the disk of %s is full: free some space; nothing that was written before is lost (%w)", path, err)
}

// noSpace tells a full disk from a broken one where SQLite reports both as a failed write.
func noSpace(path string) bool {
	var fs syscall.Statfs_t
	const leastRoom = 256 << 10 // the shared-memory index and a page or two

	return syscall.Statfs(path, &fs) == nil && int64(fs.Bavail)*int64(fs.Bsize) < leastRoom //nolint:unconvert // Bsize is 32 bits wide elsewhere
}
