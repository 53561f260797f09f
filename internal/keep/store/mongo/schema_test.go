package mongo_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/mongo"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
	"github.com/found-footy/found-footy/tools/devtest"
)

func TestAnOlderDatabaseIsMigratedAndANewerOneRefused(t *testing.T) {
	t.Parallel()
	uri := devtest.Start(t, "mongo", "--dir", t.TempDir(), "--port", "0").URI
	schema := dial(t, uri).Database("footy").Collection("schema")
	storetest.Opens(t, storetest.Database{
		Open: func() (store.Backend, error) { return mongo.Open(t.Context(), uri, "footy") },
		Stamp: func(version int) {
			_, err := schema.ReplaceOne(t.Context(), bson.D{{Key: "_id", Value: "footy"}}, bson.D{{Key: "value", Value: version}})
			require.NoError(t, err)
		},
		Stamped: func() int {
			var doc struct{ Value int }
			require.NoError(t, schema.FindOne(t.Context(), bson.D{{Key: "_id", Value: "footy"}}).Decode(&doc))
			return doc.Value
		},
	})
}

// TestAnotherProgramsDatabaseIsRefused: the Python original has the same default name and collections of the names of our views.
func TestAnotherProgramsDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	uri := devtest.Start(t, "mongo", "--dir", t.TempDir(), "--port", "0").URI
	raw := dial(t, uri).Database("found_footy")
	theirs := bson.D{{Key: "_id", Value: 1}, {Key: "fixture", Value: "of the original"}}
	_, err := raw.Collection("fixtures_completed").InsertOne(t.Context(), theirs)
	require.NoError(t, err)
	_, err = mongo.Open(t.Context(), uri, "found_footy")
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "MongoDB database found_footy has a collection fixtures_completed of another program, as Found Footy's Python original makes it: set MONGODB_DB to another name; nothing in it was touched")
	names, err := raw.ListCollectionNames(t.Context(), bson.D{})
	require.NoError(t, err)
	require.Equal(t, []string{"fixtures_completed"}, names)
}
