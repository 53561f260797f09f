package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// atomically runs fn in one transaction, which holds the write lock from its start.
func (b *Backend) atomically(ctx context.Context, op string, fn func(*sql.Tx) error) error {
	if b.tx != nil {
		return fault(op, b.path, fn(b.tx))
	}
	return fault(op, b.path, inTransaction(ctx, b.write, fn))
}

// put runs an inserting statement for each document and writes the keys of those for which it took effect.
func put(ctx context.Context, tx *sql.Tx, c store.Collection, statement string, docs []store.Doc) error {
	for _, d := range docs {
		res, err := tx.ExecContext(ctx, statement, d.ID, d.Revision, millis(d.At), d.Group, d.Sub, d.Text, string(d.Body))
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err == nil && n > 0 {
			err = index(ctx, tx, c, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// index brings the look-up keys of a document up to date.
func index(ctx context.Context, tx *sql.Tx, c store.Collection, d store.Doc) error {
	if !c.Keyed() {
		return nil
	}
	keys, err := json.Marshal(append([]string{}, d.Keys...)) // never null: no key would be deleted then
	if err != nil {
		return err
	}
	for _, statement := range []string{queries[c].deleteKeys, queries[c].insertKeys} {
		if _, err := tx.ExecContext(ctx, statement, d.ID, string(keys)); err != nil {
			return err
		}
	}
	return nil
}

// log inserts the log rows that belong to a write, in its transaction.
func log(ctx context.Context, tx *sql.Tx, rows []store.Doc) error {
	return put(ctx, tx, store.EventLog, queries[store.EventLog].insertNew, rows)
}

// Insert fails with conflict if the id exists.
func (b *Backend) Insert(ctx context.Context, c store.Collection, d store.Doc, rows ...store.Doc) error {
	return b.bulk(ctx, fmt.Sprintf("insert %s into %s", d.ID, c), c, queries[c].insert, []store.Doc{d}, rows)
}

// Replace fails with conflict unless the stored revision is rev.
func (b *Backend) Replace(ctx context.Context, c store.Collection, d store.Doc, rev int64, rows ...store.Doc) error {
	op := fmt.Sprintf("replace %s in %s", d.ID, c)
	return b.atomically(ctx, op, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, queries[c].replace,
			d.Revision, millis(d.At), d.Group, d.Sub, d.Text, string(d.Body), d.ID, rev)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		if n == 0 {
			var stored int64
			if err := tx.QueryRowContext(ctx, queries[c].exists, d.ID).Scan(&stored); err != nil {
				return err
			}
			return footy.Errorf(footy.CodeConflict, op, "revision is %d, not %d", stored, rev)
		}
		if err := index(ctx, tx, c, d); err != nil {
			return err
		}
		return log(ctx, tx, rows)
	})
}

// Upsert writes all documents in one transaction.
func (b *Backend) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	return b.bulk(ctx, fmt.Sprintf("write %d documents to %s", len(docs), c), c, queries[c].upsert, docs, nil)
}

// InsertNew inserts the documents whose ids are new in one transaction.
func (b *Backend) InsertNew(ctx context.Context, c store.Collection, docs []store.Doc, rows ...store.Doc) error {
	return b.bulk(ctx, fmt.Sprintf("insert %d documents into %s", len(docs), c), c, queries[c].insertNew, docs, rows)
}

func (b *Backend) bulk(ctx context.Context, op string, c store.Collection, statement string, docs, rows []store.Doc) error {
	return b.atomically(ctx, op, func(tx *sql.Tx) error {
		if err := put(ctx, tx, c, statement, docs); err != nil {
			return err
		}
		return log(ctx, tx, rows)
	})
}

// Delete removes matching documents with their keys.
func (b *Backend) Delete(ctx context.Context, c store.Collection, f store.Filter) error {
	op := "delete from " + string(c)
	cond, args := where(c, f)
	if cond == "" {
		return footy.Errorf(footy.CodeInvalid, op, "a filter without condition would delete everything")
	}
	return b.atomically(ctx, op, func(tx *sql.Tx) error {
		if c.Keyed() {
			keys := "DELETE FROM document_keys WHERE collection = ? AND id IN (SELECT id FROM " + string(c) + cond + ")"
			if _, err := tx.ExecContext(ctx, keys, append([]any{string(c)}, args...)...); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM "+string(c)+cond, args...)
		return err
	})
}
