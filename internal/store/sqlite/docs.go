package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

const columns = "id, rev, at, grp, sub, words, body"

// Find returns one document.
func (b *Backend) Find(ctx context.Context, c store.Collection, id string) (store.Doc, error) {
	op := "find " + string(c) + " " + id
	d, err := scan(b.db.QueryRowContext(ctx, "SELECT "+columns+" FROM docs WHERE coll = ? AND id = ?", c, id))
	if errors.Is(err, sql.ErrNoRows) {
		return d, footy.Errorf(footy.CodeNotFound, op, "no such document")
	}
	if err != nil {
		return d, b.trouble(op, err)
	}
	d.Keys, err = b.keys(ctx, c, id)
	return d, err
}

func (b *Backend) keys(ctx context.Context, c store.Collection, id string) ([]string, error) {
	rows, err := b.db.QueryContext(ctx, "SELECT key FROM keys WHERE coll = ? AND id = ? ORDER BY key", c, id)
	if err != nil {
		return nil, b.trouble("read keys", err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var k string
		if err := rows.Scan(&k); err != nil {
			return nil, b.trouble("read keys", err)
		}
		out = append(out, k)
	}
	return out, b.trouble("read keys", rows.Err())
}

// Select returns matching documents by At, then id.
func (b *Backend) Select(ctx context.Context, c store.Collection, f store.Filter) ([]store.Doc, error) {
	op := "select " + string(c)
	where, args := conditions(c, f)
	order := " ORDER BY at, num, id"
	if f.Newest {
		order = " ORDER BY at DESC, num DESC, id DESC"
	}
	if f.Limit > 0 {
		order += " LIMIT " + strconv.Itoa(f.Limit)
	}
	rows, err := b.db.QueryContext(ctx, "SELECT "+columns+" FROM docs WHERE "+where+order, args...)
	if err != nil {
		return nil, b.trouble(op, err)
	}
	defer rows.Close()
	var out []store.Doc
	for rows.Next() {
		d, err := scan(rows)
		if err != nil {
			return nil, b.trouble(op, err)
		}
		out = append(out, d)
	}
	if f.Newest {
		slices.Reverse(out)
	}
	return out, b.trouble(op, rows.Err())
}

// Insert adds a document that must be new.
func (b *Backend) Insert(ctx context.Context, c store.Collection, d store.Doc) error {
	op := "insert " + string(c) + " " + d.ID
	return b.write(ctx, op, func(tx *sql.Tx) error {
		n, err := put(ctx, tx, "INSERT OR IGNORE", c, d)
		if err == nil && n == 0 {
			return footy.Errorf(footy.CodeConflict, op, "it exists already")
		}
		return err
	})
}

// Replace writes a document if nobody wrote since rev.
func (b *Backend) Replace(ctx context.Context, c store.Collection, d store.Doc, rev int64) error {
	op := "replace " + string(c) + " " + d.ID
	return b.write(ctx, op, func(tx *sql.Tx) error {
		var have int64
		err := tx.QueryRowContext(ctx, "SELECT rev FROM docs WHERE coll = ? AND id = ?", c, d.ID).Scan(&have)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return footy.Errorf(footy.CodeNotFound, op, "no such document")
		case err != nil:
			return err
		case have != rev:
			return footy.Errorf(footy.CodeConflict, op, "revision is %d, not %d", have, rev)
		}
		_, err = put(ctx, tx, "INSERT OR REPLACE", c, d)
		return err
	})
}

// Upsert writes all documents in one transaction.
func (b *Backend) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	return b.bulk(ctx, "INSERT OR REPLACE", c, docs)
}

// InsertNew inserts those that are new in one transaction.
func (b *Backend) InsertNew(ctx context.Context, c store.Collection, docs []store.Doc) error {
	return b.bulk(ctx, "INSERT OR IGNORE", c, docs)
}

func (b *Backend) bulk(ctx context.Context, verb string, c store.Collection, docs []store.Doc) error {
	if len(docs) == 0 {
		return nil
	}
	return b.write(ctx, "write "+string(c), func(tx *sql.Tx) error {
		for _, d := range docs {
			if _, err := put(ctx, tx, verb, c, d); err != nil {
				return err
			}
		}
		return nil
	})
}

// Delete removes matching documents with their keys.
func (b *Backend) Delete(ctx context.Context, c store.Collection, f store.Filter) error {
	where, args := conditions(c, f)
	return b.write(ctx, "delete "+string(c), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM keys WHERE coll = ? AND id IN (SELECT id FROM docs WHERE "+where+")", append([]any{c}, args...)...)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM docs WHERE "+where, args...)
		return err
	})
}

// put writes one row and, if it did, its keys. It returns the number of rows written.
func put(ctx context.Context, tx *sql.Tx, verb string, c store.Collection, d store.Doc) (int64, error) {
	num := int64(0)
	if c.Numeric() {
		num, _ = strconv.ParseInt(d.ID, 10, 64) // an id that is no number sorts first; the store makes none
	}
	res, err := tx.ExecContext(ctx, verb+" INTO docs (coll, id, num, rev, at, grp, sub, words, body) VALUES (?,?,?,?,?,?,?,?,?)",
		c, d.ID, num, d.Revision, millis(d.At), d.Group, d.Sub, d.Text, string(d.Body))
	if err != nil {
		return 0, err
	}
	n, err := res.RowsAffected()
	if err != nil || n == 0 {
		return n, err
	}
	if verb == "INSERT OR REPLACE" {
		if _, err := tx.ExecContext(ctx, "DELETE FROM keys WHERE coll = ? AND id = ?", c, d.ID); err != nil {
			return n, err
		}
	}
	for _, k := range d.Keys {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO keys (coll, key, id) VALUES (?,?,?)", c, k, d.ID); err != nil {
			return n, err
		}
	}
	return n, nil
}

func conditions(c store.Collection, f store.Filter) (string, []any) {
	parts, args := []string{"coll = ?"}, []any{c}
	and := func(cond string, vs ...any) { parts, args = append(parts, cond), append(args, vs...) }
	if f.IDs != nil {
		vs := make([]any, len(f.IDs))
		for i, id := range f.IDs {
			vs[i] = id
		}
		and("id IN ("+strings.TrimSuffix(strings.Repeat("?,", len(vs)), ",")+")", vs...)
	}
	if f.Revision != 0 {
		and("rev = ?", f.Revision)
	}
	if !f.From.IsZero() {
		and("at >= ?", millis(f.From))
	}
	if !f.To.IsZero() {
		and("at < ?", millis(f.To))
	}
	if f.Group != "" {
		and("grp = ?", f.Group)
	}
	if f.Sub != "" {
		and("sub = ?", f.Sub)
	}
	if f.Key != "" {
		and("id IN (SELECT id FROM keys WHERE coll = ? AND key = ?)", c, f.Key)
	}
	for _, w := range f.Words {
		and("instr(words, ?) > 0", w)
	}
	return strings.Join(parts, " AND "), args
}

type scanner interface{ Scan(...any) error }

func scan(r scanner) (store.Doc, error) {
	var d store.Doc
	var at int64
	var body string
	err := r.Scan(&d.ID, &d.Revision, &at, &d.Group, &d.Sub, &d.Text, &body)
	if at != 0 {
		d.At = time.UnixMilli(at).UTC()
	}
	d.Body = []byte(body)
	return d, err
}

func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
