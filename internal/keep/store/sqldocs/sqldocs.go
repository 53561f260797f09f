// Package sqldocs keeps documents in a database that speaks SQL: what SQLite and PostgreSQL do alike. Each adapter embeds Docs and says what
// it writes differently.
package sqldocs

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Docs finds and writes the documents of a database.
type Docs struct {
	Dialect
	// Reads runs do on a connection, Writes in a transaction. They translate its errors; op is what failed.
	Reads, Writes func(ctx context.Context, op string, do func(context.Context, Conn) error) error
}

// In is a database within one transaction.
func In(tx Conn, d Dialect, fault func(op string, err error) error) *Docs {
	run := func(ctx context.Context, op string, do func(context.Context, Conn) error) error {
		return fault(op, do(ctx, tx))
	}
	return &Docs{d, run, run}
}

// Conn is a connection or a transaction. Parameters are $1, $2, ...
type Conn interface {
	Select(ctx context.Context, query string, args ...any) ([]store.Doc, error)
	Exec(ctx context.Context, statement string, args ...any) (changed int64, err error)
	// Put runs an inserting statement for each document.
	Put(ctx context.Context, c store.Collection, statement string, docs []store.Doc) error
	// Index brings the look-up keys of a written document up to date, Unindex drops those of documents that are to be deleted, where keys lie apart.
	Index(ctx context.Context, c store.Collection, d store.Doc) error
	Unindex(ctx context.Context, c store.Collection, cond string, args []any) error
}

// Dialect is what a database writes differently. place is a parameter; arg adds one.
type Dialect struct {
	Table   func(store.Collection) string
	Columns string   // that are read
	Bare    string   // the same without bodies
	Written []string // columns that are written, the id first
	Values  func(store.Doc) []any
	Text    func(string) string // as the database can keep it
	ID      func(c store.Collection, place string) string
	Order   func(store.Collection) string // by id
	At      func(time.Time) any
	In      func(c store.Collection, column string, list []string, arg func(any) string) string
	Key     func(c store.Collection, key string, arg func(any) string) string
	Word    func(place string) string
}

// Find returns one document.
func (b *Docs) Find(ctx context.Context, c store.Collection, id string) (d store.Doc, err error) {
	op := fmt.Sprintf("find %s in %s", id, c)
	err = b.Reads(ctx, op, func(ctx context.Context, conn Conn) (err error) {
		d, err = b.find(ctx, conn, op, c, id)
		return err
	})
	return d, err
}

func (b *Docs) find(ctx context.Context, conn Conn, op string, c store.Collection, id string) (store.Doc, error) {
	found, err := conn.Select(ctx, "SELECT "+b.Columns+" FROM "+b.Table(c)+" WHERE id = "+b.ID(c, "$1"), b.Text(id))
	if err != nil {
		return store.Doc{}, err
	}
	if len(found) == 0 {
		return store.Doc{}, footy.Errorf(footy.CodeNotFound, op, "no such document")
	}
	return found[0], nil
}

// Select returns the documents that match.
func (b *Docs) Select(ctx context.Context, c store.Collection, f store.Filter) (docs []store.Doc, err error) {
	cond, args := b.where(c, f)
	columns, dir, limit := b.Columns, "", ""
	if f.Bare {
		columns = b.Bare
	}
	if f.Limit > 0 {
		limit = fmt.Sprintf(" LIMIT %d", f.Limit)
		if f.Newest {
			dir = " DESC"
		}
	}
	query := "SELECT " + columns + " FROM " + b.Table(c) + cond + " ORDER BY at" + dir + ", " + b.Order(c) + dir + limit
	err = b.Reads(ctx, "select from "+string(c), func(ctx context.Context, conn Conn) (err error) {
		docs, err = conn.Select(ctx, query, args...)
		return err
	})
	if dir != "" {
		slices.Reverse(docs)
	}
	return docs, err
}

// where builds the condition of a filter; empty means every document. What may be empty is asked for twice: SQLite uses a partial index only so.
func (b *Docs) where(c store.Collection, f store.Filter) (string, []any) {
	var conds []string
	var args []any
	arg := func(value any) string {
		args = append(args, value)
		return fmt.Sprintf("$%d", len(args))
	}
	add := func(cond string) { conds = append(conds, cond) }
	if len(f.IDs) > 0 {
		add(b.In(c, "id", f.IDs, arg))
	}
	if !f.From.IsZero() {
		add("at >= " + arg(b.At(f.From)))
	}
	if !f.To.IsZero() {
		add("at < " + arg(b.At(f.To)))
	}
	if f.Group != "" {
		add("grp <> '' AND grp = " + arg(b.Text(f.Group)))
	}
	if len(f.Subs) > 0 {
		add("sub <> '' AND " + b.In(c, "sub", f.Subs, arg))
	}
	if f.Key != "" {
		add(b.Key(c, f.Key, arg))
	}
	for _, w := range f.Words {
		add(b.Word(arg(b.Text(w))))
	}
	if len(conds) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(conds, " AND "), args
}

// Insert fails with conflict if the id exists.
func (b *Docs) Insert(ctx context.Context, c store.Collection, d store.Doc, rows ...store.Doc) error {
	return b.put(ctx, fmt.Sprintf("insert %s into %s", d.ID, c), c, "", []store.Doc{d}, rows)
}

// Upsert writes all documents in one transaction.
func (b *Docs) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	same := b.set(func(_ int, column string) string { return "excluded." + column })
	return b.put(ctx, fmt.Sprintf("write %d documents to %s", len(docs), c), c, " ON CONFLICT (id) DO UPDATE SET "+same, docs, nil)
}

const unlessThere = " ON CONFLICT (id) DO NOTHING"

// InsertNew inserts the documents whose ids are new in one transaction.
func (b *Docs) InsertNew(ctx context.Context, c store.Collection, docs []store.Doc, rows ...store.Doc) error {
	return b.put(ctx, fmt.Sprintf("insert %d documents into %s", len(docs), c), c, unlessThere, docs, rows)
}

func (b *Docs) put(ctx context.Context, op string, c store.Collection, conflict string, docs, rows []store.Doc) error {
	return b.Writes(ctx, op, func(ctx context.Context, conn Conn) error {
		if err := conn.Put(ctx, c, b.insert(c)+conflict, docs); err != nil {
			return err
		}
		return b.log(ctx, conn, rows)
	})
}

func (b *Docs) log(ctx context.Context, conn Conn, rows []store.Doc) error {
	return conn.Put(ctx, store.EventLog, b.insert(store.EventLog)+unlessThere, rows)
}

func (b *Docs) insert(c store.Collection) string {
	places := make([]string, len(b.Written))
	for i := range places {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	places[0] = b.ID(c, places[0])
	return "INSERT INTO " + b.Table(c) + " (" + strings.Join(b.Written, ", ") + ") VALUES (" + strings.Join(places, ", ") + ")"
}

func (b *Docs) set(value func(place int, column string) string) string {
	var out []string
	for i, column := range b.Written[1:] {
		out = append(out, column+" = "+value(i+2, column))
	}
	return strings.Join(out, ", ")
}

// Replace fails with conflict unless the stored revision is rev.
func (b *Docs) Replace(ctx context.Context, c store.Collection, d store.Doc, rev int64, rows ...store.Doc) error {
	op := fmt.Sprintf("replace %s in %s", d.ID, c)
	statement := fmt.Sprintf("UPDATE %s SET %s WHERE id = %s AND revision = $%d", b.Table(c),
		b.set(func(place int, _ string) string { return fmt.Sprintf("$%d", place) }), b.ID(c, "$1"), len(b.Written)+1)
	return b.Writes(ctx, op, func(ctx context.Context, conn Conn) error {
		n, err := conn.Exec(ctx, statement, append(b.Values(d), rev)...)
		if err != nil {
			return err
		}
		if n == 0 {
			stored, err := b.find(ctx, conn, op, c, d.ID)
			if err != nil {
				return err
			}
			return footy.Errorf(footy.CodeConflict, op, "revision is %d, not %d", stored.Revision, rev)
		}
		if err := conn.Index(ctx, c, d); err != nil {
			return err
		}
		return b.log(ctx, conn, rows)
	})
}

// Delete removes matching documents with their keys.
func (b *Docs) Delete(ctx context.Context, c store.Collection, f store.Filter) error {
	op := "delete from " + string(c)
	cond, args := b.where(c, f)
	if cond == "" {
		return footy.Errorf(footy.CodeInvalid, op, "a filter without condition would delete everything")
	}
	return b.Writes(ctx, op, func(ctx context.Context, conn Conn) error {
		if err := conn.Unindex(ctx, c, cond, args); err != nil {
			return err
		}
		_, err := conn.Exec(ctx, "DELETE FROM "+b.Table(c)+cond, args...)
		return err
	})
}
