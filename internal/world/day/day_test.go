package day_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/day"
)

func TestADayGoesOnWhereItsFileSays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := day.Open(dir, 30, 0)
	require.NoError(t, err)
	require.Equal(t, 1, first.Poll(7))
	require.Equal(t, 2, first.Poll(7))
	require.Equal(t, 1, first.ListingPoll(7, "goal", 2))
	require.NoError(t, first.Save())
	_, err = first.NextSearch()
	require.NoError(t, err)

	again, err := day.Open(dir, 10, 0) // the day keeps its scale
	require.NoError(t, err)
	require.True(t, first.Start().Equal(again.Start()))
	require.InDelta(t, 30, again.Scale(), 0)
	require.Equal(t, 3, again.Poll(7))
	require.Equal(t, 2, again.ListingPoll(7, "goal", 3))
	n, err := again.NextSearch()
	require.NoError(t, err)
	require.Equal(t, 2, n)
}

func TestProductTimeIsCompressedWallTime(t *testing.T) {
	t.Parallel()
	d := day.StartedAt(time.Now().Add(-time.Minute), 30)
	require.InDelta(t, 30, d.Minutes(), 1)
	require.InDelta(t, 2, d.Wall(1).Sub(d.Start()).Seconds(), 0.001)
}

func TestADamagedStateIsNotStartedOver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "world.json"), []byte("{"), 0o600))
	_, err := day.Open(dir, 30, 0)
	require.ErrorContains(t, err, "world.json")
}
