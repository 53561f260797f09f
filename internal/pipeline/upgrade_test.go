package pipeline_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/round"
)

// TestAStateOfTheReleaseBeforeComesToItsEnd opens what the programs of schema 1 left in mid-day: searches and batches under
// way, media whose verdict is owed, a removed goal. None of that release's workflows goes on. The staged bytes are gone.
func TestAStateOfTheReleaseBeforeComesToItsEnd(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "footy.db")
	script, err := os.ReadFile(filepath.Join("..", "store", "sqlite", "testdata", "v1.sql"))
	require.NoError(t, err)
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = 1; %s", 0x466f6f74, script))
	require.NoError(t, err)
	require.NoError(t, db.Close())

	b := benchOn(t, file)
	b.at = time.Now().Add(time.Minute) // what was migrated is due from then on
	for _, id := range []string{"101", "102", "103", "104"} {
		b.model.clock[id] = "30:1"
	}
	goal := func() *footy.Event {
		f, err := b.store.Fixture(t.Context(), 1002)
		require.NoError(t, err)
		return f.Event("u-open")
	}
	b.engine.set(goal().TwitterWorkflow, round.Dead)
	b.engine.set("download-1002_33_9_Goal_1-2", round.Dead)
	b.settle(time.Hour)
	for _, id := range []string{"101", "102", "103", "104"} {
		require.Contains(t, []footy.PostState{footy.PostPublished, footy.PostMerged}, b.post("u-open", id).State, id)
	}
	e := goal()
	require.Subset(t, e.SettledBatches, []string{"download-1002_33_9_Goal_1-1", "download-1002_33_9_Goal_1-2", "download-1002_33_9_Goal_1-3"})
	require.True(t, e.DownloadComplete)
	require.Equal(t, footy.ReasonWindowOver, e.SearchEnd, "nobody looked for months: only six hours of that do not count")
	require.NotEmpty(t, e.Clips)
	require.Equal(t, "d1d1d1d1d1d1d1d1", e.Redirects["deadbeefdeadbeef"], "links that were given out hold")
	require.True(t, b.posts("u-gone")[0].Ended())
}
