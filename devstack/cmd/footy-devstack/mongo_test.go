package main_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

func TestMongoKeepsDocumentsOverARestart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mongo dir")
	connect := func(p *process) *mongo.Collection {
		c, err := mongo.Connect(options.Client().ApplyURI(p.URI))
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Disconnect(t.Context()) })
		return c.Database("footy").Collection("fixtures_live")
	}
	p := start(t, "mongo", "--dir", dir)
	fixtures := connect(p)
	_, err := fixtures.InsertOne(t.Context(), bson.M{"_id": 7, "rev": 1})
	require.NoError(t, err)
	_, err = fixtures.InsertOne(t.Context(), bson.M{"_id": 7, "rev": 1})
	require.True(t, mongo.IsDuplicateKeyError(err))
	got, err := fixtures.ReplaceOne(t.Context(), bson.M{"_id": 7, "rev": 1}, bson.M{"_id": 7, "rev": 2})
	require.NoError(t, err)
	require.EqualValues(t, 1, got.MatchedCount)
	got, err = fixtures.ReplaceOne(t.Context(), bson.M{"_id": 7, "rev": 1}, bson.M{"_id": 7, "rev": 9})
	require.NoError(t, err)
	require.Zero(t, got.MatchedCount, "a stale revision replaces nothing")

	require.Zero(t, p.stop(t))
	var doc struct {
		Rev int `bson:"rev"`
	}
	require.NoError(t, connect(start(t, "mongo", "--dir", dir)).FindOne(t.Context(), bson.M{"_id": 7}).Decode(&doc))
	require.Equal(t, 2, doc.Rev)
}
