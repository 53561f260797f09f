package storetest

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// fieldChecks: no field of any stored type is lost.
var fieldChecks = []check{
	{name: "every field of a fixture comes back", run: everyFieldOfFixture},
	{name: "every field of a ledger record comes back", run: everyFieldOfPost},
	{name: "every field of a snapshot comes back", run: everyFieldOfSnapshot},
	{name: "every field of a log row comes back", run: everyFieldOfEntry},
	{name: "every field of a fingerprint comes back", run: everyFieldOfFingerprint},
	{name: "every field of team aliases and tombstones comes back", run: everyFieldOfTheRest},
	{name: "an unknown score stays unknown and a zero stays zero", run: nilAndZero},
}

// full is Filled, checked to be so.
func full[T any](t *testing.T) T {
	t.Helper()
	v := Filled[T]()
	require.Empty(t, zeros(reflect.TypeFor[T]().Name(), reflect.ValueOf(v)), "fields the filler forgot")
	return v
}

func everyFieldOfFixture(t *testing.T, b store.Backend) {
	s := over(b)
	want := full[footy.Fixture](t)
	want.Stage = footy.StageActive
	add(t, s, want)
	want.Revision = 1 // the store's own
	got, err := s.Fixture(t.Context(), want.ID)
	require.NoError(t, err)
	require.Equal(t, want, got)

	changed, err := s.Update(t.Context(), want.ID, change(func(f *footy.Fixture) { f.League.Round = "changed" }))
	require.NoError(t, err)
	want.League.Round, want.Revision = "changed", 2
	require.Equal(t, want, changed, "what Update returns")
	got, err = s.Fixture(t.Context(), want.ID)
	require.NoError(t, err)
	require.Equal(t, want, got, "what is stored")
	list, err := s.List(t.Context(), store.FixtureQuery{})
	require.NoError(t, err)
	require.Equal(t, []footy.Fixture{want}, list)
}

func everyFieldOfPost(t *testing.T, b store.Backend) {
	s := over(b)
	want := full[footy.Post](t)
	want.State = footy.PostJudged
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{want}))
	want.Revision = 1 // the store's own
	got, err := s.Post(t.Context(), want.EventUID, want.PostID)
	require.NoError(t, err)
	require.Equal(t, want, got)

	want.Detail, want.Revision = "changed", 2
	changed := ChangePost(t, s, want.EventUID, want.PostID, func(p *footy.Post) { p.Detail = "changed" })
	require.Equal(t, want, changed, "what Advance returns")
	list, err := s.Posts(t.Context(), store.PostQuery{})
	require.NoError(t, err)
	require.Equal(t, []footy.Post{want}, list, "what is stored")
}

func everyFieldOfSnapshot(t *testing.T, b store.Backend) {
	s := over(b)
	want := full[footy.Snapshot](t)
	id := want.Match.ID
	require.NoError(t, s.PutSnapshots(t.Context(), "poll-1", []footy.Snapshot{want}))
	got, err := s.LatestSnapshots(t.Context(), []int64{id, 404})
	require.NoError(t, err)
	require.Equal(t, map[int64]store.LatestSnapshot{id: {PollID: "poll-1", Snapshot: want}}, got)
}

func everyFieldOfEntry(t *testing.T, b store.Backend) {
	s := over(b)
	want := full[footy.Entry](t)
	require.NoError(t, s.Append(t.Context(), want))
	got, err := s.Entries(t.Context(), store.LogQuery{FixtureID: want.FixtureID, EventUID: want.EventUID})
	require.NoError(t, err)
	require.Equal(t, []footy.Entry{want}, got)
}

func everyFieldOfFingerprint(t *testing.T, b store.Backend) {
	s := over(b)
	want := full[footy.StoredFingerprint](t)
	require.NoError(t, s.PutFingerprint(t.Context(), want))
	got, err := s.Fingerprints(t.Context(), want.EventUID)
	require.NoError(t, err)
	require.Equal(t, []footy.StoredFingerprint{want}, got)
}

func everyFieldOfTheRest(t *testing.T, b store.Backend) {
	s := over(b)
	aliases := full[footy.TeamAliases](t)
	require.NoError(t, s.PutAliases(t.Context(), aliases))
	gotAliases, err := s.Aliases(t.Context(), aliases.TeamID)
	require.NoError(t, err)
	require.Equal(t, aliases, gotAliases)

	tomb := full[footy.Tombstone](t)
	require.NoError(t, s.PutTombstone(t.Context(), tomb))
	gotTombs, err := s.Tombstones(t.Context())
	require.NoError(t, err)
	require.Equal(t, []footy.Tombstone{tomb}, gotTombs)

	state := full[footy.Candidate](t) // any struct
	require.NoError(t, s.PutState(t.Context(), "key.with $dots", state))
	var gotState footy.Candidate
	require.NoError(t, s.State(t.Context(), "key.with $dots", &gotState))
	require.Equal(t, state, gotState)
}

func nilAndZero(t *testing.T, b store.Backend) {
	s := over(b)
	f := fixture(5000, footy.StageActive)
	f.Score, f.Periods.Halftime = footy.Score{}, footy.ScoreOf(0, 0)
	add(t, s, f)
	got, err := s.Fixture(t.Context(), 5000)
	require.NoError(t, err)
	require.Equal(t, footy.Score{}, got.Score)
	require.Equal(t, footy.ScoreOf(0, 0), got.Periods.Halftime)
	require.True(t, got.CompletedAt.IsZero())
}
