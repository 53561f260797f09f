package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/filelock"
	"github.com/found-footy/found-footy/internal/keep/durable"
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

// views are the stages of the fixtures, for people and tools that read the file. A body that is damaged stays as it is.
func views() string {
	const events = `
  SELECT json_group_array(json_set(e.value,
    '$._monitor_complete', json(iif(coalesce(json_extract(e.value, '$._round.taken_up_by'), '') <> '' OR coalesce(json_extract(e.value, '$._round.number'), 0) > 1, 'true', 'false')),
    '$._twitter_complete', json(iif(json_extract(e.value, '$._download_complete'), 'true', 'false')),
    '$._download_workflows', json((SELECT json_group_array(DISTINCT json_extract(p.body, '$.download')) FROM %[2]s p
      WHERE p.sub <> '' AND p.sub = json_extract(e.value, '$._uid') AND json_valid(p.body) AND coalesce(json_extract(p.body, '$.download'), '') <> '')),
    '$._discovered_videos', json((SELECT json_group_array(json(json_extract(p.body, '$.candidate'))) FROM %[2]s p
      WHERE p.sub <> '' AND p.sub = json_extract(e.value, '$._uid') AND json_valid(p.body)))))
  FROM json_each(%[1]s.body, '$.events') e`
	var b strings.Builder
	for _, v := range store.Views {
		fmt.Fprintf(&b, "DROP VIEW IF EXISTS %s;\nCREATE VIEW %[1]s AS SELECT id, revision, at, grp, sub, text, iif(json_valid(body), json_set(body, '$.events', json((%s))), body) AS body FROM %s WHERE sub = '%s';\n",
			v.Name, fmt.Sprintf(events, store.FixturesColl, store.PostsColl), store.FixturesColl, v.Stage)
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
			if err == nil {
				_, err = tx.ExecContext(ctx, views())
			}
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
