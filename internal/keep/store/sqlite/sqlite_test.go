package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
)

func open(t *testing.T, path string) *sqlite.Backend {
	t.Helper()
	b, err := sqlite.Open(path)
	require.NoError(t, err)
	return b
}

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Backend {
		return open(t, filepath.Join(t.TempDir(), "a b%20?.db"))
	}, storetest.Traits{NestedLists: true})
}

func TestTheStagesAreViews(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	s := store.New(open(t, path))
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageStaging}))
	for _, stage := range []footy.Stage{footy.StageActive, footy.StageCompleted, footy.StageStaging} {
		_, err := s.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
			f.Stage = stage
			return nil, nil
		})
		require.NoError(t, err)
		for _, v := range store.Views {
			require.Equal(t, v.Stage == string(stage), len(texts(t, path, "SELECT id FROM "+v.Name)) == 1, "%s in %s", stage, v.Name)
		}
	}
}
func texts(t *testing.T, path, query string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	out := []string{}
	for rows.Next() {
		var v string
		require.NoError(t, rows.Scan(&v))
		out = append(out, v)
	}
	require.NoError(t, rows.Err())
	return out
}

// TestReadersFindTheDocumentsFields: the queries of the founding documents' troubleshooting, in SQLite's words.
func TestReadersFindTheDocumentsFields(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "footy.db")
	b := open(t, path)
	defer func() { require.NoError(t, b.Close()) }()
	storetest.Views(t, b, func(id int64) []string {
		return texts(t, path, fmt.Sprintf(`SELECT body FROM fixtures_active WHERE json_extract(body, '$.fixture.id') = %d
			AND EXISTS (SELECT 1 FROM json_each(body, '$.events') WHERE json_extract(value, '$._monitor_complete') = 0)`, id))
	}, func(id int64) []string {
		return texts(t, path, fmt.Sprintf("SELECT body FROM fixtures_active WHERE json_extract(body, '$.fixture.id') = %d", id))
	})
	execute(t, path, `UPDATE fixtures SET body = '{"broken' WHERE id = '1378995'`)
	require.Len(t, texts(t, path, "SELECT body FROM fixtures_active"), 3, "a damaged document hides no other")
}
