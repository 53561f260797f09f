package mongo_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/mongo"
	"github.com/found-footy/found-footy/tools/devtest"
)

var errKilled = errors.New("the process was killed here")

// rig is one database with two processes on it, the first of which dies, and a look behind their backs.
type rig struct {
	uri          string
	t            *testing.T
	dying, other store.Store
	back         *mongo.Backend
	raw          *driver.Database
}

func setup(t *testing.T) *rig {
	t.Helper()
	uri := devtest.Start(t, "mongo", "--dir", t.TempDir(), "--port", "0").URI
	open := func() *mongo.Backend {
		b, err := mongo.Open(t.Context(), uri, "footy")
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, b.Close()) })
		return b
	}
	r := &rig{t: t, uri: uri, back: open(), raw: dial(t, uri).Database("footy")}
	r.dying, r.other = store.New(r.back), store.New(open())
	return r
}

// dieAt ends the first process at a step of its next write.
func (r *rig) dieAt(step string) {
	r.back.Hook(func(at string) error {
		if at == step {
			return footy.Errorf(footy.CodeUnavailable, "call the database", "%w", errKilled)
		}
		return nil
	})
}

// stored lists the keys in event_log without draining anything.
func (r *rig) stored() []string {
	r.t.Helper()
	cursor, err := r.raw.Collection("event_log").Find(r.t.Context(), bson.D{})
	require.NoError(r.t, err)
	var docs []struct {
		ID string `bson:"_id"`
	}
	require.NoError(r.t, cursor.All(r.t.Context(), &docs))
	keys := []string{}
	for _, d := range docs {
		keys = append(keys, d.ID)
	}
	return keys
}

// pending counts documents with a full outbox.
func (r *rig) pending() (n int64) {
	r.t.Helper()
	for _, c := range []string{"fixtures", "posts"} {
		in, err := r.raw.Collection(c).CountDocuments(r.t.Context(), bson.D{{Key: "_outbox", Value: bson.D{{Key: "$exists", Value: true}}}})
		require.NoError(r.t, err)
		n += in
	}
	return n
}

func (r *rig) keys(q store.LogQuery) []string {
	r.t.Helper()
	rows, err := r.other.Entries(r.t.Context(), q)
	require.NoError(r.t, err)
	keys := []string{}
	for _, e := range rows {
		keys = append(keys, e.Key)
	}
	return keys
}

func entry(key string, fixture int64) footy.Entry {
	return footy.Entry{Key: key, FixtureID: fixture, At: time.Date(2026, 8, 15, 15, 0, 0, 0, time.UTC), Kind: footy.EntryNew}
}

func deciding(rows ...footy.Entry) func(*footy.Fixture) ([]footy.Entry, error) {
	return func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Match.Status.Code += "x"
		return rows, nil
	}
}

func offered(id string) footy.Post {
	return footy.Post{EventUID: "u", PostID: id, FixtureID: 1, State: footy.PostOffered}
}

func TestRowsOfADeadWriterAreReadWithItsDocument(t *testing.T) {
	t.Parallel()
	r := setup(t)
	for i, step := range []string{"written", "rows inserted"} {
		id := int64(i + 1)
		r.dieAt(step)
		require.ErrorIs(t, r.dying.Add(t.Context(), footy.Fixture{ID: id, Stage: footy.StageActive}, entry(step, id)), errKilled)
		require.EqualValues(t, 1, r.pending(), step)
		require.Equal(t, step == "rows inserted", len(r.keys(store.LogQuery{FixtureID: 77})) == 0 && len(r.stored()) == 2, "a reader of another fixture delivers nothing")
		require.Equal(t, []string{step}, r.keys(store.LogQuery{FixtureID: id}))
		require.Zero(t, r.pending())
		f, err := r.other.Fixture(t.Context(), id)
		require.NoError(t, err)
		require.EqualValues(t, 1, f.Revision, "delivering changes nothing")
	}
	r.dieAt("")
	_, err := r.dying.Update(t.Context(), 1, deciding(entry("alive", 1)))
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"written", "rows inserted", "alive"}, r.stored(), "delivered by the writer itself")
	require.Zero(t, r.pending())
}

func TestTheNextWriterDeliversFirst(t *testing.T) {
	t.Parallel()
	r := setup(t)
	require.NoError(t, r.other.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive}))
	r.dieAt("written")
	_, err := r.dying.Update(t.Context(), 1, deciding(entry("a", 1)))
	require.ErrorIs(t, err, errKilled)
	require.Empty(t, r.stored())
	f, err := r.other.Update(t.Context(), 1, deciding(entry("b", 1)))
	require.NoError(t, err)
	require.Equal(t, "xx", f.Match.Status.Code)
	require.EqualValues(t, 3, f.Revision)
	require.ElementsMatch(t, []string{"a", "b"}, r.stored())
	require.Zero(t, r.pending())
}

func TestAnInsertOfWhatIsThereLeavesItsOutboxAlone(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.dieAt("written")
	require.ErrorIs(t, r.dying.AddPosts(t.Context(), []footy.Post{offered("1")}, entry("a", 1)), errKilled)
	require.NoError(t, r.other.AddPosts(t.Context(), []footy.Post{offered("1"), offered("2")}, entry("b", 1)))
	require.Equal(t, []string{"b"}, r.stored())
	require.Equal(t, []string{"a", "b"}, r.keys(store.LogQuery{}))
	require.Zero(t, r.pending())
}

func TestRowsGoWithTheirDocument(t *testing.T) {
	t.Parallel()
	r := setup(t)
	r.dieAt("written")
	require.ErrorIs(t, r.dying.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive}, entry("a", 1)), errKilled)
	require.ErrorIs(t, r.dying.AddPosts(t.Context(), []footy.Post{offered("1")}, entry("b", 1)), errKilled)
	require.NoError(t, r.other.Delete(t.Context(), 1))
	require.Empty(t, r.stored())
	require.Empty(t, r.keys(store.LogQuery{}), "nothing comes after a deletion")
}
