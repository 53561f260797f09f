package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/plan"
)

// TestChaosShort plays a day with each kind of fault once. It takes some minutes, so `make chaos-short` asks for it;
// everything it starts ends with it.
func TestChaosShort(t *testing.T) {
	footy, devstack := os.Getenv("FOOTY_CHAOS"), os.Getenv("FOOTY_DEVSTACK")
	teststack := filepath.Join(filepath.Dir(devstack), "footy-teststack")
	if footy == "" {
		t.Skip("plays two match days of some minutes; run it with: make chaos-short")
	}
	// Not the test's own directory, which goes with it: a day that differs keeps its logs.
	same, err := Run(t.Context(), Options{Footy: footy, Former: os.Getenv("FOOTY_CHAOS_FORMER"), Devstack: devstack, Teststack: teststack, Dir: os.Getenv("FOOTY_CHAOS_DIR"), Seed: 1, N: 1, Scale: plan.Scale, Short: true,
		Without: kinds(os.Getenv("FOOTY_CHAOS_WITHOUT")), Out: os.Stderr})
	require.NoError(t, err)
	require.True(t, same, "the day came out otherwise than the calm one")
}
