package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqldocs"
)

const applicationID = 0x466f6f74 // "Foot": marks the file as ours

// table is the one of a collection, so that a person with the sqlite3 shell finds the names of the documentation.
func table(c store.Collection) string {
	return fmt.Sprintf(`
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

// keysTable holds the further look-up keys.
const keysTable = `
CREATE TABLE document_keys (
  collection TEXT NOT NULL,
  key        TEXT NOT NULL,
  id         TEXT NOT NULL,
  PRIMARY KEY (collection, key, id)
) WITHOUT ROWID;
CREATE INDEX document_keys_id ON document_keys (collection, id);
`

// views are the stages of the fixtures, for people and tools that read the file.
func views() string {
	var b strings.Builder
	for _, v := range store.Views {
		fmt.Fprintf(&b, "CREATE VIEW %s AS SELECT * FROM %s WHERE sub = '%s';\n", v.Name, store.FixturesColl, v.Stage)
	}
	return b.String()
}

func schema() string {
	var b strings.Builder
	for _, c := range store.Collections {
		b.WriteString(table(c))
	}
	return b.String() + keysTable + views()
}

// prepare creates the schema where it is missing, and migrates an older one. That happens before the switch to WAL, so
// that the header of a new file itself says whose it is, also after a crash.
func prepare(path string) error {
	db, err := connect(path, 1, "immediate")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // nothing is pending: each statement below reports its own error
	ctx := context.Background()
	if err := upToDate(ctx, db, path); err != nil {
		return err
	}
	mode, err := switchToWAL(ctx, db)
	if err != nil {
		return err
	}
	if mode != "wal" {
		return footy.Errorf(footy.CodeUnavailable, "open database", "%s: its file system does not allow WAL (got %s); put the file on a local disk", path, mode)
	}
	return nil
}

// switchToWAL asks again while others hold the file: where two connections want to switch at once, SQLite says "busy" to one of them
// without waiting, since waiting would be a deadlock.
func switchToWAL(ctx context.Context, db *sql.DB) (string, error) {
	return backoff.Retry(ctx, func() (string, error) {
		var mode string
		err := db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		if err != nil && !busy(err) {
			err = backoff.Permanent(err)
		}
		return mode, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(5*time.Millisecond)), backoff.WithMaxElapsedTime(busyTimeout))
}

func upToDate(ctx context.Context, db *sql.DB, path string) error {
	version, err := versionOf(ctx, db)
	if err != nil || version == store.SchemaVersion {
		return err
	}
	return inTransaction(ctx, db, func(tx *sql.Tx) error { // immediate: of several processes that start at once one works, the others wait
		version, err := versionOf(ctx, tx)
		if err = cmp.Or(err, store.CheckSchema(path, version)); err != nil || version == store.SchemaVersion {
			return err
		}
		if version == 0 {
			_, err = tx.ExecContext(ctx, fmt.Sprintf("%s PRAGMA application_id = %d;", schema(), applicationID))
		} else {
			err = store.Migrate(ctx, sqldocs.In(conn{tx}, dialect, func(op string, err error) error { return fault(op, path, err) }), version)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", store.SchemaVersion))
		}
		return err
	})
}

func inTransaction(ctx context.Context, db *sql.DB, fn func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing is left to undo after a commit
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func versionOf(ctx context.Context, q interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}) (version int, err error) {
	return version, q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
}
