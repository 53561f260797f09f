package mongo_test

import (
	"context"
	"crypto/rand"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/mongo"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestConformanceOnStandIn runs all but one check on the teststack's stand-in, which takes one command at a time.
func TestConformanceOnStandIn(t *testing.T) {
	t.Parallel()
	uri := devtest.Start(t, "mongo", "--dir", t.TempDir(), "--port", "0").URI
	storetest.Run(t, fresh(uri), storetest.Traits{OneByOne: true})
}

// TestConformanceOnServer runs everything on a real server, which takes several at once.
func TestConformanceOnServer(t *testing.T) {
	t.Parallel()
	uri := os.Getenv("MONGODB_TEST_URI")
	if uri == "" {
		t.Skip("set MONGODB_TEST_URI to a MongoDB 7 server")
	}
	storetest.Run(t, fresh(uri), storetest.Traits{NestedLists: true})
}

// fresh opens databases of their own, which are dropped after the test.
func fresh(uri string) func(t *testing.T) store.Backend {
	return func(t *testing.T) store.Backend {
		name := "footy_test_" + strings.ToLower(rand.Text()[:12])
		b, err := mongo.Open(t.Context(), uri, name)
		require.NoError(t, err)
		client := dial(t, uri)
		t.Cleanup(func() { require.NoError(t, client.Database(name).Drop(context.Background())) })
		return b
	}
}

func dial(t *testing.T, uri string) *driver.Client {
	t.Helper()
	client, err := driver.Connect(options.Client().ApplyURI(uri))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Disconnect(context.Background())) })
	return client
}

func TestDocumentsHaveTheDocumentedShape(t *testing.T) {
	t.Parallel()
	uri := devtest.Start(t, "mongo", "--dir", t.TempDir(), "--port", "0").URI
	b, err := mongo.Open(t.Context(), uri, "footy")
	require.NoError(t, err)
	s := store.New(b)
	kickoff := time.Date(2026, 8, 15, 15, 0, 0, 0, time.UTC)
	require.NoError(t, s.Add(t.Context(), footy.Fixture{
		ID: 1234567, Stage: footy.StageActive, Match: footy.Match{ID: 1234567, Kickoff: kickoff}, League: footy.League{ID: 39},
		Teams:  footy.Teams{Home: footy.Team{ID: 40}, Away: footy.Team{ID: 50}},
		Events: []footy.Event{{UID: "u", ID: "1234567_1_2_Goal_1", Clips: []footy.Clip{{ID: "c", Digest: "d", Duration: 7, Aspect: 1.778}}}},
	}))
	require.NoError(t, s.Close())

	var raw bson.M
	err = dial(t, uri).Database("footy").Collection("fixtures").FindOne(t.Context(), bson.D{{Key: "_id", Value: int64(1234567)}}).Decode(&raw)
	require.NoError(t, err)
	require.Equal(t, int64(1), raw["_revision"])
	require.Equal(t, bson.NewDateTimeFromTime(kickoff), raw["_at"])
	require.Equal(t, bson.A{"1234567_1_2_Goal_1", "clip:d", "league:39", "team:40", "team:50", "u"}, raw["_keys"])
	event := raw["events"].(bson.A)[0].(bson.D) //nolint:forcetypeassert // a wrong shape may panic in a test
	var clips any
	for _, field := range event {
		if field.Key == "_s3_videos" {
			clips = field.Value
		}
	}
	require.NotNil(t, clips, "real sub-documents under the founding documents' names: %v", event)
}

func TestOpenNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, uri := range []string{"http://user:hunter2@host", "mongodb://user:hunter2@host:port", "mongodb://user:p/hunter2@host", "mongodb://user:hunter2@more@host",
		"mongodb://user:hunter2@h%zz", "mongodb://user:%hunter2@host"} {
		_, err := mongo.Open(t.Context(), uri, "footy")
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "%s: %v", uri, err)
		require.NotContains(t, err.Error(), "hunter2")
	}
	_, err := mongo.Open(t.Context(), "mongodb://127.0.0.1:1", "")
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))

	at := devtest.FreeAddr(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	_, err = mongo.Open(ctx, "mongodb://user:hunter2@"+at, "footy")
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, at)
	require.NotContains(t, err.Error(), "hunter2")
}

// TestReadersFindTheDocumentsFields: the queries of the founding documents' troubleshooting. The stand-in has no views.
func TestReadersFindTheDocumentsFields(t *testing.T) {
	t.Parallel()
	uri := os.Getenv("MONGODB_TEST_URI")
	if uri == "" {
		t.Skip("set MONGODB_TEST_URI to a MongoDB 7 server")
	}
	b := fresh(uri)(t).(*mongo.Backend) //nolint:forcetypeassert // it makes no other
	active := dial(t, uri).Database(b.Name()).Collection("fixtures_active")
	find := func(more ...bson.E) func(int64) []string {
		return func(id int64) (out []string) {
			var docs []bson.M
			cursor, err := active.Find(t.Context(), append(bson.D{{Key: "fixture.id", Value: id}}, more...))
			require.NoError(t, err)
			require.NoError(t, cursor.All(t.Context(), &docs))
			for _, d := range docs {
				text, err := bson.MarshalExtJSON(d, false, false)
				require.NoError(t, err)
				out = append(out, string(text))
			}
			return out
		}
	}
	storetest.Views(t, b, find(bson.E{Key: "events._monitor_complete", Value: false}), find())
}
