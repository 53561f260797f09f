package storetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// stepChecks: a change and the log rows that tell of it are one step.
var stepChecks = []check{
	{name: "the losing try of an update leaves no log row behind", run: losingTry},
	{name: "document and row appear together or not at all, wherever the process dies", run: together},
	{name: "a row that is there already stays as it is, and the change is made", run: rowKept},
	{name: "rows of several fixtures and posts go with one change", run: rowsElsewhere},
}

// losingTry: each try decides something else; only what was written may be told. A change that appended its row by
// itself, as all did once, leaves the rows of both tries.
func losingTry(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, active))
	tries := 0
	_, err := s.Update(t.Context(), 5000, func(f *footy.Fixture) ([]footy.Entry, error) {
		if tries++; tries == 1 {
			_, err := s.Update(t.Context(), 5000, note("other", row("other", 5000, "", footy.EntrySighting, 0)))
			require.NoError(t, err)
		}
		return note("mine", row(fmt.Sprintf("mine-%d", len(f.Events[0].Votes)), 5000, "", footy.EntrySighting, 1))(f)
	})
	require.NoError(t, err)
	require.Equal(t, 2, tries)
	require.Equal(t, []string{"other", "mine-1"}, rowKeys(t, s, store.LogQuery{FixtureID: 5000}))

	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{post("u", "1", footy.PostOffered, 0)}))
	tries = 0
	_, err = s.Advance(t.Context(), "u", "1", func(p footy.Post) (footy.Post, []footy.Entry, error) {
		if tries++; tries == 1 {
			_, err := s.Advance(t.Context(), "u", "1", setState(footy.PostFetching))
			require.NoError(t, err)
		}
		return p, []footy.Entry{row(fmt.Sprintf("was-%s", p.State), 5000, "u", footy.EntryRejected, 0)}, nil
	})
	require.NoError(t, err)
	require.Equal(t, []string{"was-fetching"}, rowKeys(t, s, store.LogQuery{EventUID: "u"}))
}

// together kills the process before and after each call of the database, in each kind of write.
func together(t *testing.T, b store.Backend) {
	quiet := over(b)
	id := int64(5000)
	about := func(f footy.Fixture) footy.Entry {
		return row(fmt.Sprint("row-", f.ID), f.ID, uid(f.ID), footy.EntryNew, 0)
	}
	for name, write := range map[string]struct {
		before func(f footy.Fixture)
		write  func(s store.Store, f footy.Fixture) error
		made   func(f footy.Fixture) bool
	}{
		"add": {
			before: func(footy.Fixture) {},
			write:  func(s store.Store, f footy.Fixture) error { return s.Add(t.Context(), f, about(f)) },
			made: func(f footy.Fixture) bool {
				_, err := quiet.Fixture(t.Context(), f.ID)
				return err == nil
			},
		},
		"update": {
			before: func(f footy.Fixture) { add(t, quiet, f) },
			write: func(s store.Store, f footy.Fixture) error {
				_, err := s.Update(t.Context(), f.ID, note("written", about(f)))
				return err
			},
			made: func(f footy.Fixture) bool {
				got, err := quiet.Fixture(t.Context(), f.ID)
				require.NoError(t, err)
				return got.Revision == 2
			},
		},
		"add posts": {
			before: func(footy.Fixture) {},
			write: func(s store.Store, f footy.Fixture) error {
				p := post(uid(f.ID), "1", footy.PostOffered, 0)
				p.FixtureID = f.ID
				return s.AddPosts(t.Context(), []footy.Post{p}, about(f))
			},
			made: func(f footy.Fixture) bool {
				_, err := quiet.Post(t.Context(), uid(f.ID), "1")
				return err == nil
			},
		},
		"update post": {
			before: func(f footy.Fixture) {
				p := post(uid(f.ID), "1", footy.PostOffered, 0)
				p.FixtureID = f.ID
				require.NoError(t, quiet.AddPosts(t.Context(), []footy.Post{p}))
			},
			write: func(s store.Store, f footy.Fixture) error {
				_, err := s.Advance(t.Context(), uid(f.ID), "1", func(p footy.Post) (footy.Post, []footy.Entry, error) {
					p.State = footy.PostRefused
					return p, []footy.Entry{about(f)}, nil
				})
				return err
			},
			made: func(f footy.Fixture) bool {
				p, err := quiet.Post(t.Context(), uid(f.ID), "1")
				require.NoError(t, err)
				return p.Ended()
			},
		},
	} {
		for _, late := range []bool{false, true} {
			for at, done := 1, false; !done; at++ {
				id++
				f := fixture(id, active)
				write.before(f)
				err := write.write(over(&faulty{Backend: b, crash: at, late: late}), f)
				if err != nil {
					require.ErrorIs(t, err, errCrash, "the caller learns it")
				}
				done = err == nil
				rows := rowKeys(t, quiet, store.LogQuery{FixtureID: id})
				require.Equal(t, write.made(f), len(rows) == 1, "%s, killed at call %d (after it: %t): rows %v", name, at, late, rows)
				require.Less(t, at, 10, "a write takes few calls")
			}
		}
	}
}

func rowKept(t *testing.T, b store.Backend) {
	s := over(b)
	first := row("a", 5000, "", footy.EntryNew, 0)
	require.NoError(t, s.Add(t.Context(), fixture(5000, active), first))
	again := first
	again.Data.Detail = "written by a repeated decision"
	f, err := s.Update(t.Context(), 5000, note("x", again, row("b", 5000, "", footy.EntryNew, 1), again))
	require.NoError(t, err)
	require.EqualValues(t, 2, f.Revision)
	rows, err := s.Entries(t.Context(), store.LogQuery{FixtureID: 5000})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	require.Equal(t, first, rows[0])
}

func rowsElsewhere(t *testing.T, b store.Backend) {
	s := over(b)
	require.NoError(t, s.Add(t.Context(), fixture(5000, active), row("a", 5000, "u", footy.EntryNew, 0), row("b", 5001, "v", footy.EntryNew, 1)))
	require.Equal(t, []string{"a"}, rowKeys(t, s, store.LogQuery{FixtureID: 5000}))
	require.Equal(t, []string{"b"}, rowKeys(t, s, store.LogQuery{FixtureID: 5001}))
	require.NoError(t, s.Delete(t.Context(), 5000))
	require.Equal(t, []string{"b"}, rowKeys(t, s, store.LogQuery{}))
}
