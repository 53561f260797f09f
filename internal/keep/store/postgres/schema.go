package postgres

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqldocs"
)

// versionTable holds the number of the schema's shape, and marks the schema as ours.
const versionTable = "footy_schema"

// setupLock is the advisory lock of a database under which its schema is made: "Footy".
const setupLock = 0x466f6f7479

// upToDate makes the schema where it is missing, and migrates an older one. Of several processes that start at once one does, the others wait.
func (b *Backend) upToDate(ctx context.Context) error {
	const op = "open PostgreSQL"
	version := 0
	err := b.call(ctx, op, func(ctx context.Context, conn *pgx.Conn) (err error) {
		version, err = b.version(ctx, conn)
		return err
	})
	if err != nil || version == store.SchemaVersion {
		return err
	}
	return b.atomically(ctx, op, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(setupLock)); err != nil {
			return err
		}
		version, err := b.version(ctx, tx.Conn())
		if err = cmp.Or(err, store.CheckSchema("the schema "+b.schema+" of PostgreSQL", version)); err != nil || version == store.SchemaVersion {
			return err
		}
		if version == 0 {
			return b.make(ctx, tx)
		}
		if err := store.Migrate(ctx, sqldocs.In(conn{tx}, b.Dialect, fault), version); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE "+b.name(versionTable)+" SET version = $1", store.SchemaVersion)
		return err
	})
}

// version reads the number of the schema; 0 if it is not there.
func (b *Backend) version(ctx context.Context, conn *pgx.Conn) (version int, err error) {
	var there bool // asked of a table: what to_regclass answers may be older than the lock
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = $1 AND tablename = $2)", b.schema, versionTable).Scan(&there)
	if err != nil || !there {
		return 0, err
	}
	return version, conn.QueryRow(ctx, "SELECT version FROM "+b.name(versionTable)).Scan(&version)
}

func (b *Backend) make(ctx context.Context, tx pgx.Tx) error {
	var encoding string
	if err := tx.QueryRow(ctx, "SHOW server_encoding").Scan(&encoding); err != nil {
		return err
	}
	if encoding != "UTF8" {
		return footy.Errorf(footy.CodeInvalid, "open PostgreSQL", "the database is encoded in %s, which cannot hold every name: make one with createdb --encoding=UTF8 --template=template0", encoding)
	}
	var there bool // a user who may make no schema may still own one
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)", b.schema).Scan(&there); err != nil {
		return err
	}
	var script strings.Builder
	if !there {
		fmt.Fprintf(&script, "CREATE SCHEMA %s;\n", pgx.Identifier{b.schema}.Sanitize())
	}
	for _, c := range store.Collections {
		script.WriteString(b.table(c))
	}
	for _, v := range store.Views {
		fmt.Fprintf(&script, "CREATE VIEW %s AS SELECT * FROM %s WHERE sub = '%s';\n", b.name(v.Name), b.Table(store.FixturesColl), v.Stage)
	}
	fmt.Fprintf(&script, "CREATE TABLE %[1]s (version integer NOT NULL);\nINSERT INTO %[1]s VALUES (%[2]d);\n", b.name(versionTable), store.SchemaVersion)
	_, err := tx.Exec(ctx, script.String())
	return err
}

// table is the one of a collection, with the indexes that its queries need.
func (b *Backend) table(c store.Collection) string {
	id := `text COLLATE "C"` // in bytes
	if c.Numeric() {
		id = "bigint"
	}
	script := fmt.Sprintf(`CREATE TABLE %s (
  id       %s PRIMARY KEY,
  revision bigint NOT NULL,
  at       timestamptz NOT NULL, -- kickoff, log time, next try, ...; -infinity is none
  grp      text NOT NULL,        -- fixture
  sub      text NOT NULL,        -- event; of a fixture its stage
  keys     text[] NOT NULL,
  words    text NOT NULL,
  body     json NOT NULL         -- the document: json keeps every letter of it, jsonb would not
);
`, b.Table(c), id)
	on := func(kind string, columns ...string) {
		for _, columns := range columns {
			script += fmt.Sprintf("CREATE INDEX ON %s USING %s (%s);\n", b.Table(c), kind, columns)
		}
	}
	switch c {
	case store.FixturesColl: // a fixture's group is its id
		on("btree", "at", "sub, at")
	case store.PostsColl, store.EventLog, store.FingerprintsColl, store.TombstonesColl:
		on("btree", "at", "sub, at", "grp, at")
	}
	if c.Keyed() {
		on("gin", "keys")
	}
	return script
}
