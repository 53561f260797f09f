package postgres

import (
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/found-footy/found-footy/internal/keep/store"
)

// statements are the fixed ones of a collection.
type statements struct {
	table                                              string
	id                                                 string // the type of an id, after a parameter
	find, insert, insertNew, upsert, replace, revision string
}

const (
	columns     = "id::text, revision, at, grp, sub, body"
	bareColumns = "id::text, revision, at, grp, sub, NULL::json" // a body is not read from where long ones lie
)

func statementsOf(table string, c store.Collection) statements {
	id := ""
	if c.Numeric() {
		id = "::text::bigint" // said as text, compared as a number
	}
	insert := "INSERT INTO " + table + " (id, revision, at, grp, sub, keys, words, body) VALUES ($1" + id + ", $2, $3, $4, $5, $6, $7, $8)"
	const same = "revision = excluded.revision, at = excluded.at, grp = excluded.grp, sub = excluded.sub, keys = excluded.keys, words = excluded.words, body = excluded.body"
	return statements{
		table: table, id: id,
		find:      "SELECT " + columns + " FROM " + table + " WHERE id = $1" + id,
		revision:  "SELECT revision FROM " + table + " WHERE id = $1" + id,
		insert:    insert,
		insertNew: insert + " ON CONFLICT (id) DO NOTHING",
		upsert:    insert + " ON CONFLICT (id) DO UPDATE SET " + same,
		replace:   "UPDATE " + table + " SET revision = $2, at = $3, grp = $4, sub = $5, keys = $6, words = $7, body = $8 WHERE id = $1" + id + " AND revision = $9",
	}
}

// values are the parameters of a document, in the order of the statements.
func values(d store.Doc) []any {
	body := strings.ToValidUTF8(string(d.Body), "\uFFFD") // as encoding/json would read it
	return []any{text(d.ID), d.Revision, instant(d.At), text(d.Group), text(d.Sub), texts(d.Keys), text(d.Text), body}
}

// instant is a time as a value that can be compared: none at all is before every other.
func instant(t time.Time) pgtype.Timestamptz {
	if t.IsZero() {
		return pgtype.Timestamptz{InfinityModifier: pgtype.NegativeInfinity, Valid: true}
	}
	return pgtype.Timestamptz{Time: t, Valid: true}
}

func scan(row pgx.CollectableRow) (d store.Doc, err error) {
	var at pgtype.Timestamptz
	if err := row.Scan(&d.ID, &d.Revision, &at, &d.Group, &d.Sub, (*[]byte)(&d.Body)); err != nil {
		return store.Doc{}, err
	}
	if at.InfinityModifier == pgtype.Finite {
		d.At = at.Time.UTC()
	}
	return d, nil
}

// where builds the condition of a filter; empty means every document.
func (s statements) where(f store.Filter) (string, []any) {
	var conds []string
	var args []any
	add := func(cond string, value any) {
		args = append(args, value)
		conds = append(conds, fmt.Sprintf(cond, len(args)))
	}
	if len(f.IDs) > 0 {
		cast := ""
		if s.id != "" {
			cast = "::text[]::bigint[]"
		}
		add("id = ANY($%d"+cast+")", texts(f.IDs))
	}
	if !f.From.IsZero() {
		add("at >= $%d", f.From)
	}
	if !f.To.IsZero() {
		add("at < $%d", f.To)
	}
	if f.Group != "" {
		add("grp = $%d", text(f.Group))
	}
	if len(f.Subs) > 0 {
		add("sub = ANY($%d)", texts(f.Subs))
	}
	if f.Key != "" {
		add("keys @> $%d", texts([]string{f.Key}))
	}
	for _, w := range f.Words {
		add("strpos(words, $%d) > 0", text(w))
	}
	if len(conds) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(conds, " AND "), args
}
