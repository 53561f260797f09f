package sqlite

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/filelock"
	"github.com/found-footy/found-footy/internal/keep/durable"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// migrate brings a file up to date while no other process has it open: a program of an older schema would write what it knows. It waits
// a while for those that have, of which one may do the same. It names the copy of the file that it made before.
func migrate(path string, patience time.Duration) (copied string, err error) {
	u, err := waitFor(patience, func() (*filelock.Use, error) {
		if version, err := inspect(path); err != nil || version >= store.SchemaVersion {
			return nil, err
		}
		return alone(path)
	})
	if u == nil {
		return "", refused(path, err, stopIt)
	}
	defer u.Free()
	if copied, err = setAside(context.Background(), path); err == nil {
		err = prepare(path)
	}
	if err != nil && copied != "" {
		_ = os.Remove(copied) // the file is what it was, and tries that fail must not fill the disk
	}
	return copied, fault("open database", path, err)
}

// setAside copies a file of an older schema, under a name with its schema and the time. An older program can open the copy.
func setAside(ctx context.Context, path string) (copied string, err error) {
	b, err := attach(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = b.Close() }() // it only reads
	version, err := versionOf(ctx, b.read)
	if err != nil || version >= store.SchemaVersion { // a journal was ahead of the file
		return "", err
	}
	to, err := durable.FreeName(fmt.Sprintf("%s.schema-%d-%s", path, version, time.Now().UTC().Format(durable.TimeForm)))
	if err != nil {
		return "", err
	}
	half := to + ".part"
	if err := errors.Join(b.BackupTo(ctx, half), durable.Sync(half)); err != nil {
		_ = os.Remove(half) // the reason says more
		return "", fmt.Errorf("copy it to %s before it is migrated: %w", to, err)
	}
	return to, errors.Join(os.Rename(half, to), durable.Sync(filepath.Dir(to)))
}

const headerSize = 100

var magic = []byte("SQLite format 3\x00")

// inspect refuses what is not our database before SQLite opens it: opening alone can change a file. It creates the
// directory of a new one. version is that of the file's schema, 0 of a new one; a journal may be ahead of it.
func inspect(path string) (version int, err error) {
	const op = "open database"
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return 0, footy.Errorf(footy.CodeInvalid, op, "%s: its directory cannot be made: %w; choose another path", path, err)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, footy.Errorf(footy.CodeInvalid, op, "%w; choose another path", err)
	case !info.Mode().IsRegular():
		return 0, footy.Errorf(footy.CodeInvalid, op, "%s is not a file; choose another path", path)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0) // read and write, as SQLite will
	if err != nil {
		return 0, footy.Errorf(footy.CodeInvalid, op, "%w; give this user write permission or choose another path", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	header := make([]byte, headerSize)
	switch n, err := io.ReadFull(f, header); {
	case n == 0 && errors.Is(err, io.EOF):
		return 0, nil // an empty file is a new database
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return 0, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	case n < headerSize || !bytes.HasPrefix(header, magic):
		return 0, footy.Errorf(footy.CodeInvalid, op, "%s is not a SQLite database (left untouched); move it away or choose another path", path)
	}
	if id := binary.BigEndian.Uint32(header[68:]); id != applicationID {
		return 0, footy.Errorf(footy.CodeInvalid, op, "%s is a database of another program (left untouched); choose another path", path)
	}
	return int(binary.BigEndian.Uint32(header[60:])), nil
}
