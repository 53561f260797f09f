package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

// backup copies the database to "<file>.v<version>.bak" before a migration, or to the next free name of that kind: what a
// migration that failed before has left is never written over. Without a copy there is no migration.
func backup(ctx context.Context, db *sql.DB, path string, version int) (err error) {
	const op = "back up database"
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "%w; nothing was migrated", err)
	}
	defer func() { err = errors.Join(err, part.Close(), os.Remove(part.Name())) }()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", part.Name()); err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "%s cannot be copied, nothing was migrated: %w", path, err)
	}
	if err := part.Sync(); err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "%w; nothing was migrated", err)
	}
	switch copied, err := versionOfFile(ctx, part.Name()); {
	case err != nil:
		return footy.Errorf(footy.CodeUnavailable, op, "%s cannot be copied, nothing was migrated: %w", path, err)
	case copied != version:
		return nil // another process has migrated it meanwhile
	}
	name := fmt.Sprintf("%s.v%d.bak", path, version)
	for n := 1; ; n++ {
		err := os.Link(part.Name(), name) // fails where the name is taken
		if err == nil {
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return footy.Errorf(footy.CodeUnavailable, op, "%w; nothing was migrated", err)
		}
		name = fmt.Sprintf("%s.v%d.bak.%d", path, version, n)
	}
}

// versionOfFile reads the schema number of a database file and has SQLite look through it.
func versionOfFile(ctx context.Context, path string) (version int, err error) {
	db, err := connect(path, Options{}, 1, "deferred")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return 0, err
	}
	if verdict != "ok" {
		return 0, errors.New(verdict)
	}
	return versionOf(ctx, db)
}

// afterStep lets tests end the process in the middle of a migration.
var afterStep = func(string) {}

// fromV1 brings the fixtures of three tables into one, open batches into the ledger, and tombstones under their new keys.
func fromV1(ctx context.Context, tx *sql.Tx, now time.Time) error {
	ids, err := column(ctx, tx, "SELECT id FROM fixtures_staging UNION SELECT id FROM fixtures_active UNION SELECT id FROM fixtures_completed ORDER BY id")
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM document_keys;"+table(store.FixturesColl)+table(store.PostsColl)); err != nil {
		return err
	}
	for _, id := range ids { // one by one: years of fixtures need not fit into memory
		if err := fixtureFromV1(ctx, tx, id, now); err != nil {
			return err
		}
		afterStep("fixture " + id)
	}
	if err := tombstonesFromV1(ctx, tx); err != nil {
		return err
	}
	afterStep("tombstones")
	script := "DELETE FROM service_state WHERE id = 'stage_returns';" // told readers of the three tables of moves
	for _, v := range store.Views {
		script += "DROP TABLE " + v.Name + ";"
	}
	_, err = tx.ExecContext(ctx, script+views())
	afterStep("views")
	return err
}

func fixtureFromV1(ctx context.Context, tx *sql.Tx, id string, now time.Time) error {
	var copies []store.Doc
	for _, v := range store.Views {
		d, err := scan(tx.QueryRowContext(ctx, "SELECT "+columns+" FROM "+v.Name+" WHERE id = ?", id))
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return err
		}
		copies = append(copies, d)
	}
	d, posts, err := store.FixtureFromV1(copies, now)
	if err != nil {
		return err
	}
	if err := put(ctx, tx, store.FixturesColl, queries[store.FixturesColl].insert, d); err != nil {
		return err
	}
	for _, p := range posts {
		if err := put(ctx, tx, store.PostsColl, queries[store.PostsColl].insertNew, p); err != nil {
			return err
		}
	}
	return nil
}

func tombstonesFromV1(ctx context.Context, tx *sql.Tx) error {
	q := queries[store.TombstonesColl]
	ids, err := column(ctx, tx, "SELECT id FROM "+q.table)
	if err != nil {
		return err
	}
	for _, id := range ids {
		d, err := scan(tx.QueryRowContext(ctx, q.find, id))
		if err != nil {
			return err
		}
		fresh, err := store.TombstoneFromV1(d)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+q.table+" WHERE id = ?", id); err != nil {
			return err
		}
		if err := put(ctx, tx, store.TombstonesColl, q.insertNew, fresh); err != nil {
			return err
		}
	}
	return nil
}

// column reads one text column.
func column(ctx context.Context, tx *sql.Tx, query string, args ...any) (list []string, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err below has what matters
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}
