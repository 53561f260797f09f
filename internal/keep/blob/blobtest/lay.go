package blobtest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/blob"
)

// Lay puts small objects into a store.
func Lay(t *testing.T, s blob.Store, keys ...string) {
	t.Helper()
	for _, k := range keys {
		require.NoError(t, s.Put(t.Context(), k, strings.NewReader("x"), 1, blob.Info{}))
	}
}

// Keys lists a store.
func Keys(t *testing.T, s blob.Store) []string {
	t.Helper()
	return keys(t, s, "")
}
