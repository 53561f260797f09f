// Package sqlite keeps documents in one SQLite file: the embedded default. Several processes may share the file.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

// Options of the file.
type Options struct {
	BusyTimeout time.Duration // how long a writer waits for another process; 0 = 10 s
}

// version is the layout of the tables; a file of a later one is refused.
const version = 1

const schema = `
CREATE TABLE IF NOT EXISTS docs (
  coll TEXT NOT NULL, id TEXT NOT NULL, num INTEGER NOT NULL DEFAULT 0, rev INTEGER NOT NULL, at INTEGER NOT NULL,
  grp TEXT NOT NULL, sub TEXT NOT NULL, words TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (coll, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS docs_at ON docs (coll, at, num, id);
CREATE INDEX IF NOT EXISTS docs_grp ON docs (coll, grp, at);
CREATE INDEX IF NOT EXISTS docs_sub ON docs (coll, sub, at);
CREATE TABLE IF NOT EXISTS keys (
  coll TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (coll, key, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS keys_id ON keys (coll, id);`

// Backend implements store.Backend.
type Backend struct {
	db   *sql.DB
	path string
}

var _ store.Backend = (*Backend)(nil)

// Open opens or creates the file. A file that is something else is left as it is.
func Open(path string, o Options) (*Backend, error) {
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = 10 * time.Second
	}
	// The writer's lock is taken at the start of a transaction: a read that turns into a write could not be retried.
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", o.BusyTimeout.Milliseconds()), "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)"}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: url.PathEscape(path), RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "open database "+path, err)
	}
	b := &Backend{db: db, path: path}
	if err := b.migrate(); err != nil {
		db.Close()
		return nil, err
	}
	return b, nil
}

func (b *Backend) migrate() error {
	op := "open database " + b.path
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var have int
	if err := b.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return b.trouble(op, err)
	}
	switch {
	case have == version:
		return nil
	case have > version:
		return footy.Errorf(footy.CodeInvalid, op, "it was written by a later version (layout %d, known %d); use that one, or another STATE_DIR", have, version)
	}
	return b.write(ctx, op, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
		return err
	})
}

// write runs do in one transaction and translates what goes wrong.
func (b *Backend) write(ctx context.Context, op string, do func(*sql.Tx) error) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return b.trouble(op, err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	if err := do(tx); err != nil {
		return b.trouble(op, err)
	}
	return b.trouble(op, tx.Commit())
}

// trouble gives an error of the driver its code and, where there is one, the remedy.
func (b *Backend) trouble(op string, err error) error {
	if err == nil {
		return nil
	}
	var known *footy.Error
	if errors.As(err, &known) {
		return err
	}
	var e *driver.Error
	if !errors.As(err, &e) {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_NOTADB, lib.SQLITE_CORRUPT:
		return footy.Errorf(footy.CodeInvalid, op, "%s is not a database of ours; move it away or choose another STATE_DIR", b.path)
	case lib.SQLITE_FULL:
		return footy.Errorf(footy.CodeUnavailable, op, "the disk of %s is full; make room or choose another STATE_DIR", b.path)
	case lib.SQLITE_CANTOPEN, lib.SQLITE_READONLY, lib.SQLITE_PERM:
		return footy.Errorf(footy.CodeUnavailable, op, "%s cannot be written; make it writable or choose another STATE_DIR", b.path)
	case lib.SQLITE_IOERR:
		if _, statErr := os.Stat(b.path); statErr == nil {
			return footy.Errorf(footy.CodeUnavailable, op, "reading or writing %s failed (%w): is the disk full? make room or choose another STATE_DIR", b.path, err)
		}
	}
	return footy.Wrap(footy.CodeUnavailable, op, err)
}

// Ping asks the database something.
func (b *Backend) Ping(ctx context.Context) error { return b.trouble("ask database "+b.path, b.db.PingContext(ctx)) }

// Close closes the file.
func (b *Backend) Close() error { return b.trouble("close database "+b.path, b.db.Close()) }
