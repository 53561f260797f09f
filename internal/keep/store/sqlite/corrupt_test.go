package sqlite_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
)

// spoilPage writes noise over the page that holds a text, and returns a store on the file.
func spoilPage(t *testing.T, path, text string) store.Store {
	t.Helper()
	const page = 4096
	body, err := os.ReadFile(path)
	require.NoError(t, err)
	at := bytes.Index(body, []byte(text))
	require.Positive(t, at)
	begins := at / page * page
	require.Positive(t, begins, "the first page is the schema")
	copy(body[begins:begins+page], bytes.Repeat([]byte{0xa5}, page))
	require.NoError(t, os.WriteFile(path, body, 0o600))
	b, err := sqlite.Open(path)
	require.NoError(t, err)
	s := store.New(b)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// filled is the path of a database with matches, none of which is open.
func filled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "footy.db")
	b, err := sqlite.Open(path)
	require.NoError(t, err)
	s := store.New(b)
	for id := range int64(200) {
		require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: id + 1, Stage: footy.StageCompleted, Match: footy.Match{Kickoff: time.Unix(3600*id, 0), Venue: fmt.Sprintf("venue-%d-", id+1) + strings.Repeat("v", 500)}}))
	}
	require.NoError(t, s.PutState(t.Context(), "feed", "espn"))
	require.NoError(t, s.Close())
	return path
}

func TestACorruptPageIsRememberedUntilAnOperatorActs(t *testing.T) {
	t.Parallel()
	path := filled(t)
	s := spoilPage(t, path, `"venue-50-`)
	require.NoError(t, s.Look(t.Context()), "the first rows are sound")
	require.NoError(t, s.Ping(t.Context()))
	require.NoError(t, s.Corrupt())
	_, err := s.List(t.Context(), store.FixtureQuery{})
	require.Equal(t, footy.CodeCorrupt, footy.CodeOf(err), "%v", err)
	require.ErrorIs(t, err, store.ErrDatabase)
	require.NotErrorIs(t, err, store.ErrDamaged, "no document is to be begun anew")
	require.ErrorContains(t, err, path)
	for _, err := range []error{s.Corrupt(), s.Ping(t.Context()), s.Look(t.Context()), s.Delete(t.Context(), 1)} {
		require.Equal(t, footy.CodeCorrupt, footy.CodeOf(err), "%v", err)
	}
	_, err = s.Fixture(t.Context(), 1)
	require.NoError(t, err, "what can be read is")
}

func TestADatabaseThatChecksItselfFindsAPageThatNothingReads(t *testing.T) {
	t.Parallel()
	path := filled(t)
	sound, err := sqlite.Open(path)
	require.NoError(t, err)
	require.NoError(t, store.New(sound).Verify(t.Context()))
	require.NoError(t, sound.Close())
	s := spoilPage(t, path, `"venue-50-`)
	err = s.Verify(t.Context())
	require.Equal(t, footy.CodeCorrupt, footy.CodeOf(err), "%v", err)
	require.NotContains(t, err.Error(), "\n")
	require.Error(t, s.Corrupt())
}

// A column holds anything in SQLite: one row of another type failed every list with it.
func TestARowOfAnotherTypeIsDamaged(t *testing.T) {
	t.Parallel()
	for column, value := range map[string]string{"at": "'never'", "revision": "'x'", "body": "7", "text": "x'00ff'", "sub": "3", "grp": "1.5"} {
		t.Run(column, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "footy.db")
			b, err := sqlite.Open(path)
			require.NoError(t, err)
			s := store.New(b)
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			for id := range int64(3) {
				require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: id + 1, Stage: footy.StageActive}))
			}
			raw(t, path, "UPDATE fixtures SET "+column+" = CAST("+value+" AS "+map[bool]string{true: "BLOB", false: "TEXT"}[column != "at" && column != "revision"]+") WHERE id = '2'")
			list, err := s.List(t.Context(), store.FixtureQuery{})
			require.NoError(t, err)
			require.Len(t, list, 2)
			require.True(t, store.HasDamage(s, store.FixturesColl, "2"))
			_, err = s.Fixture(t.Context(), 2)
			require.ErrorIs(t, err, store.ErrDamaged)
		})
	}
}

// raw runs a statement behind the store's back.
func raw(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), statement)
	require.NoError(t, err)
	require.NoError(t, db.Close())
}
