package postgres

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqldocs"
)

func (b *Backend) docs() sqldocs.Docs {
	d := sqldocs.Docs{Dialect: dialect,
		Reads: func(ctx context.Context, op string, do func(context.Context, sqldocs.Conn) error) error {
			return b.call(ctx, op, func(ctx context.Context, c *pgx.Conn) error { return do(ctx, conn{c}) })
		},
		Writes: func(ctx context.Context, op string, do func(context.Context, sqldocs.Conn) error) error {
			return b.atomically(ctx, op, func(ctx context.Context, tx pgx.Tx) error { return do(ctx, conn{tx}) })
		}}
	d.Table = func(c store.Collection) string { return b.name(string(c)) }
	d.Order = func(c store.Collection) string { return d.Table(c) + ".id" }
	return d
}

// dialect is PostgreSQL's. A numeric id is said as text and compared as a number; a body is not read from where long ones lie, unless it is wanted.
var dialect = sqldocs.Dialect{
	Columns: "id::text, revision, at, grp, sub, body",
	Bare:    "id::text, revision, at, grp, sub, NULL::json",
	Written: []string{"id", "revision", "at", "grp", "sub", "keys", "words", "body"},
	Values:  values,
	Text:    text,
	ID: func(c store.Collection, place string) string {
		if c.Numeric() {
			place += "::text::bigint"
		}
		return place
	},
	At: func(t time.Time) any { return t },
	In: func(c store.Collection, column string, list []string, arg func(any) string) string {
		place := arg(texts(list))
		if column == "id" && c.Numeric() {
			place += "::text[]::bigint[]"
		}
		return column + " = ANY(" + place + ")"
	},
	Key: func(_ store.Collection, key string, arg func(any) string) string {
		return "keys @> " + arg(texts([]string{key}))
	},
	Word: func(place string) string { return "strpos(words, " + place + ") > 0" },
}

func values(d store.Doc) []any {
	at := pgtype.Timestamptz{Time: d.At, Valid: true}
	if d.At.IsZero() { // before every other
		at = pgtype.Timestamptz{InfinityModifier: pgtype.NegativeInfinity, Valid: true}
	}
	body := strings.ToValidUTF8(string(d.Body), "\uFFFD") // as encoding/json would read it
	return []any{text(d.ID), d.Revision, at, text(d.Group), text(d.Sub), texts(d.Keys), text(d.Text), body}
}

// text is a string as PostgreSQL can keep it: without NUL and in UTF-8. Only address lines have others, and find nothing by them.
func text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

func texts(list []string) []string {
	out := make([]string, len(list)) // never nil: that would be NULL
	for i, s := range list {
		out[i] = text(s)
	}
	return out
}

// conn is a connection or a transaction.
type conn struct {
	on interface {
		Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
		Exec(ctx context.Context, statement string, args ...any) (pgconn.CommandTag, error)
		SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	}
}

// Select implements sqldocs.Conn.
func (c conn) Select(ctx context.Context, query string, args ...any) ([]store.Doc, error) {
	rows, err := c.on.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d store.Doc, err error) {
		var at pgtype.Timestamptz
		err = row.Scan(&d.ID, &d.Revision, &at, &d.Group, &d.Sub, (*[]byte)(&d.Body))
		if at.InfinityModifier == pgtype.Finite {
			d.At = at.Time.UTC()
		}
		return d, err
	})
}

// Exec implements sqldocs.Conn.
func (c conn) Exec(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	done, err := c.on.Exec(ctx, statement, args...)
	return done.RowsAffected(), err
}

// Put implements sqldocs.Conn: in one go, in the order of the ids. Two writers of the same documents wait for one another, and never both.
func (c conn) Put(ctx context.Context, _ store.Collection, statement string, docs []store.Doc) error {
	if len(docs) == 0 {
		return nil
	}
	docs = slices.Clone(docs)
	slices.SortStableFunc(docs, func(a, b store.Doc) int { return cmp.Compare(a.ID, b.ID) })
	var batch pgx.Batch
	for _, d := range docs {
		batch.Queue(statement, values(d)...)
	}
	return c.on.SendBatch(ctx, &batch).Close()
}

// Index implements sqldocs.Conn: keys are a column.
func (conn) Index(context.Context, store.Collection, store.Doc) error { return nil }

// Unindex implements sqldocs.Conn, likewise.
func (conn) Unindex(context.Context, store.Collection, string, []any) error { return nil }

// Verify reads every document from its pages.
func (b *Backend) Verify(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, verifyTimeout) // else one call's
	defer cancel()
	for _, c := range store.Collections {
		err := b.call(ctx, "check "+string(c), func(ctx context.Context, conn *pgx.Conn) error {
			var n, size int64
			return conn.QueryRow(ctx, "SELECT count(*), coalesce(sum(length(body::text)), 0) FROM "+b.Table(c)).Scan(&n, &size)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// verifyTimeout is what a check of everything may take.
const verifyTimeout = 10 * time.Minute
