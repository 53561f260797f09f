package health_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/modelpace"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
)

func TestATestOfTheModelInWords(t *testing.T) {
	t.Parallel()
	good := health.ModelTest{Pictures: 20, Right: 18, Clocks: 12, MedianSeconds: 2, WorstSeconds: 4, SlotsSet: 2, SlotsBest: 2, GoalsAnHour: 400, ClipsPerGoal: 9, Lines: 1080,
		Matches: 17, Football: 17, Pace: []modelpace.Pace{{AtOnce: 1, QuestionsAnHour: 1800}, {AtOnce: 2, QuestionsAnHour: 3600}, {AtOnce: 4, QuestionsAnHour: 3700}}}
	with := func(change func(*health.ModelTest)) health.ModelTest {
		m := good
		change(&m)
		return m
	}
	for name, c := range map[string]struct {
		m       health.ModelTest
		usable  bool
		verdict string
		remedy  string
		finding string
	}{
		"good":             {good, true, "It sees pictures, and reads 18 of 20 right.", "", "LLAMA_SLOTS=2 is right."},
		"more slots":       {with(func(m *health.ModelTest) { m.SlotsSet = 1 }), true, "18 of 20", "", "Set LLAMA_SLOTS=2 (it is 1)."},
		"fewer slots":      {with(func(m *health.ModelTest) { m.SlotsSet = 4 }), true, "18 of 20", "", "More than 2 at once brings nothing: set LLAMA_SLOTS=2 (it is 4)."},
		"more than tried":  {with(func(m *health.ModelTest) { m.SlotsSet = 16 }), true, "18 of 20", "", "LLAMA_SLOTS=16 is more than was tried."},
		"reads badly":      {with(func(m *health.ModelTest) { m.Right = 9 }), true, "9 of 20", "Take a larger model", ""},
		"a drawing":        {with(func(m *health.ModelTest) { m.Football = 3 }), true, "18 of 20", "", "It took 3 of 17 drawn matches for football"},
		"no time for more": {with(func(m *health.ModelTest) { m.PaceLeftOut, m.Pace, m.SlotsBest = true, m.Pace[:1], 0 }), true, "18 of 20", "", "Several questions at once were not tried"},
		"shown less": {with(func(m *health.ModelTest) { m.Reduced, m.Lines, m.Alone = footy.ReasonModelContext, 360, true }), true, "18 of 20", "12,288 tokens",
			"Frames in full size are more than it takes at once, so it is shown less: frames of up to 360 lines, one a question."},
		"sees nothing":  {health.ModelTest{Pictures: 20, Right: 3, Others: 3}, false, "no answer fits the pictures", "--mmproj", ""},
		"sees little":   {health.ModelTest{Pictures: 20, Right: 6, Others: 6, Matches: 17, Football: 17}, false, "but reads none of the clocks", "MODEL_CORNERS", ""},
		"says the same": {health.ModelTest{Pictures: 20, Alike: true}, false, "it does not see them", "--mmproj", ""},
		"not set up":    {health.ModelTest{Trouble: footy.ReasonNoModel}, false, "LLAMA_URL is not set", "set LLAMA_URL", ""},
		"late":          {health.ModelTest{Trouble: footy.ReasonModelSlow, Detail: "within 2m0s"}, false, "The model gives no answer in time: within 2m0s.", "smaller model", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.usable, c.m.Usable())
			require.Contains(t, c.m.Verdict(), c.verdict)
			require.Contains(t, c.m.Remedy(), c.remedy)
			require.Equal(t, c.remedy == "", c.m.Remedy() == "")
			require.Contains(t, strings.Join(c.m.Findings(), "\n"), c.finding)
		})
	}
}
