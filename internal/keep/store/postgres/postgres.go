// Package postgres keeps the store in a schema of its own in a PostgreSQL database, which any number of processes share. A document and
// its log rows are one transaction; the document is JSON text, so that every byte of it comes back.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqldocs"
)

const (
	reachTimeout = 10 * time.Second // to get a connection
	callTimeout  = 30 * time.Second // of one operation whose caller sets no deadline
	tries        = 3                // of one operation that a lost connection or a deadlock undid
)

// Backend is a connected database.
type Backend struct {
	sqldocs.Docs
	pool   *pgxpool.Pool
	schema string
}

var _ store.Backend = (*Backend)(nil)

// Open connects to the server of a postgres:// address and makes the schema where it is missing.
func Open(ctx context.Context, url, schema string) (*Backend, error) {
	const op = "open PostgreSQL"
	if schema == "" {
		return nil, footy.Errorf(footy.CodeInvalid, op, "it needs the name of a schema")
	}
	config, err := settings(url)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fault(op, err)
	}
	b := &Backend{pool: pool, schema: schema}
	b.Docs = b.docs()
	if err := b.upToDate(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return b, nil
}

func settings(url string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil { // the address may hold a password: what is said after it is why
		_, why, found := strings.Cut(err.Error(), "`: ")
		if at := strings.LastIndex(why, "`: "); at >= 0 {
			why = why[at:]
		}
		if !found || strings.Contains(why, "URL") {
			why = "it is no postgres:// address; letters like / and @ in a password must be percent-encoded"
		}
		return nil, footy.Errorf(footy.CodeInvalid, "open PostgreSQL", "the address cannot be used: %s", why)
	}
	conn := config.ConnConfig
	conn.RuntimeParams["client_encoding"] = "UTF8"
	if conn.RuntimeParams["application_name"] == "" {
		conn.RuntimeParams["application_name"] = "footy"
	}
	if conn.ConnectTimeout == 0 || conn.ConnectTimeout > reachTimeout {
		conn.ConnectTimeout = reachTimeout
	}
	if conn.ValidateConnect == nil { // of several hosts the one that takes writes; a reader must see them, too
		conn.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if conn.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement { // a pooler gives the next statement another connection, which has not prepared it
		conn.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	return config, nil
}

// begin makes each transaction so, whatever server, database and user say: what was reported as written must outlive a power cut of the
// server, and a process that was cut off in a transaction must not keep its locks. A session that a pooler shares would lose its settings.
const begin = `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT set_config('idle_in_transaction_session_timeout', '30s', true),
CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END`

func (b *Backend) name(table string) string { return pgx.Identifier{b.schema, table}.Sanitize() }

// call runs fn on a connection, and again on another where the one it had was lost or the server undid fn for the sake of others. After
// an unsure error nothing is repeated: it may have been written.
func (b *Backend) call(ctx context.Context, op string, fn func(context.Context, *pgx.Conn) error) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, callTimeout)
		defer cancel()
	}
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval = 5*time.Millisecond, 100*time.Millisecond
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		conn, err := b.pool.Acquire(ctx)
		if err != nil {
			return struct{}{}, backoff.Permanent(err)
		}
		defer conn.Release()
		err = fn(ctx, conn.Conn())
		_, unsure := errors.AsType[unsure](err)
		switch lost := conn.Conn().IsClosed(); {
		case err == nil, undone(err):
		case !lost, ctx.Err() != nil, unsure:
			err = backoff.Permanent(err)
		default:
			b.pool.Reset() // those that lie idle are as old as this one
		}
		return struct{}{}, err
	}, backoff.WithBackOff(pause), backoff.WithMaxTries(tries))
	if permanent, ok := errors.AsType[*backoff.PermanentError](err); ok { // of the last try it is handed on as it is, and would end the tries of who called
		err = permanent.Unwrap()
	}
	return fault(op, err)
}

// atomically runs fn in one transaction. Where it fails before the end, nothing was written.
func (b *Backend) atomically(ctx context.Context, op string, fn func(context.Context, pgx.Tx) error) error {
	return b.call(ctx, op, func(ctx context.Context, conn *pgx.Conn) error {
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
		if err != nil {
			return err
		}
		if err := fn(ctx, tx); err != nil {
			_ = tx.Rollback(ctx) // a connection that cannot even do that is closed, which undoes as much
			return err
		}
		if err := tx.Commit(ctx); err != nil {
			return unsure{err}
		}
		return nil
	})
}

// unsure is the error of a commit whose answer never came.
type unsure struct{ error }

func (u unsure) Unwrap() error { return u.error }

// Ping answers whether the server can be reached.
func (b *Backend) Ping(ctx context.Context) error {
	return b.call(ctx, "reach PostgreSQL", func(ctx context.Context, conn *pgx.Conn) error { return conn.Ping(ctx) })
}

// Close ends the connections.
func (b *Backend) Close() error {
	b.pool.Close()
	return nil
}

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
		if _, err := tx.Exec(ctx, b.views()); err != nil {
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
	script.WriteString(b.views())
	fmt.Fprintf(&script, "CREATE TABLE %[1]s (version integer NOT NULL);\nINSERT INTO %[1]s VALUES (%[2]d);\n", b.name(versionTable), store.SchemaVersion)
	_, err := tx.Exec(ctx, script.String())
	return err
}

// views are the stages of the fixtures, for people and tools that read the database. jsonb cannot hold a NUL: a body with one stays as it is.
func (b *Backend) views() string {
	const events = `
  SELECT jsonb_agg(e.v || jsonb_build_object(
    '_monitor_complete', coalesce(e.v #>> '{_round,taken_up_by}', '') <> '' OR coalesce((e.v #>> '{_round,number}')::int, 0) > 1,
    '_twitter_complete', coalesce(e.v -> '_download_complete', 'false'),
    '_download_workflows', (SELECT coalesce(jsonb_agg(DISTINCT p.body ->> 'download'), '[]') FROM %[2]s p WHERE p.sub = e.v ->> '_uid' AND coalesce(p.body ->> 'download', '') <> ''),
    '_discovered_videos', (SELECT coalesce(jsonb_agg(p.body -> 'candidate' ORDER BY p.id), '[]') FROM %[2]s p WHERE p.sub = e.v ->> '_uid')) ORDER BY e.n)
  FROM jsonb_array_elements(%[1]s.body::jsonb -> 'events') WITH ORDINALITY e(v, n)`
	var script strings.Builder
	for _, v := range store.Views {
		fmt.Fprintf(&script, "DROP VIEW IF EXISTS %s;\nCREATE VIEW %[1]s AS SELECT id, revision, at, grp, sub, keys, words, CASE WHEN position('\\u0000' in body::text) > 0 THEN body ELSE "+
			"jsonb_set(body::jsonb, '{events}', coalesce((%s), '[]'))::json END AS body FROM %s WHERE sub = '%s';\n",
			b.name(v.Name), fmt.Sprintf(events, b.Table(store.FixturesColl), b.Table(store.PostsColl)), b.Table(store.FixturesColl), v.Stage)
	}
	return script.String()
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
