package check_test

import (
	"testing"

	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

func TestHealthSaysThatNoClipsAreFetchedForLackOfRoom(t *testing.T) {
	t.Parallel()
	c := parsed(t, map[string]string{"MIN_FREE_MB": "0"})
	require.Equal(t, health.StateOK, examined(t, c, health.Database).State)
	c.Media.MinFree = 1 << 40 // more than any disk has
	h := examined(t, c, health.Database)
	require.Equal(t, health.StateDegraded, h.State)
	require.Contains(t, h.Reason, "no clips are fetched")
	require.Contains(t, h.Remedy, "MIN_FREE_MB")
}
