package view_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

func TestAMatchThatWasNeverPlayedOnSaysSo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stage       footy.Stage
		code, label string
		phase       view.Phase
	}{
		{footy.StageActive, "SUSP", "Suspended", view.PhaseOff}, {footy.StageCompleted, "SUSP", "Not resumed", view.PhaseOff},
		{footy.StageCompleted, "INT", "Not resumed", view.PhaseOff}, {footy.StageCompleted, "XYZ", "Not resumed", view.PhaseOff},
		{footy.StageCompleted, "FT", "FT", view.PhaseOver}, {footy.StageCompleted, "ABD", "Abandoned", view.PhaseOff},
	} {
		f := footy.Fixture{Stage: c.stage, Match: footy.Match{Status: footy.Status{Code: c.code}}}
		v := view.FixtureOf(&f, time.UTC)
		require.Equal(t, c.label, v.Status.Label)
		require.Equal(t, c.phase, v.Status.Phase, c.label)
	}
}
