package footy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

func TestEveryStatusHasItsPhase(t *testing.T) {
	t.Parallel()
	want := map[footy.Phase]string{footy.PhasePre: "TBD NS", footy.PhaseInPlay: "1H HT 2H ET BT P SUSP INT LIVE", footy.PhasePostponed: "PST",
		footy.PhaseTerminal: "FT AET PEN CANC ABD AWD WO"}
	require.Len(t, footy.Statuses(), 19)
	for _, in := range footy.Statuses() {
		require.True(t, slices.Contains(strings.Fields(want[in.Phase]), in.Code), in.Code)
		require.NotEmpty(t, in.Label, in.Code)
		require.Equal(t, in.Running, in.Short == "", "%s: the minute is shown while the clock runs, else a word", in.Code)
	}
	unknown := footy.Status{Code: "XYZ"}
	require.Equal(t, "XYZ", unknown.Info().Label)
	require.False(t, unknown.Pre() || unknown.InPlay() || unknown.Postponed() || unknown.Terminal())
}
