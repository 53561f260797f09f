package mongo_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"

	"github.com/found-footy/found-footy/internal/keep/store/mongo"
)

// TestWritesAreWaitedForWhateverTheAddressSays: the engine does not do again what was reported as done.
func TestWritesAreWaitedForWhateverTheAddressSays(t *testing.T) {
	t.Parallel()
	for _, uri := range []string{"mongodb://127.0.0.1", "mongodb://one,two/?replicaSet=rs0&w=1&journal=false&readPreference=secondaryPreferred"} {
		o := mongo.ClientOptions(uri)
		require.Equal(t, "majority", o.WriteConcern.W)
		require.True(t, *o.WriteConcern.Journal)
		require.Equal(t, readpref.PrimaryMode, o.ReadPreference.Mode())
	}
}
