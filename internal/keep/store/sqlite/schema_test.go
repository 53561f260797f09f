package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/store"
)

func TestADatabaseOfANewerProgramIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	require.NoError(t, open(t, path).Close())
	execute(t, path, fmt.Sprintf("PRAGMA journal_mode = DELETE; PRAGMA user_version = %d", store.SchemaVersion+1))
	requireRefused(t, path, fmt.Sprintf("was written by a newer version (schema %d, this one knows %d): upgrade footy", store.SchemaVersion+1, store.SchemaVersion))
}

// TestQueriesUseTheirIndexes guards against a partial index that its query does not imply.
func TestQueriesUseTheirIndexes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	require.NoError(t, open(t, path).Close())
	for index, query := range map[string]string{
		"fixtures_sub":  "SELECT * FROM fixtures WHERE sub <> '' AND sub IN ('active', 'staging') ORDER BY at",
		"posts_sub":     "SELECT * FROM posts WHERE at >= 0 AND sub <> '' AND sub IN ('u') ORDER BY at",
		"posts_grp":     "SELECT * FROM posts WHERE at >= 0 AND grp <> '' AND grp = '5000' ORDER BY at",
		"posts_at":      "SELECT * FROM posts WHERE at >= 0 AND at < 1786806000001 ORDER BY at",
		"event_log_sub": "SELECT * FROM event_log WHERE sub <> '' AND sub IN ('u') ORDER BY at",
	} {
		require.Contains(t, fmt.Sprint(plan(t, path, query)), "USING INDEX "+index, query)
	}
}

func plan(t *testing.T, path, query string) (lines []string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &detail))
		lines = append(lines, detail)
	}
	require.NoError(t, rows.Err())
	return lines
}
