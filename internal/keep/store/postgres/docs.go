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
	err = b.call(ctx, fmt.Sprintf("find %s in %s", id, c), func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, b.sql[c].find, text(id))
		if err != nil {
			return err
		}
		d, err = pgx.CollectExactlyOneRow(rows, scan)
		return err
	})
	return d, err
}

// Select returns the documents that match.
func (b *Backend) Select(ctx context.Context, c store.Collection, f store.Filter) (docs []store.Doc, err error) {
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
	query := "SELECT " + wanted + " FROM " + b.sql[c].table + cond + " ORDER BY at" + dir + ", " + b.sql[c].table + ".id" + dir + limit
	err = b.call(ctx, "select from "+string(c), func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		docs, err = pgx.CollectRows(rows, scan)
		return err
	})
	if dir != "" {
		slices.Reverse(docs)
	}
	return docs, err
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
			if err := tx.QueryRow(ctx, b.sql[c].revision, text(d.ID)).Scan(&stored); err != nil {
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
	op := "delete from " + string(c)
	cond, args := b.sql[c].where(f)
	if cond == "" {
		return footy.Errorf(footy.CodeInvalid, op, "a filter without condition would delete everything")
	}
	return b.atomically(ctx, op, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM "+b.sql[c].table+cond, args...)
		return err
	})
}
