package script_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/script"
)

// TestTheDayOfChaosIsADay: its harness is a module of its own and takes the file as it is.
func TestTheDayOfChaosIsADay(t *testing.T) {
	t.Parallel()
	s, err := script.Load(filepath.Join("..", "..", "..", "bench", "chaos", "day", "day.json"))
	require.NoError(t, err)
	require.Less(t, s.End(), 50.0, "product minutes: a minute and a half of wall time")
	for _, f := range s.Fixtures {
		for _, e := range f.Events {
			require.Positive(t, f.Happens(e), "%d %s: posts of the time before would be beyond a search's floor", f.ID, e.Key)
		}
	}
}
