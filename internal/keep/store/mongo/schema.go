package mongo

import (
	"context"
	"errors"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// schemaColl keeps the number of the database's schema, apart from the documents: a copy of those into another database does
// not carry it along.
const (
	schemaColl = "schema"
	schemaKey  = "footy"
)

// schema reads the number of the schema; 0 if there is none.
func (b *Backend) schema(ctx context.Context) (int, error) {
	var found struct {
		Value int `bson:"value"`
	}
	err := b.db.Collection(schemaColl).FindOne(ctx, bson.D{{Key: fieldID, Value: schemaKey}}).Decode(&found)
	if errors.Is(err, mongo.ErrNoDocuments) {
		return 0, nil
	}
	return found.Value, fault("read schema", err)
}

// upToDate refuses what a newer program wrote, and migrates what an older one wrote, and numbers and furnishes what is new. Each step may be repeated.
func (b *Backend) upToDate(ctx context.Context) error {
	found, err := b.schema(ctx)
	if err != nil {
		return err
	}
	if err := store.CheckSchema("MongoDB database "+b.db.Name(), found); err != nil {
		return err
	}
	if found == 0 {
		err = b.ours(ctx)
	} else {
		err = store.Migrate(ctx, b, found)
	}
	if err == nil {
		err = b.views(ctx)
	}
	if err != nil || found == store.SchemaVersion {
		return err
	}
	_, err = b.db.Collection(schemaColl).ReplaceOne(ctx, bson.D{{Key: fieldID, Value: schemaKey}}, bson.D{{Key: "value", Value: store.SchemaVersion}}, options.Replace().SetUpsert(true))
	return fault("write schema", err)
}

// ours refuses a database of another program before anything is written: the Python original has the same default name, and keeps
// documents where we have views of ours.
func (b *Backend) ours(ctx context.Context) error {
	for _, v := range store.Views {
		err := b.db.Collection(v.Name).FindOne(ctx, bson.D{{Key: "_stage", Value: bson.D{{Key: "$exists", Value: false}}}}).Err()
		switch {
		case err == nil:
			return footy.Errorf(footy.CodeInvalid, "open MongoDB", "MongoDB database %s has a collection %s of another program, as Found Footy's Python original makes it: "+
				"set MONGODB_DB to another name; nothing in it was touched", b.db.Name(), v.Name)
		case !errors.Is(err, mongo.ErrNoDocuments):
			return fault("look for another program's documents", err)
		}
	}
	return nil
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
