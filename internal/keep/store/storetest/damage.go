package storetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// damageChecks: one document that cannot be read hides no other.
var damageChecks = []check{
	{name: "a damaged fixture is left out and remembered", run: damagedFixture},
	{name: "a damaged post, row, fingerprint and tombstone are left out", run: damagedRest},
	{name: "a damaged snapshot is absent, those beside it are not", run: damagedSnapshot},
	{name: "a database that fails is no damage", run: failingIsNoDamage},
}

// ruin gives a field a value of another type: every database can hold that.
func ruin(t *testing.T, b store.Backend, c store.Collection, id, field string) {
	t.Helper()
	d, _ := raw(t, b, c, id)
	d.Body = []byte(`{"` + field + `":"ruined"}`)
	if c == store.FixturesColl {
		d.Keys = []string{uid(5000), "open"} // an adapter gives none back
	}
	require.NoError(t, b.Upsert(t.Context(), c, []store.Doc{d}))
}

func damagedFixture(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, active), fixture(5001, active))
	well, _ := raw(t, b, store.FixturesColl, "5000")
	ruin(t, b, store.FixturesColl, "5000", "events")
	require.Empty(t, s.Damaged(), "nobody has looked")
	for _, q := range []store.FixtureQuery{{}, {Limit: 1}, {Stages: []footy.Stage{active}}, {IDs: []int64{5000, 5001}}} {
		require.Equal(t, []int64{5001}, ids(t, s, q), "%+v: it does not count for the limit", q)
		bad := s.Damaged()
		require.Len(t, bad, 1)
		require.Equal(t, store.FixturesColl, bad[0].Collection)
		require.Equal(t, "5000", bad[0].ID)
		require.Contains(t, bad[0].Detail, "5000")
	}
	_, byID := s.Fixture(t.Context(), 5000)
	_, byEvent := s.FixtureOfEvent(t.Context(), uid(5000))
	_, changed := s.Update(t.Context(), 5000, note("x"))
	for _, err := range []error{byID, byEvent, changed} {
		requireCode(t, footy.CodeInvalid, err)
		require.ErrorIs(t, err, store.ErrDamaged)
	}
	require.True(t, store.HasDamage(s, store.FixturesColl, "5000"))
	require.False(t, store.HasDamage(s, store.FixturesColl, "5001"))
	require.NoError(t, b.Upsert(t.Context(), store.FixturesColl, []store.Doc{well}))
	require.Equal(t, []int64{5000, 5001}, ids(t, s, store.FixtureQuery{}))
	require.Empty(t, s.Damaged(), "it reads well again")
	ruin(t, b, store.FixturesColl, "5000", "events")
	require.Equal(t, []int64{5001}, ids(t, s, store.FixtureQuery{}))
	require.NoError(t, s.Delete(t.Context(), 5000))
	require.Empty(t, s.Damaged(), "it is gone")
}

func damagedRest(t *testing.T, b store.Backend) {
	ctx, s := t.Context(), over(b)
	require.NoError(t, s.AddPosts(ctx, []footy.Post{post("u", "1", footy.PostOffered, 0), post("u", "2", footy.PostOffered, time.Minute)}))
	require.NoError(t, s.Append(ctx, row("a", 5000, "u", footy.EntryNew, 0), row("b", 5000, "u", footy.EntryNew, 0)))
	for _, id := range []string{"x", "y"} {
		require.NoError(t, s.PutFingerprint(ctx, footy.StoredFingerprint{ClipID: id, EventUID: "u", FixtureID: 5000}))
		require.NoError(t, s.PutTombstone(ctx, footy.Tombstone{Digest: id, EventUID: "u", FixtureID: 5000, At: kickoff}))
	}
	ruin(t, b, store.PostsColl, "u/1", "candidate")
	ruin(t, b, store.EventLog, "a", "at")
	ruin(t, b, store.FingerprintsColl, "u/x", "fixture_id")
	ruin(t, b, store.TombstonesColl, "x/u", "at")
	posts, err := s.Posts(ctx, store.PostQuery{All: true, Limit: 1})
	require.NoError(t, err)
	require.Len(t, posts, 1)
	require.Equal(t, "2", posts[0].PostID)
	_, err = s.Post(ctx, "u", "1")
	require.ErrorIs(t, err, store.ErrDamaged)
	require.Equal(t, []string{"b"}, rowKeys(t, s, store.LogQuery{}))
	prints, err := s.Fingerprints(ctx, "u")
	require.NoError(t, err)
	require.Len(t, prints, 1)
	require.Equal(t, "y", prints[0].ClipID)
	tombstones, err := s.Tombstones(ctx)
	require.NoError(t, err)
	require.Len(t, tombstones, 2, "what was taken down stays down")
	require.Equal(t, footy.Tombstone{Digest: "x", EventUID: "u", FixtureID: 5000, At: kickoff}, tombstones[0])
	var bad []string
	for _, d := range s.Damaged() {
		bad = append(bad, string(d.Collection)+" "+d.ID)
	}
	require.Equal(t, []string{"event_log a", "fingerprints u/x", "posts u/1", "tombstones x/u"}, bad)
}

func damagedSnapshot(t *testing.T, b store.Backend) {
	s := over(b)
	answers := []store.Answer{{FixtureID: 5000, PollID: "p1", Said: json.RawMessage(`{}`)}, {FixtureID: 5001, PollID: "p1", Said: json.RawMessage(`{}`)}}
	require.NoError(t, s.PutAnswers(t.Context(), answers))
	ruin(t, b, store.FixturesLive, "5000", "_answered")
	latest, err := s.LatestAnswers(t.Context(), []int64{5000, 5001})
	require.NoError(t, err)
	require.Len(t, latest, 1)
	require.Contains(t, latest, int64(5001))
	require.True(t, store.HasDamage(s, store.FixturesLive, "5000"))
	require.NoError(t, s.PutAnswers(t.Context(), answers))
	latest, err = s.LatestAnswers(t.Context(), []int64{5000, 5001})
	require.NoError(t, err)
	require.Len(t, latest, 2, "the next poll writes over it")
	require.Empty(t, s.Damaged())
}

func failingIsNoDamage(t *testing.T, b store.Backend) {
	add(t, over(b), fixture(5000, active))
	s := over(&faulty{Backend: b, crash: 1})
	_, err := s.List(t.Context(), store.FixtureQuery{})
	requireCode(t, footy.CodeUnavailable, err)
	require.NotErrorIs(t, err, store.ErrDamaged)
	require.Empty(t, s.Damaged())
}
