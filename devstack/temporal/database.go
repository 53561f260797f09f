package temporal

import (
	"bytes"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"

	"go.temporal.io/server/common/config"
	"go.temporal.io/server/schema/sqlite"
)

var magic = []byte("SQLite format 3\x00")

// prepareDB leaves at file a database that the server can use, or a problem and the file as it was.
func prepareDB(file string) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return notOurs(file, "is no file")
	}
	head, err := firstBytes(file, len(magic))
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && len(head) == 0:
		return createDB(file)
	case err != nil:
		return diskProblem(file, err)
	case !bytes.Equal(head, magic):
		return notOurs(file, "is not a SQLite database")
	}
	return inspectDB(file)
}

func firstBytes(file string, n int) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, int64(n)))
	if err == nil && len(head) > 0 {
		// Writing is tried here, where the answer can still be explained.
		var w *os.File
		if w, err = os.OpenFile(file, os.O_WRONLY, 0); err == nil {
			err = w.Close()
		}
	}
	return head, err
}

// createDB builds the schema in a side file and renames it once it is on the disk: a crash, a full disk or a power cut never leaves half a
// schema behind.
func createDB(file string) error {
	side := file + ".new"
	defer os.Remove(side)
	if err := buildSchema(side); err != nil {
		return err
	}
	// Left-overs of a deleted database would be replayed into the new one.
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Remove(file + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return diskProblem(file+suffix, err)
		}
	}
	if err := os.Rename(side, file); err != nil {
		return diskProblem(file, err)
	}
	if err := syncDir(filepath.Dir(file)); err != nil {
		return diskProblem(file, err)
	}
	return nil
}

// buildSchema makes an empty database at file, in place of what is there, and waits until it is on the disk.
func buildSchema(file string) error {
	_ = os.Remove(file)
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return diskProblem(filepath.Dir(file), err)
	}
	defer f.Close()
	if err := sqlite.SetupSchema(schemaConfig(file)); err != nil {
		return diskProblem(file, err)
	}
	if err := f.Sync(); err != nil {
		return diskProblem(file, err)
	}
	return nil
}

// pageSize is that of a new database, in bytes: a transaction writes whole pages, and changes some hundred bytes in each. With SQLite's own 4096
// an idle cycle wrote three times as much.
const pageSize = "1024"

// schemaConfig writes in one go: no WAL beside the side file, and no wait for the disk at each of its statements.
func schemaConfig(file string) *config.SQL {
	c := sqlConfig(file)
	c.ConnectAttributes = map[string]string{"mode": "rw", "journal_mode": "memory", "page_size": pageSize, "synchronous": "0"}
	return c
}

// inspectDB compares the tables with those of a new database: another version of Temporal may have made these, and SQLite's are never
// migrated.
func inspectDB(file string) error {
	fresh := file + ".new"
	defer os.Remove(fresh)
	if err := buildSchema(fresh); err != nil {
		return err
	}
	want, err := columns(fresh)
	if err != nil {
		return diskProblem(fresh, err)
	}
	db, err := open(file)
	if err != nil {
		return diskProblem(file, err)
	}
	defer db.Close()
	have, err := columnsOf(db)
	if err != nil {
		return diskProblem(file, err)
	}
	for table := range want {
		if have[table] != want[table] {
			return notOurs(file, "is a SQLite database, but not of this Temporal version (table "+table+" differs)")
		}
	}
	return checkPages(db, file)
}

func open(file string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+sqlConfig(file).DatabaseName+"?mode=rw&_pragma=busy_timeout(10000)")
}

func columns(file string) (map[string]string, error) {
	db, err := open(file)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return columnsOf(db)
}

// columnsOf are those of each table, in words to compare.
func columnsOf(db *sql.DB) (map[string]string, error) {
	rows, err := db.Query(`SELECT t.name, c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || ifnull(c.dflt_value, '')
		FROM sqlite_master t, pragma_table_xinfo(t.name) c WHERE t.type = 'table' ORDER BY t.name, c.name`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // it was read to its end, or the error says why not
	out := map[string]string{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		out[table] += column + ", "
	}
	return out, rows.Err()
}

// checkPages reads every page: noise in one is found when it is needed, which may be in the middle of a match day.
func checkPages(db *sql.DB, file string) error {
	var first string
	switch err := db.QueryRow(`PRAGMA quick_check(1)`).Scan(&first); {
	case err != nil:
		return diskProblem(file, err)
	case first != "ok":
		return notOurs(file, "is damaged ("+first+")")
	}
	return nil
}

// fold moves the write-ahead log into the database after a clean stop, so that one file is the whole state. It is a
// courtesy to who copies files: when it fails nothing is lost.
func fold(file string) {
	db, err := open(file)
	if err != nil {
		return
	}
	defer db.Close()
	_, _ = db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
}
