package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqldocs"
)

func (b *Backend) docs() sqldocs.Docs {
	return sqldocs.Docs{Dialect: dialect,
		Reads: func(ctx context.Context, op string, do func(context.Context, sqldocs.Conn) error) error {
			return fault(op, b.path, do(ctx, conn{b.read}))
		},
		Writes: func(ctx context.Context, op string, do func(context.Context, sqldocs.Conn) error) error {
			return fault(op, b.path, inTransaction(ctx, b.write, func(tx *sql.Tx) error { return do(ctx, conn{tx}) }))
		}}
}

// dialect is SQLite's. A time is milliseconds; the zero time has its own far-off number and comes back as zero. A body lies on pages of its own,
// which are read only where it is wanted.
var dialect = sqldocs.Dialect{
	Table:   func(c store.Collection) string { return string(c) },
	Columns: "id, revision, at, grp, sub, text, body",
	Bare:    "id, revision, at, grp, sub, '', ''",
	Written: []string{"id", "revision", "at", "grp", "sub", "text", "body"},
	Values:  values,
	Text:    func(s string) string { return s },
	ID:      func(_ store.Collection, place string) string { return place },
	Order: func(c store.Collection) string {
		if c.Numeric() {
			return "CAST(id AS INTEGER)"
		}
		return "id"
	},
	At: func(t time.Time) any { return t.UnixMilli() },
	In: func(_ store.Collection, column string, list []string, arg func(any) string) string {
		places := make([]string, len(list))
		for i, v := range list {
			places[i] = arg(v)
		}
		return column + " IN (" + strings.Join(places, ", ") + ")"
	},
	Key: func(c store.Collection, key string, arg func(any) string) string {
		return "id IN (SELECT id FROM document_keys WHERE collection = '" + string(c) + "' AND key = " + arg(key) + ")"
	},
	Word: func(place string) string { return "instr(text, " + place + ") > 0" },
}

func values(d store.Doc) []any {
	return []any{d.ID, d.Revision, d.At.UnixMilli(), d.Group, d.Sub, d.Text, string(d.Body)}
}

// conn is the file, or a transaction of it.
type conn struct {
	on interface {
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	}
}

// Select implements sqldocs.Conn.
func (c conn) Select(ctx context.Context, query string, args ...any) (docs []store.Doc, err error) {
	rows, err := c.on.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err below has what matters
	for rows.Next() {
		d, err := scan(rows)
		if err != nil {
			return nil, err
		}
		docs = append(docs, d)
	}
	return docs, rows.Err()
}

// scan reads a row. SQLite keeps anything in any column: a row with another type has no body, and is damaged to whoever decodes it.
func scan(row *sql.Rows) (d store.Doc, err error) {
	var cells [7]any
	if err := row.Scan(&cells[0], &cells[1], &cells[2], &cells[3], &cells[4], &cells[5], &cells[6]); err != nil {
		return d, err
	}
	var ok [7]bool
	var at int64
	var body string
	d.ID, ok[0] = cells[0].(string)
	d.Revision, ok[1] = cells[1].(int64)
	at, ok[2] = cells[2].(int64)
	d.Group, ok[3] = cells[3].(string)
	d.Sub, ok[4] = cells[4].(string)
	d.Text, ok[5] = cells[5].(string)
	body, ok[6] = cells[6].(string)
	if !ok[0] {
		d.ID = fmt.Sprint(cells[0])
	}
	if t := time.UnixMilli(at).UTC(); ok[2] && !t.IsZero() {
		d.At = t
	}
	if ok == [7]bool{true, true, true, true, true, true, true} {
		d.Body = []byte(body)
	}
	return d, nil
}

// Exec implements sqldocs.Conn.
func (c conn) Exec(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	res, err := c.on.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Put implements sqldocs.Conn: the keys of those that it took effect for are written, too.
func (c conn) Put(ctx context.Context, in store.Collection, statement string, docs []store.Doc) error {
	for _, d := range docs {
		n, err := c.Exec(ctx, statement, values(d)...)
		if err == nil && n > 0 {
			err = c.Index(ctx, in, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Index implements sqldocs.Conn. Few writes change any key, so only the difference is written.
func (c conn) Index(ctx context.Context, in store.Collection, d store.Doc) error {
	if !in.Keyed() {
		return nil
	}
	keys, err := json.Marshal(append([]string{}, d.Keys...)) // never null: no key would be deleted then
	for _, statement := range []string{
		"DELETE FROM document_keys WHERE collection = $1 AND id = $2 AND key NOT IN (SELECT value FROM json_each($3))",
		"INSERT OR IGNORE INTO document_keys (collection, key, id) SELECT $1, value, $2 FROM json_each($3)",
	} {
		if err == nil {
			_, err = c.Exec(ctx, statement, string(in), d.ID, string(keys))
		}
	}
	return err
}

// Unindex implements sqldocs.Conn.
func (c conn) Unindex(ctx context.Context, in store.Collection, cond string, args []any) error {
	if !in.Keyed() {
		return nil
	}
	_, err := c.Exec(ctx, "DELETE FROM document_keys WHERE collection = '"+string(in)+"' AND id IN (SELECT id FROM "+string(in)+cond+")", args...)
	return err
}
