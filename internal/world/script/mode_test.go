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
		"slow_model": script.ModelSlow, "blocked_fetch": script.FetchRefused, "x_logged_out": script.XLoggedOut, "stale_start": "",
		"free_plan": "", "patchy_live": ""} {
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

func TestAModeThatIsAskedForIsPlayedAsTheDayPlaysIt(t *testing.T) {
	t.Parallel()
	s := script.Short()
	require.Empty(t, s.Played())
	require.NoError(t, s.With("blind_model", "stale_start", "x_logged_out"))
	require.Positive(t, s.Modes[0].Minutes, "the model is exchanged in the middle of the day")
	require.Equal(t, "x_logged_out all day", s.Modes[2].String())
	f, _ := s.Fixture(s.Modes[1].Fixture)
	require.Equal(t, s.Modes[1].Minute, f.StatusAt(s.Begins()).Elapsed)
	var names []string
	for _, m := range s.Played() {
		names = append(names, m.Mode.Mode)
	}
	require.Equal(t, []string{"blind_model", "stale_start"}, names, "of the others it expects nothing of its own")
}

func TestTheShortDaySaysWhatMustComeOfEachMode(t *testing.T) {
	t.Parallel()
	s := script.Short()
	var modes []string
	for _, m := range s.Manners {
		require.True(t, m.While != nil || m.End != nil, m.Mode.Mode)
		modes = append(modes, m.Mode.Mode)
	}
	require.Subset(t, modes, []string{"free_plan", "slow_model", "blind_model", "small_context", "stale_start", "blocked_fetch", "reddit_blocked"})
	require.Less(t, s.End()*60/30, 100.0, "seconds at the demo's pace")
	for _, bad := range []struct{ was, is, says string }{
		{`"mode": "small_context"`, `"mode": "small_talk"`, "small_talk"},
		{`"mode": "small_context"`, `"mode": "slow_model"`, "listed twice"},
		{`"1300101/level"`, `"1300101/four"`, "1300101/four"},
		{`"pages_of"`, `"page_of"`, "page_of"},
	} {
		text := string(script.ShortJSON())
		require.Contains(t, text, bad.was)
		_, err := script.Parse([]byte(strings.Replace(text, bad.was, bad.is, 1)))
		require.ErrorContains(t, err, bad.says)
	}
}
