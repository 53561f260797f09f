package store

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/found-footy/found-footy/internal/footy"
)

// SchemaVersion is the number of the present shape of a database and its documents. Schema 1 is that of releases 1.0.0 and 1.1.0.
const SchemaVersion = 2

// migrations bring the documents from each schema to the next, the first from 1. What a release shipped is never changed: a later shape
// gets the next number and a migration at the end.
var migrations = [SchemaVersion - 1]func(context.Context, Documents) error{
	spendingInMoney,
}

// Documents are what a migration reads and writes, in one transaction where the database has them. Keys and Text of what is written come
// from Index.
type Documents interface {
	Find(ctx context.Context, c Collection, id string) (Doc, error)
	Select(ctx context.Context, c Collection, f Filter) ([]Doc, error)
	Upsert(ctx context.Context, c Collection, docs []Doc) error
	Delete(ctx context.Context, c Collection, f Filter) error
}

// ErrNewer is in the error over a database that a newer program wrote.
var ErrNewer = errors.New("upgrade footy")

// CheckSchema refuses a database that a newer program wrote; where names it.
func CheckSchema(where string, version int) error {
	if version <= SchemaVersion {
		return nil
	}
	return footy.Errorf(footy.CodeInvalid, "open database", "%s was written by a newer version (schema %d, this one knows %d): %w", where, version, SchemaVersion, ErrNewer)
}

// Migrate brings documents of an older schema to the present one. Who stores the schema's number writes it afterwards: a migration that was
// interrupted is repeated.
func Migrate(ctx context.Context, d Documents, from int) error {
	for from = max(from, 1); from < SchemaVersion; from++ {
		if err := migrations[from-1](ctx, d); err != nil {
			return footy.Errorf(footy.CodeOf(err), "open database", "migrate it from schema %d to %d: %w", from, from+1, err)
		}
	}
	return nil
}

// spendingInMoney counts what 1.0.0 spent on searches by X's paid API for 1.1.0, which had another record of it and no longer read the first.
// 1.0.0 counted posts at half a cent; 1.1.0 counts thousandths of a dollar.
func spendingInMoney(ctx context.Context, d Documents) error {
	const posts, money, pricePerPost = "x_spending", "x_spent_on_searches", 5
	was, err := d.Find(ctx, ServiceState, posts)
	if footy.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	var old struct {
		Value map[string]int `json:"value"`
	}
	var book struct {
		Schema int `json:"_schema"`
		Value  struct {
			Days map[string]int  `json:"days"`
			Stop json.RawMessage `json:"stop,omitempty"`
		} `json:"value"`
		Counted bool `json:"posts_counted"` // until the count of posts is deleted
	}
	is, err := d.Find(ctx, ServiceState, money)
	readable := json.Unmarshal(was.Body, &old) == nil // else it is learned again: it limits one day
	switch {
	case err == nil:
		readable = readable && json.Unmarshal(is.Body, &book) == nil
	case !footy.IsNotFound(err):
		return err
	}
	if readable && !book.Counted {
		if book.Value.Days == nil {
			book.Value.Days = map[string]int{}
		}
		for day, n := range old.Value {
			book.Value.Days[day] += n * pricePerPost
		}
		book.Schema, book.Counted = 2, true
		body, err := json.Marshal(book)
		if err != nil {
			return err
		}
		if err := d.Upsert(ctx, ServiceState, []Doc{{ID: money, Revision: is.Revision + 1, Body: body}}); err != nil {
			return err
		}
	}
	return d.Delete(ctx, ServiceState, Filter{IDs: []string{posts}})
}
