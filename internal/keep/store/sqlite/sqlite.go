// Package sqlite keeps the store in one SQLite file, which several processes may open at once. It is the default: it
// needs no server and no settings.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver, in pure Go

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/filelock"
	"github.com/found-footy/found-footy/internal/keep/private"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqldocs"
)

// busyTimeout is how long a writer waits for the writer of another process.
const busyTimeout = 15 * time.Second

// Backend is an open database file.
type Backend struct {
	sqldocs.Docs
	path   string
	copied string
	use    *filelock.Use // nil: no other process knows the file
	write  *sql.DB       // one connection: writers of this process queue here instead of polling the file's lock
	read   *sql.DB
}

var _ store.Backend = (*Backend)(nil)

// Open opens the database file and creates it, with its directory, if it is missing. A file of an older schema is copied beside itself, then
// migrated. One that is not ours is left untouched.
func Open(path string) (*Backend, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "open database", "%w", err)
	}
	version, err := inspect(path)
	copied := ""
	if err == nil && version > 0 && version < store.SchemaVersion {
		copied, err = migrate(path, busyTimeout)
	}
	if err != nil {
		return nil, err
	}
	use, err := share(path)
	if err != nil {
		return nil, err
	}
	b, err := open(path)
	if err != nil {
		use.Free()
		return nil, unusable(err)
	}
	b.use, b.copied = use, copied
	return b, nil
}

// OpenUnshared opens a file that no other process knows of, such as a copy, and leaves neither a lock file nor another copy beside it.
func OpenUnshared(path string) (*Backend, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "open database", "%w", err)
	}
	if _, err := inspect(path); err != nil {
		return nil, err
	}
	return open(path)
}

func open(path string) (*Backend, error) {
	// SQLite gives its journals the mode of the database, which holds keys.
	if err := errors.Join(private.File(path), private.Existing(path+"-wal", path+"-shm")); err != nil {
		return nil, fault("open database", path, err)
	}
	if err := prepare(path); err != nil {
		return nil, fault("open database", path, err)
	}
	return attach(path)
}

// OpenAsIs opens a file to read it as it is: one of an older schema is not migrated.
func OpenAsIs(path string) (*Backend, error) {
	if _, err := inspect(path); err != nil {
		return nil, err
	}
	return attach(path)
}

func attach(path string) (b *Backend, err error) {
	b = &Backend{path: path}
	b.Docs = b.docs()
	if b.write, err = connect(path, 1, "immediate"); err != nil {
		return nil, fault("open database", path, err)
	}
	if b.read, err = connect(path, max(4, runtime.NumCPU()), "deferred"); err != nil {
		return nil, errors.Join(fault("open database", path, err), b.write.Close())
	}
	if err := b.Ping(context.Background()); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// connect opens a pool. synchronous stays FULL: what an activity has reported as done must outlive a power cut, because
// the workflow engine will not do it again.
func connect(path string, conns int, txlock string) (*sql.DB, error) {
	query := url.Values{
		"_txlock": {txlock},
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "synchronous(full)"},
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

// Migrated names the copy of the file that was made before it was migrated; "" where nothing was to be migrated.
func (b *Backend) Migrated() (copied string) { return b.copied }

// Ping answers whether the file can be read.
func (b *Backend) Ping(ctx context.Context) error {
	var n int
	return fault("read database", b.path, b.read.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n))
}

// Verify reads the whole file. It takes seconds for each gigabyte, and hinders no writer.
func (b *Backend) Verify(ctx context.Context) error {
	const op = "check database"
	var said string
	if err := b.read.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&said); err != nil {
		return fault(op, b.path, err)
	}
	if said != "ok" {
		return corrupt(op, b.path, errors.New(strings.Join(strings.Fields(said), " ")))
	}
	return nil
}

// Close closes the file.
func (b *Backend) Close() error {
	defer b.use.Free()
	return fault("close database", b.path, errors.Join(b.read.Close(), b.write.Close()))
}

// Size is about how many bytes BackupTo writes.
func (b *Backend) Size(ctx context.Context) (bytes int64, err error) {
	err = b.read.QueryRowContext(ctx, "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size").Scan(&bytes)
	return bytes, fault("measure database", b.path, err)
}

// BackupTo writes a whole, consistent copy of the database to path while others read and write it. path must not exist;
// what is left there after an error is no database.
func (b *Backend) BackupTo(ctx context.Context, path string) error {
	if err := private.File(path); err != nil {
		return fault("copy database", path, err)
	}
	_, cause := b.read.ExecContext(ctx, "VACUUM INTO ?", path)
	err := fault("copy database", path, cause)
	if footy.CodeOf(err) == footy.CodeCorrupt { // what is copied, not the copy
		err = fault("copy database", b.path, cause)
	}
	return err
}
