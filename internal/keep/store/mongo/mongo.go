// Package mongo keeps the store in MongoDB, under the collections and field names of the documentation. It uses only
// find, insert, replace by revision, delete and bulk writes, and no transactions: log rows travel in their document.
package mongo

import (
	"context"
	"errors"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

const (
	reachTimeout = 10 * time.Second // to find a server at start
	callTimeout  = 30 * time.Second // of one operation whose caller sets no deadline
)

// Backend is a connected database.
type Backend struct {
	client *mongo.Client
	db     *mongo.Database
	hook   func(step string) error // nil but in tests, which end the process at a step
}

// at is called between the steps of what is more than one write.
func (b *Backend) at(step string) error {
	if b.hook == nil {
		return nil
	}
	return b.hook(step)
}

var _ store.Backend = (*Backend)(nil)

// Open connects to the server of a mongodb:// address and makes the indexes of a database.
func Open(ctx context.Context, uri, database string) (*Backend, error) {
	const op = "open MongoDB"
	if database == "" {
		return nil, footy.Errorf(footy.CodeInvalid, op, "it needs the name of a database")
	}
	client, err := mongo.Connect(clientOptions(uri))
	if err != nil { // the address may hold a password: not repeated here
		return nil, footy.Errorf(footy.CodeInvalid, op, "the address cannot be used: %w", err)
	}
	b := &Backend{client: client, db: client.Database(database)}
	for _, step := range []func(context.Context) error{b.Ping, b.upToDate, b.index} {
		if err := step(ctx); err != nil {
			_ = b.Close() // why it could not be reached, or used, says more
			return nil, err
		}
	}
	return b, nil
}

// clientOptions, whatever the address says: what was reported as written must outlive the server that took it, and a reader must
// see it.
func clientOptions(uri string) *options.ClientOptions {
	journal := true
	return options.Client().ApplyURI(uri).SetServerSelectionTimeout(reachTimeout).SetTimeout(callTimeout).
		SetWriteConcern(&writeconcern.WriteConcern{W: writeconcern.WCMajority, Journal: &journal}).SetReadPreference(readpref.Primary())
}

func (b *Backend) index(ctx context.Context) error {
	on := func(c store.Collection, keys ...bson.D) error {
		for _, k := range keys { // one by one: stand-ins fail over a list of indexes that are there already
			if _, err := b.db.Collection(string(c)).Indexes().CreateOne(ctx, mongo.IndexModel{Keys: k}); err != nil {
				return fault("index "+string(c), err)
			}
		}
		return nil
	}
	at, keys, pending := bson.D{{Key: fieldAt, Value: 1}}, bson.D{{Key: fieldKeys, Value: 1}}, bson.D{{Key: fieldPending, Value: 1}}
	bySub := bson.D{{Key: fieldSub, Value: 1}, {Key: fieldAt, Value: 1}}
	byGroup := bson.D{{Key: fieldGroup, Value: 1}, {Key: fieldAt, Value: 1}}
	for _, c := range store.Collections {
		var err error
		switch c {
		case store.FixturesColl: // a fixture's group is its id
			err = on(c, at, bySub, keys, pending)
		case store.PostsColl:
			err = on(c, at, bySub, byGroup, keys, pending)
		case store.EventLog, store.FingerprintsColl, store.TombstonesColl:
			err = on(c, at, bySub, byGroup)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Verify has nothing to do: the server checks what it reads.
func (b *Backend) Verify(context.Context) error { return nil }

// Ping answers whether the server can be reached.
func (b *Backend) Ping(ctx context.Context) error {
	return fault("reach MongoDB", b.client.Ping(ctx, nil))
}

// Close ends the connections.
func (b *Backend) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), reachTimeout)
	defer cancel()
	return fault("close MongoDB", b.client.Disconnect(ctx))
}

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

// view is the fixtures of a stage with what readers are given beside.
func view(stage string) mongo.Pipeline {
	type d = bson.D
	one := func(name string, value any) d { return d{{Key: name, Value: value}} }
	of := one("$filter", d{{Key: "input", Value: "$_posts"}, {Key: "as", Value: "p"}, {Key: "cond", Value: one("$eq", bson.A{"$$p.event_uid", "$$e._uid"})}})
	each := func(field string) d {
		return one("$map", d{{Key: "input", Value: of}, {Key: "as", Value: "p"}, {Key: "in", Value: "$$p." + field}})
	}
	event := one("$mergeObjects", bson.A{"$$e", d{
		{Key: "_monitor_complete", Value: one("$or", bson.A{one("$gt", bson.A{"$$e._round.taken_up_by", ""}), one("$gt", bson.A{"$$e._round.number", 1})})},
		{Key: "_twitter_complete", Value: one("$eq", bson.A{"$$e._download_complete", true})},
		{Key: "_download_workflows", Value: one("$setDifference", bson.A{each("download"), bson.A{"", nil}})},
		{Key: "_discovered_videos", Value: each("candidate")},
	}})
	return mongo.Pipeline{
		one("$match", one("_stage", stage)),
		one("$lookup", d{{Key: "from", Value: string(store.PostsColl)}, {Key: "localField", Value: "_id"}, {Key: "foreignField", Value: "fixture_id"}, {Key: "as", Value: "_posts"}}),
		one("$set", one("events", one("$map", d{{Key: "input", Value: "$events"}, {Key: "as", Value: "e"}, {Key: "in", Value: event}}))),
		one("$unset", "_posts"),
	}
}

// views makes the founding documents' collections of fixtures, as views. Only people and tools read them, so a server that has none,
// as the devstack's stand-in and other servers that speak the protocol, serves the product all the same.
func (b *Backend) views(ctx context.Context) error {
	for _, v := range store.Views {
		err := b.db.CreateView(ctx, v.Name, string(store.FixturesColl), view(v.Stage))
		if server, ok := errors.AsType[mongo.ServerError](err); ok && server.HasErrorCode(codeNamespaceExists) { // of an older program
			err = b.db.RunCommand(ctx, bson.D{{Key: "collMod", Value: v.Name}, {Key: "viewOn", Value: string(store.FixturesColl)}, {Key: "pipeline", Value: view(v.Stage)}}).Err()
		}
		if server, ok := errors.AsType[mongo.ServerError](err); ok && slices.ContainsFunc([]int{codeNamespaceExists, codeNoSuchCommand, codeNotImplemented, codeNotSupported}, server.HasErrorCode) {
			continue
		}
		if err != nil {
			return footy.Wrap(footy.CodeUnavailable, "create view "+v.Name, fault("create view", err))
		}
	}
	return nil
}
