package modelpace_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/modelpace"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func at(hours ...float64) []time.Time {
	var out []time.Time
	for _, h := range hours {
		out = append(out, noon.Add(time.Duration(h*float64(time.Hour))))
	}
	return out
}

func TestPace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kickoffs []time.Time
		scale    int
		seconds  float64
		slots    int
		live     int
		tooSlow  bool
	}{
		"no matches":                        {nil, 1, 100, 1, 0, false},
		"one match, no GPU":                 {at(1), 1, 100, 1, 1, false},
		"three at once, no GPU":             {at(1, 1, 1), 1, 100, 1, 3, true},
		"three, one after the other":        {at(1, 3, 5), 1, 100, 1, 1, false},
		"three that overlap":                {at(1, 2, 2.5), 1, 100, 1, 3, true},
		"a Saturday of ten, three seconds":  {at(3, 3, 3, 3, 3, 3, 3, 3, 3, 3), 1, 3, 1, 10, false},
		"a Saturday of ten, sixty seconds":  {at(3, 3, 3, 3, 3, 3, 3, 3, 3, 3), 1, 60, 1, 10, true},
		"the same with four slots":          {at(3, 3, 3, 3, 3, 3, 3, 3, 3, 3), 1, 60, 4, 10, false},
		"what is over does not count":       {at(-3, -3, -3, 2), 1, 100, 1, 1, false},
		"what is under way counts":          {at(-1, -1, -1, 9), 1, 100, 1, 3, true},
		"nobody has timed the model yet":    {at(1, 1, 1, 1, 1), 1, 0, 1, 5, false},
		"a day of thirty times life's pace": {at(0.1), 30, 6, 1, 1, false},
		"and a model too slow for it":       {at(0.1), 30, 12, 1, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peak := modelpace.Ahead(c.kickoffs, c.scale, 9, noon)
			require.Equal(t, c.live, peak.Matches)
			require.Equal(t, c.tooSlow, modelpace.TooSlow(peak, modelpace.Carries(c.seconds, c.slots)), "%+v", peak)
		})
	}
}

// TestFewerQuestionsCarryMoreMatches: not each clip is a question, because the running clock and known footage decide most.
func TestFewerQuestionsCarryMoreMatches(t *testing.T) {
	t.Parallel()
	for asked, want := range map[float64]bool{9: true, modelpace.AskedPerGoal: true, 2: false} {
		require.Equal(t, want, modelpace.TooSlow(modelpace.Ahead(at(1, 1, 1, 1, 1), 1, asked, noon), modelpace.Carries(100, 1)), "%v a goal", asked)
	}
}

func TestAsManyAtOnceAsBringSomething(t *testing.T) {
	t.Parallel()
	for want, perHour := range map[int][3]float64{1: {100, 105, 110}, 2: {100, 180, 200}, 4: {100, 180, 300}} {
		best := modelpace.Helpful([]modelpace.Pace{{AtOnce: 1, QuestionsAnHour: perHour[0]}, {AtOnce: 2, QuestionsAnHour: perHour[1]}, {AtOnce: 4, QuestionsAnHour: perHour[2]}})
		require.Equal(t, want, best.AtOnce)
	}
	require.Equal(t, 4, modelpace.Helpful([]modelpace.Pace{{AtOnce: 1, QuestionsAnHour: 100}, {AtOnce: 2, QuestionsAnHour: 90}, {AtOnce: 4, QuestionsAnHour: 120}}).AtOnce)
	require.InDelta(t, 20, modelpace.Goals(180, 9), 0)
	require.InDelta(t, 360, modelpace.Goals(180, 0), 0, "a model that was asked nothing carries no endless number of goals")
}
