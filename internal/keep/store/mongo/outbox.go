package mongo

import (
	"context"
	"crypto/rand"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// A change and its log rows are one step without transactions: the rows travel in the document's outbox, written with it
// in one atomic write. Then they are inserted into the log where they are new, and the outbox is cleared. A process that
// dies on the way leaves the outbox to whoever reads the log, writes or deletes the document next. All of that may be
// repeated and done by several at once: rows have fixed keys, and an outbox is cleared by the mark that it was written with.

// outboxed reports whether documents of a collection can carry rows.
func outboxed(c store.Collection) bool { return c == store.FixturesColl || c == store.PostsColl }

// encodeWith makes the stored document with rows in its outbox.
func encodeWith(c store.Collection, d store.Doc, rows []store.Doc) (bson.D, error) {
	doc, err := encode(c, d)
	if err != nil || len(rows) == 0 {
		return doc, err
	}
	if !outboxed(c) {
		return nil, footy.Errorf(footy.CodeInvalid, "write to "+string(c), "its documents carry no log rows")
	}
	box := bson.A{}
	for _, row := range rows {
		r, err := encode(store.EventLog, row)
		if err != nil {
			return nil, err
		}
		box = append(box, r)
	}
	return append(doc, bson.E{Key: fieldOutbox, Value: box}, bson.E{Key: fieldPending, Value: rand.Text()}), nil
}

// deliver takes the rows of a write that was made into the log and clears the outboxes. It fails in tests only: what was
// written is decided, and rows that are not delivered here are by the next reader.
func (b *Backend) deliver(ctx context.Context, c store.Collection, rows []store.Doc, docs ...bson.D) error {
	if len(rows) == 0 {
		return nil
	}
	if err := b.at("written"); err != nil {
		return err
	}
	if err := b.putRows(ctx, rows); err != nil {
		return nil //nolint:nilerr // as said above
	}
	if err := b.at("rows inserted"); err != nil {
		return err
	}
	for _, doc := range docs {
		_ = b.clear(ctx, c, doc) // a full outbox only costs the next reader a look
	}
	return nil
}

// putRows inserts log rows where they are new.
func (b *Backend) putRows(ctx context.Context, rows []store.Doc) error {
	docs := make([]bson.D, len(rows))
	for i, row := range rows {
		var err error
		if docs[i], err = encode(store.EventLog, row); err != nil {
			return err
		}
	}
	return b.insertNew(ctx, store.EventLog, docs)
}

// clear empties the outbox of a document as it was written, and leaves its revision: nothing was changed. An outbox that
// another has written meanwhile, or that was there before an insert of what is there already, has another mark.
func (b *Backend) clear(ctx context.Context, c store.Collection, doc bson.D) error {
	filter := bson.D{doc[0]} // the id
	for _, e := range doc {
		if e.Key == fieldPending {
			filter = append(filter, e)
		}
	}
	unset := bson.D{{Key: "$unset", Value: bson.D{{Key: fieldOutbox, Value: ""}, {Key: fieldPending, Value: ""}}}}
	_, err := b.db.Collection(string(c)).UpdateOne(ctx, filter, unset)
	return fault("clear outbox in "+string(c), err)
}

// drainGroup delivers what is pending for one fixture; "" is all of them.
func (b *Backend) drainGroup(ctx context.Context, group string) error {
	query := bson.D{}
	if group != "" {
		query = bson.D{{Key: fieldGroup, Value: group}}
	}
	for _, c := range []store.Collection{store.FixturesColl, store.PostsColl} {
		if err := b.drain(ctx, c, query); err != nil {
			return err
		}
	}
	return nil
}

// drain delivers what is pending in the documents that match.
func (b *Backend) drain(ctx context.Context, c store.Collection, query bson.D) error {
	pending := append(bson.D{{Key: fieldPending, Value: bson.D{{Key: "$gt", Value: ""}}}}, query...)
	cursor, err := b.db.Collection(string(c)).Find(ctx, pending)
	if err != nil {
		return fault("read outboxes of "+string(c), err)
	}
	var found []bson.D
	if err := cursor.All(ctx, &found); err != nil {
		return fault("read outboxes of "+string(c), err)
	}
	for _, doc := range found {
		var rows []bson.D
		for _, e := range doc {
			box, ok := e.Value.(bson.A)
			if e.Key != fieldOutbox || !ok {
				continue
			}
			for _, row := range box {
				if r, ok := row.(bson.D); ok {
					rows = append(rows, r)
				}
			}
		}
		if err := b.insertNew(ctx, store.EventLog, rows); err != nil {
			return err
		}
		if err := b.clear(ctx, c, first(doc, fieldID)); err != nil {
			return err
		}
	}
	return nil
}

// first returns the document with one field in front, whatever order a server keeps.
func first(doc bson.D, name string) bson.D {
	for i, e := range doc {
		if e.Key == name {
			out := append(bson.D{e}, doc[:i]...)
			return append(out, doc[i+1:]...)
		}
	}
	return doc
}
