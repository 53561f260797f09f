package ingest_test

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed/feedtest"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

func TestADamagedFixtureHoldsUpNoOtherAndIsBegunAnewByName(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	back, err := sqlite.Open(path)
	require.NoError(t, err)
	s := store.New(back)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	f := &lists{today: []footy.Snapshot{feedtest.Match(1, 0), feedtest.Match(2, 0)}}
	a := &ingest.Activities{Store: s, Cleanup: &cleanup.Activities{Store: s}, Feed: f, Follow: usual, Windows: lifecycle.Defaults(), Page: f, Now: func() time.Time { return kickoff }}
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive}))
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{{EventUID: "1-1", PostID: "7", FixtureID: 1, State: footy.PostOffered}}))
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "update fixtures set body='{bad json' where id='1'")
	require.NoError(t, err)
	require.NoError(t, db.Close())

	env := enginetest.Activity()
	env.RegisterActivity(a)
	_, err = env.ExecuteActivity(a.StoreDay, kickoff)
	require.NoError(t, err)
	list, err := s.List(t.Context(), store.FixtureQuery{})
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.EqualValues(t, 2, list[0].ID)
	require.True(t, store.HasDamage(s, store.FixturesColl, "1"), "a list of the day replaces nothing")

	_, err = env.ExecuteActivity(a.FetchByIDs, []int64{1})
	require.NoError(t, err)
	_, err = s.Fixture(t.Context(), 1)
	require.NoError(t, err)
	require.Empty(t, s.Damaged())
	posts, err := s.Posts(t.Context(), store.PostQuery{All: true})
	require.NoError(t, err)
	require.Empty(t, posts, "they belong to goals whose ids are given again")
}
