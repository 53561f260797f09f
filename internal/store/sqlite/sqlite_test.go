package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/store/sqlite"
	"github.com/found-footy/found-footy/internal/store/storetest"
)

func open(t *testing.T, path string) *sqlite.Backend {
	t.Helper()
	b, err := sqlite.Open(path, sqlite.Options{})
	require.NoError(t, err)
	return b
}

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Backend {
		return open(t, filepath.Join(t.TempDir(), "a b%20?.db"))
	}, storetest.Traits{Concurrent: true, NestedLists: true})
}
