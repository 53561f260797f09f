package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/keep/store"
)

// millis keeps a time as milliseconds; the zero time has its own far-off number and comes back as zero.
func millis(t time.Time) int64 { return t.UnixMilli() }

func instant(ms int64) time.Time {
	t := time.UnixMilli(ms).UTC()
	if t.IsZero() {
		return time.Time{}
	}
	return t
}

type scanner interface{ Scan(...any) error }

// scan reads a row. SQLite keeps anything in any column: a row with another type has no body, and is damaged to whoever decodes it.
func scan(row scanner) (d store.Doc, err error) {
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
	if ok[2] {
		d.At = instant(at)
	}
	if ok == [7]bool{true, true, true, true, true, true, true} {
		d.Body = []byte(body)
	}
	return d, nil
}

// Find returns one document. Its look-up keys stay in the index: they are derived from the body.
func (b *Backend) Find(ctx context.Context, c store.Collection, id string) (store.Doc, error) {
	d, err := scan(b.reader().QueryRowContext(ctx, queries[c].find, id))
	return d, fault(fmt.Sprintf("find %s in %s", id, c), b.path, err)
}

// queryer is a database or one transaction of it.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (b *Backend) reader() queryer {
	if b.tx != nil {
		return b.tx
	}
	return b.read
}

// Select returns the documents that match.
func (b *Backend) Select(ctx context.Context, c store.Collection, f store.Filter) ([]store.Doc, error) {
	docs, err := list(ctx, b.reader(), c, f)
	return docs, fault("select from "+string(c), b.path, err)
}

func list(ctx context.Context, from queryer, c store.Collection, f store.Filter) (docs []store.Doc, err error) {
	q := queries[c]
	cond, args := where(c, f)
	dir, limit := "", ""
	if f.Limit > 0 {
		limit = fmt.Sprintf(" LIMIT %d", f.Limit)
		if f.Newest {
			dir = " DESC"
		}
	}
	wanted := columns
	if f.Bare {
		wanted = bareColumns
	}
	text := "SELECT " + wanted + " FROM " + q.table + cond + " ORDER BY at" + dir + ", " + q.order + dir + limit
	rows, err := from.QueryContext(ctx, text, args...)
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
	if dir != "" {
		slices.Reverse(docs)
	}
	return docs, rows.Err()
}
