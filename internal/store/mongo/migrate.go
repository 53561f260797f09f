package mongo

import (
	"context"
	"errors"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

// schemaColl keeps the number of the database's schema, apart from the documents: a copy of those into another database does
// not carry it along.
const (
	schemaColl = "schema"
	schemaKey  = "footy"
)

type schemaDoc struct {
	Value int `bson:"value"`
}

// upToDate refuses what a newer program wrote and migrates what an older one did. Each step may be repeated, so a
// migration that was interrupted is made again from its start.
func (b *Backend) upToDate(ctx context.Context) error {
	schema := b.db.Collection(schemaColl)
	var found schemaDoc
	err := schema.FindOne(ctx, bson.D{{Key: fieldID, Value: schemaKey}}).Decode(&found)
	if err != nil && !errors.Is(err, mongo.ErrNoDocuments) {
		return fault("read schema", err)
	}
	if err := store.CheckSchema("MongoDB database "+b.db.Name(), found.Value); err != nil {
		return err
	}
	if found.Value == store.SchemaVersion {
		return b.views(ctx)
	}
	if err := b.fromV1(ctx, time.Now()); err != nil {
		return err
	}
	if err := b.views(ctx); err != nil {
		return err
	}
	_, err = schema.ReplaceOne(ctx, bson.D{{Key: fieldID, Value: schemaKey}}, bson.D{{Key: "value", Value: store.SchemaVersion}}, options.Replace().SetUpsert(true))
	return fault("write schema", err)
}

// fromV1 brings the fixtures of three collections into one, open batches into the ledger, and tombstones under their new
// keys. The old collections stay as "<name>_v1": there is no other backup that a program could make here.
func (b *Backend) fromV1(ctx context.Context, now time.Time) error {
	names, err := b.db.ListCollectionNames(ctx, bson.D{{Key: "type", Value: "collection"}})
	if err != nil {
		return fault("list collections", err)
	}
	copies := map[string][]store.Doc{}
	var old []string
	for _, v := range store.Views {
		if !slices.Contains(names, v.Name) {
			continue
		}
		old = append(old, v.Name)
		docs, err := b.all(ctx, v.Name)
		if err != nil {
			return err
		}
		for _, d := range docs {
			copies[d.ID] = append(copies[d.ID], d)
		}
	}
	for _, list := range copies {
		d, posts, err := store.FixtureFromV1(list, now)
		if err != nil {
			return err
		}
		if err := b.InsertNew(ctx, store.PostsColl, posts); err != nil {
			return err
		}
		if err := b.InsertNew(ctx, store.FixturesColl, []store.Doc{d}); err != nil {
			return err
		}
	}
	if err := b.tombstonesFromV1(ctx); err != nil {
		return err
	}
	for _, name := range old {
		if err := b.at("keep " + name); err != nil {
			return err
		}
		rename := bson.D{{Key: "renameCollection", Value: b.db.Name() + "." + name}, {Key: "to", Value: b.db.Name() + "." + name + "_v1"}}
		if err := b.client.Database("admin").RunCommand(ctx, rename).Err(); err != nil {
			return fault("keep "+name+" as "+name+"_v1", err)
		}
	}
	return b.Delete(ctx, store.ServiceState, store.Filter{IDs: []string{"stage_returns"}}) // told readers of the three of moves
}

func (b *Backend) tombstonesFromV1(ctx context.Context) error {
	docs, err := b.all(ctx, string(store.TombstonesColl))
	if err != nil {
		return err
	}
	for _, d := range docs {
		fresh, err := store.TombstoneFromV1(d)
		if err != nil {
			return err
		}
		if fresh.ID == d.ID {
			continue // made by an earlier try
		}
		if err := b.InsertNew(ctx, store.TombstonesColl, []store.Doc{fresh}); err != nil {
			return err
		}
		if err := b.Delete(ctx, store.TombstonesColl, store.Filter{IDs: []string{d.ID}}); err != nil {
			return err
		}
	}
	return nil
}

// all reads a whole collection, also one that the port does not have any more.
func (b *Backend) all(ctx context.Context, name string) ([]store.Doc, error) {
	cursor, err := b.db.Collection(name).Find(ctx, bson.D{})
	if err != nil {
		return nil, fault("read "+name, err)
	}
	var found []bson.D
	if err := cursor.All(ctx, &found); err != nil {
		return nil, fault("read "+name, err)
	}
	docs := make([]store.Doc, len(found))
	for i, doc := range found {
		if docs[i], err = decode(doc); err != nil {
			return nil, err
		}
	}
	return docs, nil
}

// Server codes of a command that a server lacks, and of a view that is there.
const (
	codeNamespaceExists = 48
	codeNoSuchCommand   = 59
	codeNotImplemented  = 238
	codeNotSupported    = 115
)

// views makes the founding documents' collections of fixtures, as views. Only people and tools read them, so a server that has none,
// as the devstack's stand-in and other servers that speak the protocol, serves the product all the same.
func (b *Backend) views(ctx context.Context) error {
	for _, v := range store.Views {
		err := b.db.CreateView(ctx, v.Name, string(store.FixturesColl), mongo.Pipeline{{{Key: "$match", Value: bson.D{{Key: "_stage", Value: v.Stage}}}}})
		var server mongo.ServerError
		if errors.As(err, &server) && slices.ContainsFunc([]int{codeNamespaceExists, codeNoSuchCommand, codeNotImplemented, codeNotSupported}, server.HasErrorCode) {
			continue
		}
		if err != nil {
			return footy.Wrap(footy.CodeUnavailable, "create view "+v.Name, fault("create view", err))
		}
	}
	return nil
}
