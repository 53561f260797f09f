package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// queryChecks: fixtures by stage, date, text, ids and events.
var queryChecks = []check{
	{name: "fixtures by stage, by kickoff then id", run: byStage},
	{name: "fixtures by date", run: byDate},
	{name: "fixtures by text, whatever case, accents and strokes", run: byText},
	{name: "fixtures by id", run: byID},
	{name: "limits keep the earliest or the newest", run: limits},
	{name: "events by uid and by every id they ever had", run: byEvent},
	{name: "fixtures by team and by competition", run: byTeam},
	{name: "fixtures by the bytes of a clip", run: byClip},
}

func ids(t *testing.T, s store.Store, q store.FixtureQuery) []int64 {
	t.Helper()
	list, err := s.List(t.Context(), q)
	require.NoError(t, err)
	require.NotNil(t, list, "no fixtures is an empty list")
	out := make([]int64, len(list))
	for i, f := range list {
		out[i] = f.ID
	}
	return out
}

func byStage(t *testing.T, b store.Backend) {
	s := over(b)
	require.Empty(t, ids(t, s, store.FixtureQuery{}))
	early := fixture(7000, footy.StageActive)
	early.Match.Kickoff = kickoff.Add(-time.Hour)
	undated := fixture(42, footy.StageStaging)
	undated.Match.Kickoff = time.Time{}
	// 10000 sorts after 9000 as a number, before it as text.
	add(t, s, fixture(10000, footy.StageActive), fixture(9000, footy.StageActive), early,
		fixture(8000, footy.StageCompleted), fixture(8001, footy.StageStaging), undated)
	require.Equal(t, []int64{42, 7000, 8000, 8001, 9000, 10000}, ids(t, s, store.FixtureQuery{}))
	revisions, err := s.Revisions(t.Context(), store.FixtureQuery{IDs: []int64{42, 7000, 404}})
	require.NoError(t, err)
	require.Equal(t, map[int64]int64{42: 1, 7000: 1}, revisions)
	require.Equal(t, []int64{7000, 9000, 10000}, ids(t, s, store.FixtureQuery{Stages: []footy.Stage{footy.StageActive}}))
	require.Equal(t, []int64{42, 8000, 8001}, ids(t, s, store.FixtureQuery{Stages: []footy.Stage{footy.StageCompleted, footy.StageStaging}}))
	require.Equal(t, []int64{7000, 9000}, ids(t, s, store.FixtureQuery{Stages: []footy.Stage{footy.StageActive}, Limit: 2}))
}

func byDate(t *testing.T, b store.Backend) {
	s := over(b)
	for day := range 5 {
		f := fixture(int64(5000+day), order[day%3])
		f.Match.Kickoff = kickoff.AddDate(0, 0, day).In(time.FixedZone("", 2*3600)) // zones do not matter
		add(t, s, f)
	}
	day := func(n int) time.Time { return kickoff.AddDate(0, 0, n) }
	require.Equal(t, []int64{5001, 5002}, ids(t, s, store.FixtureQuery{From: day(1), To: day(3)}), "from inclusive, to exclusive")
	require.Equal(t, []int64{5003, 5004}, ids(t, s, store.FixtureQuery{From: day(3)}))
	require.Equal(t, []int64{5000}, ids(t, s, store.FixtureQuery{To: day(1)}))
	_, err := s.Update(t.Context(), 5004, change(func(f *footy.Fixture) {
		f.Match.Kickoff = day(0)
	}))
	require.NoError(t, err)
	require.Equal(t, []int64{5000, 5004}, ids(t, s, store.FixtureQuery{To: day(1)}), "a rescheduled one is found at its new date")
}

func byText(t *testing.T, b store.Backend) {
	s := over(b)
	f := fixture(5000, footy.StageCompleted)
	f.Teams.Home.Name, f.Teams.Away.Name, f.League.Name = "FC København", "Śląsk Wrocław (W.)", "Süper Lig"
	f.Events[0].Player.Name = "Rasmus Højlund"
	gone := footy.Event{UID: "gone", ID: "gone", Removed: true, Player: footy.Person{Name: "Offside Scorer"}}
	f.Events = append(f.Events, gone)
	add(t, s, f, fixture(5001, footy.StageCompleted))
	for query, want := range map[string][]int64{
		"hojlund": {5000}, "HØJLUND": {5000}, "københavn": {5000}, "kobenhavn hojlund": {5000}, "slask": {5000}, "super": {5000},
		"wroc": {5000}, "united": {5001}, "united hojlund": {}, "premier league": {5001}, "": {5000, 5001}, "nobody": {},
		"offside": {}, ".*": {5000, 5001}, "100%": {}, "sco": {5001},
	} {
		got := ids(t, s, store.FixtureQuery{Text: query})
		require.Equal(t, want, got, "%q", query)
	}
	_, err := s.Update(t.Context(), 5001, change(func(f *footy.Fixture) {
		f.Events[0].Player.Name = "Martin Ødegaard"
	}))
	require.NoError(t, err)
	require.Equal(t, []int64{5001}, ids(t, s, store.FixtureQuery{Text: "odegaard"}), "a corrected scorer is found")
	require.Empty(t, ids(t, s, store.FixtureQuery{Text: "scorer"}))
}

func byTeam(t *testing.T, b store.Backend) {
	s := over(b)
	for i := range int64(6) {
		f := fixture(5000+i, order[i%3])
		f.Teams.Home.ID, f.Teams.Away.ID, f.League.ID = 40+i%2, 50+i, 39+i/3
		f.Match.Kickoff = kickoff.AddDate(0, 0, int(i))
		add(t, s, f)
	}
	require.Equal(t, []int64{5000, 5002, 5004}, ids(t, s, store.FixtureQuery{Team: 40}))
	require.Equal(t, []int64{5003}, ids(t, s, store.FixtureQuery{Team: 53}), "away, too")
	require.Equal(t, []int64{5003, 5004, 5005}, ids(t, s, store.FixtureQuery{League: 40}))
	require.Empty(t, ids(t, s, store.FixtureQuery{Team: 39}), "a team is no competition")
	require.Equal(t, []int64{5002}, ids(t, s, store.FixtureQuery{Team: 40, To: kickoff.AddDate(0, 0, 4), Newest: true, Limit: 1}))
	require.Equal(t, []int64{5004}, ids(t, s, store.FixtureQuery{Team: 40, From: kickoff.AddDate(0, 0, 3), Limit: 1}))
	_, err := s.Update(t.Context(), 5000, change(func(f *footy.Fixture) { f.Teams.Home.ID = 77 }))
	require.NoError(t, err)
	require.Equal(t, []int64{5000}, ids(t, s, store.FixtureQuery{Team: 77}))
}

func byID(t *testing.T, b store.Backend) {
	s := over(b)
	for i := range int64(45) { // more than two polls of 20
		add(t, s, fixture(5000+i, order[i%3]))
	}
	var want []int64
	for i := range int64(45) {
		if i%2 == 0 {
			want = append(want, 5000+i)
		}
	}
	require.Equal(t, want, ids(t, s, store.FixtureQuery{IDs: append([]int64{404}, want...)}))
	require.Empty(t, ids(t, s, store.FixtureQuery{IDs: []int64{404}}))
	live, err := s.LatestAnswers(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, live)
}

func limits(t *testing.T, b store.Backend) {
	s := over(b)
	for i := range 9 {
		f := fixture(int64(5000+i), order[i%3])
		f.Match.Kickoff = kickoff.Add(time.Duration(i) * time.Minute)
		add(t, s, f)
	}
	require.Equal(t, []int64{5000, 5001, 5002, 5003}, ids(t, s, store.FixtureQuery{Limit: 4}))
	require.Equal(t, []int64{5005, 5006, 5007, 5008}, ids(t, s, store.FixtureQuery{Limit: 4, Newest: true}))
	require.Len(t, ids(t, s, store.FixtureQuery{Limit: 100, Newest: true}), 9)
}

func byEvent(t *testing.T, b store.Backend) {
	s := over(b)
	f := fixture(5000, footy.StageActive)
	f.Events = nil
	for i := range 3 {
		f.Events = append(f.Events, footy.Event{UID: fmt.Sprintf("u%d", i), ID: fmt.Sprintf("5000_1_%d_Goal_1", i)})
	}
	add(t, s, f, fixture(5001, footy.StageActive))
	_, err := s.Update(t.Context(), 5000, change(func(f *footy.Fixture) {
		f.Events[1].MatchedFrom, f.Events[1].ID = []string{f.Events[1].ID}, "5000_1_99_Goal_1"
	}))
	require.NoError(t, err)
	for _, id := range []string{"u0", "u1", "u2", "5000_1_0_Goal_1", "5000_1_1_Goal_1", "5000_1_99_Goal_1"} {
		got, err := s.FixtureOfEvent(t.Context(), id)
		require.NoError(t, err, id)
		require.EqualValues(t, 5000, got.ID)
		require.NotNil(t, got.Event(id))
	}
	for _, id := range []string{"", "u", "5000_1_5_Goal_1", "5000"} {
		_, err := s.FixtureOfEvent(t.Context(), id)
		requireCode(t, footy.CodeNotFound, err)
	}
	_, err = s.Update(t.Context(), 5000, change(func(f *footy.Fixture) {
		f.Events = f.Events[1:]
	}))
	require.NoError(t, err)
	_, err = s.FixtureOfEvent(t.Context(), "u0")
	requireCode(t, footy.CodeNotFound, err)
}

func byClip(t *testing.T, b store.Backend) {
	s := over(b)
	for id := range int64(3) {
		f := fixture(5000+id, order[id])
		f.Events[0].Clips = []footy.Clip{{ID: "c", Digest: fmt.Sprint("own-", id)}, {ID: "d", Digest: []string{"both", "both", "none"}[id], ReplacedBy: "c"}}
		add(t, s, f)
	}
	with := func(digest string) (list []int64) {
		found, err := s.FixturesWithClip(t.Context(), digest)
		require.NoError(t, err)
		for _, f := range found {
			list = append(list, f.ID)
		}
		return list
	}
	require.Equal(t, []int64{5000, 5001}, with("both"))
	require.Equal(t, []int64{5002}, with("own-2"))
	require.Empty(t, with("other"))
	require.Empty(t, with("uid-5000"), "an event's id is no digest")
	_, err := s.FixtureOfEvent(t.Context(), "clip:both")
	requireCode(t, footy.CodeNotFound, err)
	_, err = s.FixturesWithClip(t.Context(), "")
	requireCode(t, footy.CodeInvalid, err)
	_, err = s.Update(t.Context(), 5000, change(func(f *footy.Fixture) { f.Events[0].Clips = nil }))
	require.NoError(t, err)
	require.Equal(t, []int64{5001}, with("both"))
}
