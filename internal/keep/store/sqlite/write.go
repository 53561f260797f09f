package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// atomically runs fn in one transaction, which holds the write lock from its start.
func (b *Backend) atomically(ctx context.Context, op string, fn func(*sql.Tx) error) error {
	return fault(op, b.path, inTransaction(ctx, b.write, fn))
}

// put runs one inserting statement and writes the document's keys if it took effect.
func put(ctx context.Context, tx *sql.Tx, c store.Collection, statement string, d store.Doc) error {
	res, err := tx.ExecContext(ctx, statement, d.ID, d.Revision, millis(d.At), d.Group, d.Sub, d.Text, string(d.Body))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return index(ctx, tx, c, d)
}

// index brings the look-up keys of a document up to date; few writes change any, so only the difference is written.
func index(ctx context.Context, tx *sql.Tx, c store.Collection, d store.Doc) error {
	if !c.Keyed() {
		return nil
	}
	q := queries[c]
	stored, err := column(ctx, tx, q.keys, d.ID)
	if err != nil {
		return err
	}
	for _, key := range stored {
		if !slices.Contains(d.Keys, key) {
			if _, err := tx.ExecContext(ctx, q.deleteKey, key, d.ID); err != nil {
				return err
			}
		}
	}
	for _, key := range d.Keys {
		if !slices.Contains(stored, key) {
			if _, err := tx.ExecContext(ctx, q.insertKey, key, d.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// log inserts the log rows that belong to a write, in its transaction.
func (b *Backend) log(ctx context.Context, tx *sql.Tx, rows []store.Doc) error {
	for _, d := range rows {
		if err := put(ctx, tx, store.EventLog, queries[store.EventLog].insertNew, d); err != nil {
			return err
		}
	}
	return nil
}

// Insert fails with conflict if the id exists.
func (b *Backend) Insert(ctx context.Context, c store.Collection, d store.Doc, rows ...store.Doc) error {
	return b.atomically(ctx, fmt.Sprintf("insert %s into %s", d.ID, c), func(tx *sql.Tx) error {
		if err := put(ctx, tx, c, queries[c].insert, d); err != nil {
			return err
		}
		return b.log(ctx, tx, rows)
	})
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
		return b.log(ctx, tx, rows)
	})
}

// Upsert writes all documents in one transaction.
func (b *Backend) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	return b.bulk(ctx, c, queries[c].upsert, docs, nil)
}

// InsertNew inserts the documents whose ids are new in one transaction.
func (b *Backend) InsertNew(ctx context.Context, c store.Collection, docs []store.Doc, rows ...store.Doc) error {
	return b.bulk(ctx, c, queries[c].insertNew, docs, rows)
}

func (b *Backend) bulk(ctx context.Context, c store.Collection, statement string, docs, rows []store.Doc) error {
	return b.atomically(ctx, fmt.Sprintf("write %d documents to %s", len(docs), c), func(tx *sql.Tx) error {
		for _, d := range docs {
			if err := put(ctx, tx, c, statement, d); err != nil {
				return err
			}
		}
		return b.log(ctx, tx, rows)
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
