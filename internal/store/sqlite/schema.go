package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

const (
	applicationID = 0x466f6f74 // "Foot": marks the file as ours
	schemaVersion = 1
)

// schema has one table per collection, so that a person with the sqlite3 shell finds the names of the documentation, and
// one table of further look-up keys. A later version appends its steps under the next number.
func schema() string {
	var b strings.Builder
	for _, c := range store.Collections {
		fmt.Fprintf(&b, `
CREATE TABLE %[1]s (
  id       TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL, -- milliseconds since 1970
  grp      TEXT NOT NULL,
  sub      TEXT NOT NULL,
  text     TEXT NOT NULL,
  body     TEXT NOT NULL     -- the document as JSON
);
CREATE INDEX %[1]s_at  ON %[1]s (at);
CREATE INDEX %[1]s_grp ON %[1]s (grp, at) WHERE grp <> '';
CREATE INDEX %[1]s_sub ON %[1]s (sub, at) WHERE sub <> '';
`, c)
	}
	b.WriteString(`
CREATE TABLE document_keys (
  collection TEXT NOT NULL,
  key        TEXT NOT NULL,
  id         TEXT NOT NULL,
  PRIMARY KEY (collection, key, id)
) WITHOUT ROWID;
CREATE INDEX document_keys_id ON document_keys (collection, id);
`)
	return b.String()
}

// prepare creates the schema where it is missing. That happens before the switch to WAL, so that the header of the file
// itself says whose it is, also after a crash.
func prepare(path string, opts Options) error {
	db, err := connect(path, opts, 1, "immediate")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // nothing is pending: each statement below reports its own error
	ctx := context.Background()
	if err := migrate(ctx, db, path); err != nil {
		return err
	}
	var mode string
	if err := db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return footy.Errorf(footy.CodeUnavailable, "open database", "%s: its file system does not allow WAL (got %s); put the file on a local disk", path, mode)
	}
	return nil
}

func migrate(ctx context.Context, db *sql.DB, path string) (err error) {
	version, err := versionOf(ctx, db)
	if err != nil || version == schemaVersion {
		return err
	}
	tx, err := db.BeginTx(ctx, nil) // immediate: of several processes that start at once one creates, the others wait
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, rollback(tx))
		}
	}()
	if version, err = versionOf(ctx, tx); err != nil {
		return err
	}
	switch {
	case version == schemaVersion:
		return tx.Commit()
	case version > schemaVersion:
		return footy.Errorf(footy.CodeInvalid, "open database", "%s was written by a newer version (schema %d, this one knows %d): upgrade footy", path, version, schemaVersion)
	}
	script := schema() + fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, schemaVersion)
	if _, err = tx.ExecContext(ctx, script); err != nil {
		return err
	}
	return tx.Commit()
}

func versionOf(ctx context.Context, q interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}) (version int, err error) {
	return version, q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
}

// rollback undoes a transaction; one that is over already needs nothing.
func rollback(tx *sql.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}
