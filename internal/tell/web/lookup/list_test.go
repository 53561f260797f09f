package lookup_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/words"
)

// reads counts the matches that are read.
type reads struct {
	store.Store
	n int
}

func (r *reads) List(ctx context.Context, q store.FixtureQuery) ([]footy.Fixture, error) {
	list, err := r.Store.List(ctx, q)
	r.n += len(list)
	return list, err
}

// TestAPageIsBuiltAgainForAReason: a day of 50 matches was read and drawn every two seconds while it was open.
func TestAPageIsBuiltAgainForAReason(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := &reads{Store: store.New(db)}
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now, generation, built := time.Date(2026, 11, 14, 15, 0, 20, 0, time.UTC), uint64(0), 0
	day := now.Truncate(24 * time.Hour)
	for id := range int64(50) {
		require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 1 + id, Stage: footy.StageActive, Match: footy.Match{ID: 1 + id, Kickoff: day.Add(time.Duration(id) * time.Minute), Status: footy.Status{Code: "NS"}}}))
	}
	clock := func() time.Time { return now }
	counts := lookup.Counting(s, clock, time.Minute)
	r := &lookup.Reader{Store: counts, Now: clock, Cache: cache.New(cache.Options{Limit: 10, Patience: time.Minute, Now: clock, Generation: func() uint64 { return generation }})}
	venue := ""
	ask := func() (reading, building int) {
		t.Helper()
		wasRead, wasBuilt := s.n, built
		err := r.SendList(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil), "day", day, day.AddDate(0, 0, 1), func(_ context.Context, _ *words.Language, list []footy.Fixture) (*answer.Answer, error) {
			built++
			require.Len(t, list, 50)
			venue = list[6].Match.Venue
			return answer.New(http.StatusOK, "text/plain", nil), nil
		})
		require.NoError(t, err)
		return s.n - wasRead, built - wasBuilt
	}
	expect := func(reading, building int, why string) {
		t.Helper()
		now = now.Add(3 * time.Second)
		gotReading, gotBuilding := ask()
		require.Equal(t, []int{reading, building}, []int{gotReading, gotBuilding}, why)
	}
	change := func(do func(*footy.Match)) {
		t.Helper()
		_, err := s.Update(t.Context(), 7, func(f *footy.Fixture) ([]footy.Entry, error) { do(&f.Match); return nil, nil })
		require.NoError(t, err)
	}
	expect(50, 1, "the first time")
	expect(0, 0, "nothing is announced and nothing changed")
	change(func(m *footy.Match) { m.Venue = "Anfield" })
	expect(1, 1, "a change whose announcement was lost")
	require.Equal(t, "Anfield", venue)
	generation++
	expect(0, 1, "what is announced may stand on the page from elsewhere")
	change(func(m *footy.Match) { m.Kickoff = day.Add(12 * time.Hour) })
	expect(51, 1, "a match that has another place")
	change(func(m *footy.Match) { m.Status = footy.Status{Code: "1H", Elapsed: new(3), Since: now} })
	expect(1, 1, "it runs")
	expect(0, 0, "within its minute")
	now = now.Add(time.Minute)
	expect(0, 1, "its minute moves, and what is past by minutes")
	change(func(m *footy.Match) { m.Kickoff = day.AddDate(0, 0, 2) })
	now = now.Add(3 * time.Second)
	list, err := r.FixturesBetween(t.Context(), day, day.AddDate(0, 0, 1))
	require.NoError(t, err)
	require.Len(t, list, 49, "a match that belongs to another day")
}

// TestOfAllThatIsKeptOnlyWhatChangedIsRead: two weeks were decoded after each change, for the days that a page links to.
func TestOfAllThatIsKeptOnlyWhatChangedIsRead(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := &reads{Store: store.New(db)}
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now, generation := time.Date(2026, 11, 14, 15, 0, 20, 0, time.UTC), uint64(0)
	clock := func() time.Time { return now }
	add := func(id int64, kickoff time.Time) {
		t.Helper()
		require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: id, Stage: footy.StageCompleted, Match: footy.Match{ID: id, Kickoff: kickoff, Status: footy.Status{Code: "NS"}}}))
	}
	const kept = 14 * 24 * time.Hour
	for n := range int64(50) {
		add(1+n, now.Add(-kept).Add(time.Duration(n)*7*time.Hour))
	}
	r := &lookup.Reader{Store: s, Now: clock, Kept: kept, Cache: cache.New(cache.Options{Limit: 10, Patience: time.Minute, Now: clock, Generation: func() uint64 { return generation }})}
	expect := func(reading, listed int, why string) {
		t.Helper()
		generation++
		was := s.n
		list, err := r.KeptFixtures(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int{reading, listed}, []int{s.n - was, len(list)}, why)
	}
	expect(50, 50, "the first time")
	expect(0, 50, "something is announced, and no match changed")
	_, err = s.Update(t.Context(), 7, func(f *footy.Fixture) ([]footy.Entry, error) { f.Match.Venue = "Anfield"; return nil, nil })
	require.NoError(t, err)
	expect(1, 50, "one changed")
	add(51, now)
	expect(51, 51, "one came")
	now = now.Add(26 * time.Hour)
	expect(50, 50, "one is no longer kept")
}
