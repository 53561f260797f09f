package postgres_test

import (
	"crypto/rand"
	"strings"
	"testing"

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
