package demo_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/demo"
	"github.com/found-footy/found-footy/internal/run/config"
)

func TestADayIsPlayedInRealTimeOnlyWhereSomebodyAsksForIt(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]int{"": 30, "1": 1, "12": 12} {
		c, err := config.Parse(map[string]string{"TIME_SCALE": set, "STATE_DIR": t.TempDir()})
		require.NoError(t, err)
		require.Equal(t, want, demo.ScaleOf(c))
	}
}

// TestADayWaitsAsLongAsASearchMayTake: at the pace of life, goals of the last minutes are still searched for when the matches are over.
func TestADayWaitsAsLongAsASearchMayTake(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]time.Duration{"": 90 * time.Second, "1": 45 * time.Minute, "12": 225 * time.Second} {
		c, err := config.Parse(map[string]string{"TIME_SCALE": set, "STATE_DIR": t.TempDir()})
		require.NoError(t, err)
		require.Equal(t, want, demo.GraceOf(c))
	}
}
