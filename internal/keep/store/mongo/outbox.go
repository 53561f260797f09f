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

// outbox holds the rows of one write under its mark.
type outbox struct {
	c    store.Collection
	rows []bson.D
	mark string // in each document of the write
}

func boxOf(c store.Collection, rows []store.Doc) (box outbox, err error) {
	if len(rows) > 0 && !outboxed(c) {
		return box, footy.Errorf(footy.CodeInvalid, "write to "+string(c), "its documents carry no log rows")
	}
	box = outbox{c: c, rows: make([]bson.D, len(rows)), mark: rand.Text()}
	for i, row := range rows {
		if box.rows[i], err = encode(store.EventLog, row); err != nil {
			return box, err
		}
	}
	return box, nil
}

// encode makes the stored document with the rows in its outbox.
func (o outbox) encode(d store.Doc) (bson.D, error) {
	doc, err := encode(o.c, d)
	if err != nil || len(o.rows) == 0 {
		return doc, err
	}
	return append(doc, bson.E{Key: fieldOutbox, Value: o.rows}, bson.E{Key: fieldPending, Value: o.mark}), nil
}

// deliver takes the rows of a write that was made into the log and clears the outboxes. It fails in tests only: what was
// written is decided, and rows that are not delivered here are by the next reader.
func (b *Backend) deliver(ctx context.Context, box outbox) error {
	if len(box.rows) == 0 {
		return nil
	}
	if err := b.at("written"); err != nil {
		return err
	}
	if err := b.insertNew(ctx, store.EventLog, box.rows); err != nil {
		return nil //nolint:nilerr // as said above
	}
	if err := b.at("rows inserted"); err != nil {
		return err
	}
	_ = b.clear(ctx, box.c, box.mark) // a full outbox only costs the next reader a look
	return nil
}

// clear empties the outboxes of these marks and leaves the revisions: nothing was changed. An outbox that another has
// written meanwhile, or that was there before an insert of what is there already, has another mark.
func (b *Backend) clear(ctx context.Context, c store.Collection, marks ...string) error {
	unset := bson.D{{Key: "$unset", Value: bson.D{{Key: fieldOutbox, Value: ""}, {Key: fieldPending, Value: ""}}}}
	_, err := b.db.Collection(string(c)).UpdateMany(ctx, bson.D{{Key: fieldPending, Value: bson.D{{Key: "$in", Value: marks}}}}, unset)
	return fault("clear outboxes in "+string(c), err)
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

func (b *Backend) drain(ctx context.Context, c store.Collection, query bson.D) error {
	pending := append(bson.D{{Key: fieldPending, Value: bson.D{{Key: "$gt", Value: ""}}}}, query...)
	cursor, err := b.db.Collection(string(c)).Find(ctx, pending)
	if err != nil {
		return fault("read outboxes of "+string(c), err)
	}
	var found []struct {
		Outbox []bson.D `bson:"_outbox"`
		Mark   string   `bson:"_pending"`
	}
	if err := cursor.All(ctx, &found); err != nil || len(found) == 0 {
		return fault("read outboxes of "+string(c), err)
	}
	var rows []bson.D
	marks := make([]string, len(found))
	for i, doc := range found {
		rows, marks[i] = append(rows, doc.Outbox...), doc.Mark
	}
	if err := b.insertNew(ctx, store.EventLog, rows); err != nil {
		return err
	}
	return b.clear(ctx, c, marks...)
}
