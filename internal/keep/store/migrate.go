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

// ErrNewer is in the error over a database that a newer program wrote.
var ErrNewer = errors.New("upgrade footy")

// CheckSchema refuses a database that a newer program wrote; where names it.
func CheckSchema(where string, version int) error {
	if version <= SchemaVersion {
		return nil
	}
	return footy.Errorf(footy.CodeInvalid, "open database", "%s was written by a newer version (schema %d, this one knows %d): %w", where, version, SchemaVersion, ErrNewer)
}

// Migrate brings documents of an older schema to the present one, in one transaction where the database has them. The adapter writes the
// schema's number afterwards: a migration that was interrupted, or that two processes do at once, is repeated to the same end.
func Migrate(ctx context.Context, b Documents, from int) error {
	for from = max(from, 1); from < SchemaVersion; from++ {
		if err := migrations[from-1](ctx, b); err != nil {
			return footy.Errorf(footy.CodeOf(err), "open database", "migrate it from schema %d to %d: %w", from, from+1, err)
		}
	}
	return nil
}

// What 1.0.0 spent on searches by X's paid API, in posts at half a cent, and the record of later releases, in thousandths of a dollar.
const (
	spentPosts   = "x_spending"
	spentMoney   = "x_spent_on_searches"
	pricePerPost = 5
)

// spendingInMoney counts what 1.0.0 spent for 1.1.0, which had another record of it and no longer read the first.
func spendingInMoney(ctx context.Context, b Documents) error {
	_, err := retry(ctx, "state "+spentMoney, func() (struct{}, error) { return struct{}{}, countPosts(ctx, b) })
	if err != nil {
		return err
	}
	return b.Delete(ctx, ServiceState, Filter{IDs: []string{spentPosts}})
}

// countPosts adds the first record to the second, which notes it until the first is deleted. The second is read first: a process that has
// deleted the first may have begun to write the second.
func countPosts(ctx context.Context, b Documents) error {
	var book struct {
		Schema int `json:"_schema"`
		Value  struct {
			Days map[string]int  `json:"days"`
			Stop json.RawMessage `json:"stop,omitempty"`
		} `json:"value"`
		Counted bool `json:"posts_counted"`
	}
	var old struct {
		Value map[string]int `json:"value"`
	}
	is, err := b.Find(ctx, ServiceState, spentMoney)
	found := err == nil
	if err != nil && !footy.IsNotFound(err) {
		return err
	}
	was, err := b.Find(ctx, ServiceState, spentPosts)
	if footy.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	readable := json.Unmarshal(was.Body, &old) == nil && (!found || json.Unmarshal(is.Body, &book) == nil)
	if !readable || book.Counted { // what cannot be read is learned again: it limits one day
		return nil
	}
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
	next := Doc{ID: spentMoney, Revision: is.Revision + 1, Body: body}
	if found {
		return b.Replace(ctx, ServiceState, next, is.Revision)
	}
	return b.Insert(ctx, ServiceState, next)
}
