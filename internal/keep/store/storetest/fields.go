package storetest

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// fieldChecks: no field of any stored type is lost.
var fieldChecks = []check{
	{name: "every field of a fixture comes back", run: everyFieldOfFixture},
	{name: "every field of a ledger record comes back", run: everyFieldOfPost},
	{name: "what the feed said comes back whole", run: everyFieldOfAnswer},
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
	list, err := s.Posts(t.Context(), store.PostQuery{All: true})
	require.NoError(t, err)
	require.Equal(t, []footy.Post{want}, list, "what is stored")
}

func everyFieldOfAnswer(t *testing.T, b store.Backend) {
	s := over(b)
	want := store.Answer{FixtureID: 5000, Kickoff: kickoff, PollID: "poll-1", Answered: kickoff.Add(time.Minute + 123456789), Before: kickoff, Since: kickoff.Add(time.Second),
		Said: json.RawMessage(`{"fixture":{"id":5000,"$ref":"a.b"},"score":null,"rate":1.5,"big":9007199254740993,"events":[{"_event_id":"5000_40_7_Goal_1","détail":[]}]}`)}
	require.NoError(t, s.PutAnswers(t.Context(), []store.Answer{want}))
	got, err := s.LatestAnswers(t.Context(), []int64{5000, 404})
	require.NoError(t, err)
	require.Len(t, got, 1)
	var stored map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(got[5000].Said, &stored))
	for _, ours := range []string{"_schema", "_poll_id", "_answered", "_before", "_since"} {
		require.Contains(t, stored, ours)
		delete(stored, ours)
	}
	delete(stored, "_id") // where a database keeps it in the document
	said, err := json.Marshal(stored)
	require.NoError(t, err)
	require.JSONEq(t, string(want.Said), string(said), "what the feed said is the document")
	require.Contains(t, string(said), "9007199254740993", "no digit is lost")
	is := got[5000]
	is.Said = want.Said
	require.True(t, want.Answered.Equal(is.Answered), "to the nanosecond: an answer that comes twice is no vote")
	is.Answered = want.Answered
	require.Equal(t, want, is)
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
