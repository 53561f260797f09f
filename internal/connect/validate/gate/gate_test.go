package gate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/validate/gate"
	"github.com/found-footy/found-footy/internal/footy"
)

func reasonOf(t *testing.T, err error) footy.Reason {
	t.Helper()
	if err == nil {
		return footy.ReasonNone
	}
	var e *footy.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, footy.CodeRejected, e.Code)
	return e.Reason
}

func TestMetadataJudgesOnlyKnownValues(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		in   footy.Candidate
		want footy.Reason
	}{
		"nothing known":         {footy.Candidate{}, ""},
		"two seconds":           {footy.Candidate{DurationMS: 2000}, footy.ReasonTooShort},
		"three seconds":         {footy.Candidate{DurationMS: 3000}, ""},
		"a minute and a frame":  {footy.Candidate{DurationMS: 60040}, ""},
		"a highlights reel":     {footy.Candidate{DurationMS: 120000}, footy.ReasonTooLong},
		"upright phone":         {footy.Candidate{DurationMS: 9000, Width: 720, Height: 1280}, footy.ReasonPortrait},
		"only the width known":  {footy.Candidate{DurationMS: 9000, Width: 720}, ""},
		"broadcast":             {footy.Candidate{DurationMS: 9000, Width: 1280, Height: 720}, ""},
		"old television, 4:3":   {footy.Candidate{DurationMS: 9000, Width: 640, Height: 480}, ""},
		"a little narrower":     {footy.Candidate{DurationMS: 9000, Width: 632, Height: 480}, footy.ReasonPortrait},
		"square with sides cut": {footy.Candidate{DurationMS: 9000, Width: 720, Height: 720}, footy.ReasonPortrait},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, reasonOf(t, gate.Metadata(tc.in)))
		})
	}
}

func TestFileJudgesTheProbe(t *testing.T) {
	t.Parallel()
	good := footy.Probe{Width: 1280, Height: 720, Duration: 12}
	require.NoError(t, gate.File(good, 1<<20))
	require.Equal(t, footy.ReasonTooLarge, reasonOf(t, gate.File(good, 1<<40)))
	short := good
	short.Duration = 2
	require.NoError(t, gate.File(short, 1), "a decode may find more")
	require.Equal(t, footy.ReasonTooShort, reasonOf(t, gate.Decoded(2)))
	require.Equal(t, footy.ReasonTooLong, reasonOf(t, gate.Decoded(61)))
	require.NoError(t, gate.Decoded(60.04))
	tall := good
	tall.Width, tall.Height = 720, 1280
	require.Equal(t, footy.ReasonPortrait, reasonOf(t, gate.File(tall, 1)))
}
