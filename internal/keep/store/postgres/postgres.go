// Package postgres keeps the store in a schema of its own in a PostgreSQL database, which any number of processes share. A document and
// its log rows are one transaction; the document is JSON text, so that every byte of it comes back.
package postgres

import (
	"context"
	"errors"
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
		var unsure unsure
		switch lost := conn.Conn().IsClosed(); {
		case err == nil, undone(err):
		case !lost, ctx.Err() != nil, errors.As(err, &unsure):
			err = backoff.Permanent(err)
		default:
			b.pool.Reset() // those that lie idle are as old as this one
		}
		return struct{}{}, err
	}, backoff.WithBackOff(pause), backoff.WithMaxTries(tries))
	var permanent *backoff.PermanentError // of the last try it is handed on as it is, and would end the tries of who called
	if errors.As(err, &permanent) {
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
