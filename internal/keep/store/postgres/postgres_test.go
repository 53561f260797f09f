package postgres_test

import (
	"context"
	"crypto/rand"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/postgres"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
	"github.com/found-footy/found-footy/tools/devtest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	server := devtest.StartPostgres(t)
	t.Run("suite", func(t *testing.T) { // whose checks run side by side
		t.Parallel()
		storetest.Run(t, func(t *testing.T) store.Backend { return open(t, server.URL, fresh()) }, storetest.Traits{NestedLists: true})
	})
}

// fresh is the name of a schema that nobody has.
func fresh() string { return `it's "a" schema ` + strings.ToLower(rand.Text()[:12]) }

func open(t *testing.T, url, schema string) *postgres.Backend {
	t.Helper()
	b, err := postgres.Open(t.Context(), url, schema)
	require.NoError(t, err)
	return b
}

// TestReadersFindTheDocumentsFields: the queries of the founding documents' troubleshooting, in PostgreSQL's words.
func TestReadersFindTheDocumentsFields(t *testing.T) {
	t.Parallel()
	server := devtest.StartPostgres(t)
	b := open(t, server.URL, "readers")
	defer func() { require.NoError(t, b.Close()) }()
	conn, err := pgx.Connect(t.Context(), server.URL)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	find := func(where string) func(int64) []string {
		return func(id int64) []string {
			rows, err := conn.Query(t.Context(), "SELECT body::text FROM readers.fixtures_active WHERE (body #>> '{fixture,id}')::bigint = $1"+where, id)
			require.NoError(t, err)
			out, err := pgx.CollectRows(rows, pgx.RowTo[string])
			require.NoError(t, err)
			return out
		}
	}
	storetest.Views(t, b, find(` AND EXISTS (SELECT FROM json_array_elements(body -> 'events') e WHERE e ->> '_monitor_complete' = 'false')`), find(""))
}
