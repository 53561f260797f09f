package mongo

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Find returns one document.
func (b *Backend) Find(ctx context.Context, c store.Collection, id string) (store.Doc, error) {
	op := fmt.Sprintf("find %s in %s", id, c)
	key, err := idOf(c, id)
	if err != nil {
		return store.Doc{}, err
	}
	var doc bson.D
	if err := b.db.Collection(string(c)).FindOne(ctx, bson.D{{Key: fieldID, Value: key}}).Decode(&doc); err != nil {
		return store.Doc{}, fault(op, err)
	}
	return decode(doc), nil
}

// Select returns the documents that match. Whoever reads the log first moves the rows that are still on their way there.
func (b *Backend) Select(ctx context.Context, c store.Collection, f store.Filter) ([]store.Doc, error) {
	op := "select from " + string(c)
	if c == store.EventLog {
		if err := b.drainGroup(ctx, f.Group); err != nil {
			return nil, err
		}
	}
	query, err := condition(c, f)
	if err != nil {
		return nil, err
	}
	dir, opts := 1, options.Find()
	if f.Limit > 0 {
		opts.SetLimit(int64(f.Limit))
		if f.Newest {
			dir = -1
		}
	}
	if f.Bare {
		opts.SetProjection(bson.D{{Key: fieldRevision, Value: 1}, {Key: fieldAt, Value: 1}, {Key: fieldGroup, Value: 1}, {Key: fieldSub, Value: 1}})
	}
	opts.SetSort(bson.D{{Key: fieldAt, Value: dir}, {Key: fieldID, Value: dir}})
	cursor, err := b.db.Collection(string(c)).Find(ctx, query, opts)
	if err != nil {
		return nil, fault(op, err)
	}
	var found []bson.D
	if err := cursor.All(ctx, &found); err != nil {
		return nil, fault(op, err)
	}
	docs := make([]store.Doc, len(found))
	for i, doc := range found {
		docs[i] = decode(doc)
	}
	if dir < 0 {
		slices.Reverse(docs)
	}
	return docs, nil
}

// Insert fails with conflict if the id exists.
func (b *Backend) Insert(ctx context.Context, c store.Collection, d store.Doc, rows ...store.Doc) error {
	box, err := boxOf(c, rows)
	if err != nil {
		return err
	}
	doc, err := box.encode(d)
	if err != nil {
		return err
	}
	if _, err = b.db.Collection(string(c)).InsertOne(ctx, doc); err != nil {
		return fault(fmt.Sprintf("insert %s into %s", d.ID, c), err)
	}
	return b.deliver(ctx, box)
}

// Replace fails with conflict unless the stored revision is rev. What an earlier writer left in the outbox goes into the
// log first: this write would overwrite it.
func (b *Backend) Replace(ctx context.Context, c store.Collection, d store.Doc, rev int64, rows ...store.Doc) error {
	op := fmt.Sprintf("replace %s in %s", d.ID, c)
	box, err := boxOf(c, rows)
	if err != nil {
		return err
	}
	doc, err := box.encode(d)
	if err != nil {
		return err
	}
	byID := doc[0] // encode puts it first
	asRead := bson.D{byID, revision(rev), {Key: fieldPending, Value: bson.D{{Key: "$exists", Value: false}}}}
	for range 2 {
		res, err := b.db.Collection(string(c)).ReplaceOne(ctx, asRead, doc)
		if err != nil {
			return fault(op, err)
		}
		if res.MatchedCount > 0 {
			return b.deliver(ctx, box)
		}
		stored, err := b.Find(ctx, c, d.ID)
		if err != nil {
			return err
		}
		if stored.Revision != rev {
			return footy.Errorf(footy.CodeConflict, op, "revision is %d, not %d", stored.Revision, rev)
		}
		if err := b.drain(ctx, c, bson.D{byID}); err != nil {
			return err
		}
	}
	return footy.Errorf(footy.CodeConflict, op, "others keep writing it")
}

// revision selects documents of one; the first one, nought, is not stored.
func revision(rev int64) bson.E {
	if rev == 0 {
		return bson.E{Key: fieldRevision, Value: bson.D{{Key: "$exists", Value: false}}}
	}
	return bson.E{Key: fieldRevision, Value: rev}
}

// Upsert writes all documents in one bulk write.
func (b *Backend) Upsert(ctx context.Context, c store.Collection, docs []store.Doc) error {
	if len(docs) == 0 {
		return nil
	}
	models := make([]mongo.WriteModel, len(docs))
	for i, d := range docs {
		doc, err := encode(c, d)
		if err != nil {
			return err
		}
		models[i] = mongo.NewReplaceOneModel().SetFilter(bson.D{doc[0]}).SetReplacement(doc).SetUpsert(true)
	}
	_, err := b.db.Collection(string(c)).BulkWrite(ctx, models, options.BulkWrite().SetOrdered(false))
	return fault(fmt.Sprintf("write %d documents to %s", len(docs), c), err)
}

// InsertNew inserts the documents whose ids are new in one bulk write. Each of them carries the rows, so that whichever
// are there after a crash, the rows are too; where none is new the rows are written alone.
func (b *Backend) InsertNew(ctx context.Context, c store.Collection, docs []store.Doc, rows ...store.Doc) error {
	box, err := boxOf(c, rows)
	if err != nil {
		return err
	}
	if len(docs) == 0 {
		return b.insertNew(ctx, store.EventLog, box.rows)
	}
	written := make([]bson.D, len(docs))
	for i, d := range docs {
		if written[i], err = box.encode(d); err != nil {
			return err
		}
	}
	if err := b.insertNew(ctx, c, written); err != nil {
		return err
	}
	return b.deliver(ctx, box)
}

func (b *Backend) insertNew(ctx context.Context, c store.Collection, docs []bson.D) error {
	if len(docs) == 0 {
		return nil
	}
	models := make([]mongo.WriteModel, len(docs))
	for i, doc := range docs {
		models[i] = mongo.NewInsertOneModel().SetDocument(doc)
	}
	_, err := b.db.Collection(string(c)).BulkWrite(ctx, models, options.BulkWrite().SetOrdered(false))
	return fault(fmt.Sprintf("insert %d documents into %s", len(docs), c), onlyNew(err))
}

// Delete removes matching documents.
func (b *Backend) Delete(ctx context.Context, c store.Collection, f store.Filter) error {
	op := "delete from " + string(c)
	query, err := condition(c, f)
	if err != nil {
		return err
	}
	if len(query) == 0 {
		return footy.Errorf(footy.CodeInvalid, op, "a filter without condition would delete everything")
	}
	if c == store.EventLog { // rows that are still on their way would come after
		err = b.drainGroup(ctx, f.Group)
	} else if outboxed(c) { // the log of what is deleted stays
		err = b.drain(ctx, c, query)
	}
	if err != nil {
		return err
	}
	_, err = b.db.Collection(string(c)).DeleteMany(ctx, query)
	return fault(op, err)
}

func condition(c store.Collection, f store.Filter) (bson.D, error) {
	q := bson.D{}
	if len(f.IDs) > 0 {
		ids := bson.A{}
		for _, id := range f.IDs {
			key, err := idOf(c, id)
			if err != nil {
				return nil, err
			}
			ids = append(ids, key)
		}
		q = append(q, bson.E{Key: fieldID, Value: bson.D{{Key: "$in", Value: ids}}})
	}
	var span bson.D
	if !f.From.IsZero() {
		span = append(span, bson.E{Key: "$gte", Value: f.From})
	}
	if !f.To.IsZero() {
		span = append(span, bson.E{Key: "$lt", Value: f.To})
	}
	if span != nil {
		q = append(q, bson.E{Key: fieldAt, Value: span})
	}
	for _, e := range []struct{ field, value string }{{fieldGroup, f.Group}, {fieldKeys, f.Key}} {
		if e.value != "" {
			q = append(q, bson.E{Key: e.field, Value: e.value})
		}
	}
	if len(f.Subs) > 0 {
		q = append(q, bson.E{Key: fieldSub, Value: bson.D{{Key: "$in", Value: f.Subs}}})
	}
	var words bson.A
	for _, w := range f.Words {
		words = append(words, bson.D{{Key: fieldText, Value: bson.D{{Key: "$regex", Value: regexp.QuoteMeta(w)}}}})
	}
	if words != nil {
		q = append(q, bson.E{Key: "$and", Value: words})
	}
	return q, nil
}
