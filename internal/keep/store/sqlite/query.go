package sqlite

import (
	"strings"

	"github.com/found-footy/found-footy/internal/keep/store"
)

// statements are the fixed ones of a collection.
type statements struct {
	table, order                             string
	find, insert, insertNew, upsert, replace string
	exists, insertKeys, deleteKeys           string
}

const (
	columns     = "id, revision, at, grp, sub, text, body"
	bareColumns = "id, revision, at, grp, sub, '', ''" // a body lies on pages of its own, which are not read
)

// queries are those of all collections.
var queries = func() map[store.Collection]statements {
	out := map[store.Collection]statements{}
	for _, c := range store.Collections {
		out[c] = statementsOf(c)
	}
	return out
}()

func statementsOf(c store.Collection) statements {
	t := string(c)
	order := "id"
	if c.Numeric() {
		order = "CAST(id AS INTEGER)"
	}
	insert := "INSERT INTO " + t + " (" + columns + ") VALUES (?, ?, ?, ?, ?, ?, ?)"
	set := "revision = excluded.revision, at = excluded.at, grp = excluded.grp, sub = excluded.sub, text = excluded.text, body = excluded.body"
	return statements{
		table: t, order: order,
		find:      "SELECT " + columns + " FROM " + t + " WHERE id = ?",
		exists:    "SELECT revision FROM " + t + " WHERE id = ?",
		insert:    insert,
		insertNew: insert + " ON CONFLICT (id) DO NOTHING",
		upsert:    insert + " ON CONFLICT (id) DO UPDATE SET " + set,
		replace:   "UPDATE " + t + " SET revision = ?, at = ?, grp = ?, sub = ?, text = ?, body = ? WHERE id = ? AND revision = ?",
		// Few writes change any key, so only the difference is written.
		deleteKeys: "DELETE FROM document_keys WHERE collection = '" + t + "' AND id = ?1 AND key NOT IN (SELECT value FROM json_each(?2))",
		insertKeys: "INSERT OR IGNORE INTO document_keys (collection, key, id) SELECT '" + t + "', value, ?1 FROM json_each(?2)",
	}
}

// where builds the condition of a filter; empty means every document.
func where(c store.Collection, f store.Filter) (string, []any) {
	var conds []string
	var args []any
	add := func(cond string, values ...any) {
		conds, args = append(conds, cond), append(args, values...)
	}
	if len(f.IDs) > 0 {
		add("id IN ("+marks(len(f.IDs))+")", anys(f.IDs)...)
	}
	if !f.From.IsZero() {
		add("at >= ?", millis(f.From))
	}
	if !f.To.IsZero() {
		add("at < ?", millis(f.To))
	}
	if f.Group != "" {
		add("grp <> '' AND grp = ?", f.Group) // the first half is what lets the partial index be used
	}
	if len(f.Subs) > 0 {
		add("sub <> '' AND sub IN ("+marks(len(f.Subs))+")", anys(f.Subs)...)
	}
	if f.Key != "" {
		add("id IN (SELECT id FROM document_keys WHERE collection = ? AND key = ?)", string(c), f.Key)
	}
	for _, w := range f.Words {
		add("instr(text, ?) > 0", w)
	}
	if len(conds) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(conds, " AND "), args
}

// marks are the places of n parameters.
func marks(n int) string { return "?" + strings.Repeat(", ?", n-1) }

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}
