package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/found-footy/found-footy/internal/footy"
)

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
