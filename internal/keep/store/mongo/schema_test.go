package mongo_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/mongo"
)

func TestANewerDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	r := setup(t)
	_, err := r.raw.Collection("schema").ReplaceOne(t.Context(), bson.D{{Key: "_id", Value: "footy"}}, bson.D{{Key: "value", Value: store.SchemaVersion + 1}})
	require.NoError(t, err)
	_, err = mongo.Open(t.Context(), r.uri, "footy")
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "was written by a newer version (schema 2, this one knows 1): upgrade footy")
	require.NotContains(t, err.Error(), "\n")
}
