package mongo_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/store/mongo"
)

// old fills the database as a program of schema 1 left it: three collections, one fixture in two of them.
func (r *rig) old() {
	r.t.Helper()
	event := bson.D{{Key: "_uid", Value: "u"}, {Key: "_event_id", Value: "2_1_2_Goal_1"}, {Key: "x_later", Value: "kept"}, {Key: "_attempts", Value: bson.A{
		bson.D{{Key: "download", Value: "d-1"}, {Key: "round", Value: 1}, {Key: "try", Value: 1}, {Key: "candidates", Value: bson.A{bson.D{{Key: "id", Value: "101"}}}}},
	}}}
	for name, docs := range map[string][]bson.D{
		"fixtures_staging": {
			{{Key: "_id", Value: int64(1)}, {Key: "_stage", Value: "staging"}, {Key: "events", Value: bson.A{}}, {Key: "_revision", Value: int64(1)}},
			{{Key: "_id", Value: int64(2)}, {Key: "_stage", Value: "staging"}, {Key: "_moving_to", Value: "active"}, {Key: "events", Value: bson.A{}}, {Key: "_revision", Value: int64(2)}},
		},
		"fixtures_active":  {{{Key: "_id", Value: int64(2)}, {Key: "_stage", Value: "active"}, {Key: "events", Value: bson.A{event}}, {Key: "_revision", Value: int64(3)}}},
		"tombstones":       {{{Key: "_id", Value: "ffff"}, {Key: "event_uid", Value: "u"}, {Key: "fixture_id", Value: int64(2)}, {Key: "reason", Value: "asked"}}},
		"fixtures_unknown": {{{Key: "_id", Value: "left alone"}}},
	} {
		for _, d := range docs {
			_, err := r.raw.Collection(name).InsertOne(r.t.Context(), d)
			require.NoError(r.t, err)
		}
	}
	_, err := r.raw.Collection("schema").DeleteOne(r.t.Context(), bson.D{{Key: "_id", Value: "footy"}})
	require.NoError(r.t, err)
}

func TestMigratingThreeCollections(t *testing.T) {
	t.Parallel()
	r := setup(t)
	for _, v := range store.Views { // where the server has views, they are in the way of what is simulated here
		require.NoError(t, r.raw.Collection(v.Name).Drop(t.Context()))
	}
	r.old()
	r.dieAt("keep fixtures_active")
	require.ErrorIs(t, r.back.UpToDate(t.Context()), errKilled)
	r.dieAt("")
	require.NoError(t, r.back.UpToDate(t.Context()), "a second try goes on")

	list, err := r.other.List(t.Context(), store.FixtureQuery{})
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, footy.StageStaging, list[0].Stage)
	require.Equal(t, footy.StageActive, list[1].Stage)
	require.EqualValues(t, 3, list[1].Revision)
	require.Equal(t, []footy.Batch{{Key: "d-1", Round: 1, Try: 1}}, list[1].Events[0].Batches)
	posts, err := r.other.Posts(t.Context(), store.PostQuery{Due: time.Now(), Batch: "d-1"})
	require.NoError(t, err)
	require.Len(t, posts, 1)
	require.Equal(t, footy.PostOffered, posts[0].State)
	tombstones, err := r.other.Tombstones(t.Context())
	require.NoError(t, err)
	require.Len(t, tombstones, 1)
	require.Equal(t, "ffff", tombstones[0].Digest)
	_, err = r.other.FixtureOfEvent(t.Context(), "2_1_2_Goal_1")
	require.NoError(t, err)
	var raw bson.M
	require.NoError(t, r.raw.Collection("fixtures_active_v1").FindOne(t.Context(), bson.D{{Key: "_id", Value: int64(2)}}).Decode(&raw), "kept as a backup")
	require.NoError(t, r.raw.Collection("fixtures").FindOne(t.Context(), bson.D{{Key: "_id", Value: int64(2)}}).Decode(&raw))
	event := raw["events"].(bson.A)[0].(bson.D) //nolint:forcetypeassert // a wrong shape may panic in a test
	require.Contains(t, event, bson.E{Key: "x_later", Value: "kept"})
	for _, e := range event {
		require.NotEqual(t, "_attempts", e.Key)
	}
}

func TestANewerDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	r := setup(t)
	_, err := r.raw.Collection("schema").ReplaceOne(t.Context(), bson.D{{Key: "_id", Value: "footy"}}, bson.D{{Key: "value", Value: store.SchemaVersion + 1}})
	require.NoError(t, err)
	_, err = mongo.Open(t.Context(), r.uri, "footy")
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "was written by a newer version (schema 3, this one knows 2): upgrade footy")
	require.NotContains(t, err.Error(), "\n")
}
