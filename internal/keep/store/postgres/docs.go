package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Find returns one document.
func (b *Backend) Find(ctx context.Context, c store.Collection, id string) (d store.Doc, err error) {
	op := fmt.Sprintf("find %s in %s", id, c)
	err = b.call(ctx, op, func(ctx context.Context, conn *pgx.Conn) error {
		d, err = b.find(ctx, conn, c, id)
		return err
	})
	return d, err
}

// Select returns the documents that match.
func (b *Backend) Select(ctx context.Context, c store.Collection, f store.Filter) (docs []store.Doc, err error) {
	err = b.call(ctx, "select from "+string(c), func(ctx context.Context, conn *pgx.Conn) error {
		docs, err = b.list(ctx, conn, c, f)
		return err
	})
	return docs, err
}

// Walk reads documents in the order of their ids.
func (b *Backend) Walk(ctx context.Context, c store.Collection, after string, n int) (last string, err error) {
	cond, args := "", []any(nil)
	if after != "" {
		cond, args = " WHERE id > $1"+b.sql[c].id, []any{escape(after)}
	}
	err = b.call(ctx, "read "+string(c), func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, fmt.Sprintf("SELECT %s FROM %s%s ORDER BY %[2]s.id LIMIT %[4]d", columns, b.sql[c].table, cond, n), args...)
		if err != nil {
			return err
		}
		docs, err := pgx.CollectRows(rows, scan)
		if len(docs) > 0 {
			last = docs[len(docs)-1].ID
		}
		return err
	})
	return last, err
}

// Verify reads every document from its pages.
func (b *Backend) Verify(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, verifyTimeout) // else one call's
	defer cancel()
	for _, c := range store.Collections {
		err := b.call(ctx, "check "+string(c), func(ctx context.Context, conn *pgx.Conn) error {
			var n, size int64
			return conn.QueryRow(ctx, "SELECT count(*), coalesce(sum(length(body::text)), 0) FROM "+b.sql[c].table).Scan(&n, &size)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// verifyTimeout is what a check of everything may take.
const verifyTimeout = 10 * time.Minute

// queryer is a connection or one transaction of it.
type queryer interface {
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
}

func (b *Backend) find(ctx context.Context, q queryer, c store.Collection, id string) (store.Doc, error) {
	rows, err := q.Query(ctx, b.sql[c].find, escape(id))
	if err != nil {
		return store.Doc{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scan)
}

func (b *Backend) list(ctx context.Context, q queryer, c store.Collection, f store.Filter) ([]store.Doc, error) {
	cond, args := b.sql[c].where(f)
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
	rows, err := q.Query(ctx, "SELECT "+wanted+" FROM "+b.sql[c].table+cond+" ORDER BY at"+dir+", "+b.sql[c].table+".id"+dir+limit, args...)
	if err != nil {
		return nil, err
	}
	docs, err := pgx.CollectRows(rows, scan)
	if dir != "" {
		slices.Reverse(docs)
	}
	return docs, err
}

// Insert fails with conflict if the id exists.
func (b *Backend) Insert(ctx context.Context, c store.Collection, d store.Doc, rows ...store.Doc) error {
	return b.write(ctx, fmt.Sprintf("insert %s into %s", d.ID, c), b.sql[c].insert, []store.Doc{d}, rows)
}

// Replace fails with conflict unless the stored revision is rev. Who writes at the same time is waited for.
func (b *Backend) Replace(ctx context.Context, c store.Collection, d store.Doc, rev int64, rows ...store.Doc) error {
	op := fmt.Sprintf("replace %s in %s", d.ID, c)
	return b.atomically(ctx, op, func(ctx context.Context, tx pgx.Tx) error {
		done, err := tx.Exec(ctx, b.sql[c].replace, append(values(d), rev)...)
		if err != nil {
			return err
		}
		if done.RowsAffected() == 0 {
			var stored int64
			if err := tx.QueryRow(ctx, b.sql[c].revision, escape(d.ID)).Scan(&stored); err != nil {
				return err
			}
			return footy.Errorf(footy.CodeConflict, op, "revision is %d, not %d", stored, rev)
		}
		return b.log(ctx, tx, rows)
	})
}

// Upsert writes all documents in one transaction.
func (b *Backend) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	return b.write(ctx, fmt.Sprintf("write %d documents to %s", len(docs), c), b.sql[c].upsert, docs, nil)
}

// InsertNew inserts the documents whose ids are new in one transaction.
func (b *Backend) InsertNew(ctx context.Context, c store.Collection, docs []store.Doc, rows ...store.Doc) error {
	return b.write(ctx, fmt.Sprintf("insert %d documents into %s", len(docs), c), b.sql[c].insertNew, docs, rows)
}

func (b *Backend) write(ctx context.Context, op, statement string, docs, rows []store.Doc) error {
	return b.atomically(ctx, op, func(ctx context.Context, tx pgx.Tx) error {
		if err := put(ctx, tx, statement, docs); err != nil {
			return err
		}
		return b.log(ctx, tx, rows)
	})
}

// log inserts the log rows that belong to a write, in its transaction.
func (b *Backend) log(ctx context.Context, tx pgx.Tx, rows []store.Doc) error {
	return put(ctx, tx, b.sql[store.EventLog].insertNew, rows)
}

// put sends the documents in one go, in the order of their ids: two writers of the same ones wait for one another, and never both.
func put(ctx context.Context, tx pgx.Tx, statement string, docs []store.Doc) error {
	if len(docs) == 0 {
		return nil
	}
	docs = slices.Clone(docs)
	slices.SortStableFunc(docs, func(a, b store.Doc) int { return cmp.Compare(a.ID, b.ID) })
	var batch pgx.Batch
	for _, d := range docs {
		batch.Queue(statement, values(d)...)
	}
	return tx.SendBatch(ctx, &batch).Close()
}

// Delete removes matching documents.
func (b *Backend) Delete(ctx context.Context, c store.Collection, f store.Filter) error {
	return b.atomically(ctx, "delete from "+string(c), func(ctx context.Context, tx pgx.Tx) error { return b.remove(ctx, tx, c, f) })
}

func (b *Backend) remove(ctx context.Context, tx pgx.Tx, c store.Collection, f store.Filter) error {
	cond, args := b.sql[c].where(f)
	if cond == "" {
		return footy.Errorf(footy.CodeInvalid, "delete from "+string(c), "a filter without condition would delete everything")
	}
	_, err := tx.Exec(ctx, "DELETE FROM "+b.sql[c].table+cond, args...)
	return err
}

// migrating is the transaction of a migration.
type migrating struct {
	*Backend
	tx pgx.Tx
}

func (m migrating) Find(ctx context.Context, c store.Collection, id string) (store.Doc, error) {
	d, err := m.find(ctx, m.tx, c, id)
	return d, fault(fmt.Sprintf("find %s in %s", id, c), err)
}

func (m migrating) Select(ctx context.Context, c store.Collection, f store.Filter) ([]store.Doc, error) {
	return m.list(ctx, m.tx, c, f)
}

func (m migrating) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	return put(ctx, m.tx, m.sql[c].upsert, docs)
}

func (m migrating) Delete(ctx context.Context, c store.Collection, f store.Filter) error {
	return m.remove(ctx, m.tx, c, f)
}
