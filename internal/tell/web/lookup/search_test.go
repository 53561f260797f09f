package lookup_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
)

// counted counts the fixtures that are read.
type counted struct {
	store.Store
	read, most int
}

func (c *counted) List(ctx context.Context, q store.FixtureQuery) ([]footy.Fixture, error) {
	list, err := c.Store.List(ctx, q)
	c.read, c.most = c.read+len(list), max(c.most, len(list))
	return list, err
}

// manyMatches are 300 of one team by kickoff, the newest 80 at one time.
func manyMatches(t *testing.T) (s *counted, ids []int64) {
	t.Helper()
	back, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s = &counted{Store: store.New(back)}
	t.Cleanup(func() { _ = s.Close() })
	saturday := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	for i := range int64(300) {
		f := footy.Fixture{ID: 5000 + i, Stage: footy.StageCompleted, Teams: footy.Teams{Home: footy.Team{Name: "United"}},
			Match: footy.Match{ID: 5000 + i, Kickoff: saturday.Add(min(0, time.Duration(i-220)*time.Hour))}}
		require.NoError(t, s.Add(t.Context(), f))
		ids = append(ids, f.ID)
	}
	return s, ids
}

func TestTheDatabasePagesAList(t *testing.T) {
	t.Parallel()
	s, all := manyMatches(t)
	r := &lookup.Reader{Store: s}
	page := func(after string, limit int, fits func(*footy.Fixture) bool) (got []int64, next string) {
		at, err := lookup.ParseCursor(after)
		require.NoError(t, err)
		list, next, err := r.Fixtures(t.Context(), store.FixtureQuery{Text: "united"}, fits, at, limit)
		require.NoError(t, err)
		for _, f := range list {
			got = append(got, f.ID)
		}
		return got, next
	}
	every := func(*footy.Fixture) bool { return true }
	third := func(f *footy.Fixture) bool { return f.ID%3 == 0 }
	var thirds []int64
	for _, id := range all {
		if id%3 == 0 {
			thirds = append(thirds, id)
		}
	}
	for _, limit := range []int{7, 50, 299, 300, 301} {
		for _, c := range []struct {
			fits func(*footy.Fixture) bool
			want []int64
		}{{every, all}, {third, thirds}} {
			got, next := page("", limit, c.fits)
			for next != "" {
				var more []int64
				more, next = page(next, limit, c.fits)
				require.NotEmpty(t, more)
				got = append(got, more...)
			}
			require.Equal(t, c.want, got, "pages of %d", limit)
		}
	}
	s.read = 0
	_, _ = page("", 50, every)
	require.Equal(t, 51, s.read, "a page and one that tells whether there are more")
}

func TestTheDatabasePagesASearch(t *testing.T) {
	t.Parallel()
	s, want := manyMatches(t)
	slices.Reverse(want)
	r := &lookup.Reader{Store: s}
	page := func(after string, limit int) (got []int64, next string) {
		at, err := lookup.ParseCursor(after)
		require.NoError(t, err)
		list, next, err := r.Search(t.Context(), "united", time.UTC, at, limit)
		require.NoError(t, err)
		for _, f := range list {
			got = append(got, f.ID)
		}
		return got, next
	}
	for _, limit := range []int{7, 50, 299, 300, 301} {
		got, next := page("", limit)
		for next != "" {
			var more []int64
			more, next = page(next, limit)
			require.NotEmpty(t, more)
			got = append(got, more...)
		}
		require.Equal(t, want, got, "pages of %d", limit)
	}
	s.read, s.most = 0, 0
	_, next := page("", 50)
	require.Equal(t, 51, s.read, "a page and one that tells whether there are more")
	_, _ = page(next, 50)
	require.LessOrEqual(t, s.most, 150, "and those of the same kickoff")
	none, next := page("", 50)
	require.Len(t, none, 50)
	require.NotEmpty(t, next)
}
