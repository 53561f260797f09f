package media_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestTheClockOutlivesConversions: what converters do to the pictures a second, and what is done to escape recognition, leaves a clock
// that is read right, tells the speed, and proves the goal.
func TestTheClockOutlivesConversions(t *testing.T) {
	t.Parallel()
	const start = 66*60 + 52.6
	sources := map[int]string{}
	for _, rate := range []int{24, 25, 30} {
		sources[rate] = match(t, 8, start, rate)
	}
	for name, c := range map[string]struct {
		rate   int
		filter string
		speed  float64
	}{
		"25 to 24, slowed":                          {25, "setpts=25/24*PTS,fps=24", 24. / 25},
		"25 to 24, a picture dropped each second":   {25, "fps=24", 1},
		"24 to 25, speeded up":                      {24, "setpts=24/25*PTS,fps=25", 25. / 24},
		"30 to 24, every fifth picture dropped":     {30, "fps=24", 1},
		"30 to 24, pictures blended":                {30, "framerate=fps=24", 1},
		"24 to 30, every fourth picture doubled":    {24, "fps=30", 1},
		"24 to 30 by pulldown":                      {24, "telecine=pattern=23", 1},
		"24 to 30 by pulldown, back by dropping":    {24, "telecine=pattern=23,fps=24", 1},
		"30, each picture doubled":                  {30, "fps=60", 1},
		"slowed by 6 %":                             {25, "setpts=1.06*PTS,fps=25", 1 / 1.06},
		"speeded up by 6 %":                         {25, "setpts=PTS/1.06,fps=25", 1.06},
		"25 to 24, then slowed by 6 %":              {25, "fps=24,setpts=1.06*PTS,fps=24", 1 / 1.06},
		"as few pictures as a GIF has, 12 a second": {25, "fps=12", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := devtest.Draw(t, "converted.mp4", "-i", sources[c.rate], "-vf", c.filter, "-c:v", x264, "-preset", "superfast", "-crf", "27")
			d, err := decode(t, setup(), file, media.Wants{Clock: true, SamplesOnly: true})
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(d.Clock.Readings), 6, "%s", d.Clock.Abstained)
			require.InDelta(t, c.speed, d.Clock.Speed, 0.02)
			for _, r := range d.Clock.Readings {
				require.InDelta(t, start+r.At*c.speed, float64(r.Clock)+0.5, 0.75, "at %.1f", r.At)
			}
			q := clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3}
			v, ruling := clock.CheckRunning(d.Clock.Running(), q)
			require.Equal(t, clock.AskPicture, ruling)
			require.Equal(t, footy.OutcomeVerified, clock.WithoutModel(q, v, true).Outcome, v.Detail)
		})
	}
}
