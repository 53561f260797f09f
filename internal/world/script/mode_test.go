package script_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/script"
)

func withModes(t *testing.T, modes string) (*script.Script, error) {
	t.Helper()
	good := string(script.DefaultJSON())
	require.Contains(t, good, `"name": "saturday",`)
	return script.Parse([]byte(strings.Replace(good, `"name": "saturday",`, `"name": "saturday", "modes": [`+modes+`],`, 1)))
}

func TestModesAreFaultsByTheirEverydayNames(t *testing.T) {
	t.Parallel()
	for mode, fault := range map[string]string{"blind_model": script.ModelBlind, "small_context": script.ModelNarrow,
		"slow_model": script.ModelSlow, "blocked_fetch": script.FetchRefused, "x_logged_out": script.XLoggedOut, "stale_start": ""} {
		s, err := withModes(t, `{"mode":"`+mode+`"}`)
		require.NoError(t, err, mode)
		require.Equal(t, fault, s.Modes[0].Fault(), mode)
	}
	for _, f := range script.Faults {
		_, err := withModes(t, `{"mode":"`+f+`"}`)
		require.NoError(t, err, f)
	}
}

func TestAModeHoldsForItsStretchOrAllDay(t *testing.T) {
	t.Parallel()
	s, err := withModes(t, `{"mode":"blind_model","from":20,"minutes":30},{"mode":"blocked_fetch","from":5}`)
	require.NoError(t, err)
	for minute, want := range map[float64][2]bool{0: {false, false}, 5: {false, true}, 20: {true, true}, 49.9: {true, true}, 50: {false, true}, 900: {false, true}} {
		require.Equal(t, want, [2]bool{s.Modes[0].On(minute), s.Modes[1].On(minute)}, "minute %g", minute)
	}
}

func TestAStaleStartBeginsInAMatchesSixtiethMinute(t *testing.T) {
	t.Parallel()
	require.Zero(t, script.Default().Begins())
	s, err := withModes(t, `{"mode":"stale_start"}`)
	require.NoError(t, err)
	require.Equal(t, 60, s.Fixtures[0].StatusAt(s.Begins()).Elapsed)
	s, err = withModes(t, `{"mode":"stale_start","fixture":1300102,"minute":30}`)
	require.NoError(t, err)
	f, _ := s.Fixture(1300102)
	require.Equal(t, script.Status{Short: "1H", Elapsed: 30}, f.StatusAt(s.Begins()))
}

func TestModesWithAMistakeAreRefusedByName(t *testing.T) {
	t.Parallel()
	for bad, says := range map[string]string{
		`{"mode":"blnd_model"}`:                    "blnd_model",
		`{"mode":"blind_model","minutes":-1}`:      "negative time",
		`{"mode":"stale_start","fixture":7}`:       "fixture 7",
		`{"mode":"stale_start","minute":130}`:      "minute 130",
		`{"mode":"slow_model","second":3}`:         "second",
		`{"mode":"model_junk","from":3,"till":40}`: "till",
	} {
		_, err := withModes(t, bad)
		require.ErrorContains(t, err, says, bad)
	}
	require.ErrorContains(t, script.Default().With("deaf_model"), "deaf_model")
	s := script.Default()
	require.NoError(t, s.With("slow_model", "stale_start"))
	require.Len(t, s.Modes, 2)
	require.NotZero(t, s.Modes[0].Seconds)
}
