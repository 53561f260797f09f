package trial_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/health"
	"github.com/found-footy/found-footy/internal/health/trial"
	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/llm"
	"github.com/found-footy/found-footy/internal/validate/vision"
	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/model"
	"github.com/found-footy/found-footy/internal/world/script"
)

// try shows the pictures to the simulated model in a manner, and returns what came of it and how many questions it was.
func try(t *testing.T, patience, compute time.Duration, manner ...script.Mode) (health.ModelTest, int) {
	t.Helper()
	srv := httptest.NewServer(model.New(script.Model{}).Under(fault.NewPanel(manner, func() float64 { return 0 }, 1), nil))
	t.Cleanup(srv.Close)
	o := llm.Options{URL: srv.URL, Slots: trial.MostAtOnce, Poll: 5 * time.Millisecond, ComputeTimeout: compute}
	r := vision.New(vision.Options{Corners: []vision.Corner{vision.TopLeft, vision.TopRight}}, llm.New(o, httpx.New(httpx.Options{})))
	asked := 0
	out, err := trial.Run(t.Context(), trial.Options{Reader: r, SlotsSet: 1, Patience: patience, Progress: func(n, of int) {
		require.LessOrEqual(t, n, of)
		asked++
	}})
	require.NoError(t, err)
	return out, asked
}

// none is the patience with which several at once are not tried.
const none = time.Nanosecond

func TestAModelThatSeesReadsTheDrawnPictures(t *testing.T) {
	t.Parallel()
	out, asked := try(t, time.Hour, time.Minute)
	require.True(t, out.Usable(), out.Verdict())
	require.Equal(t, trial.Pictures, out.Pictures)
	require.GreaterOrEqual(t, out.Right, 19, "%+v", out.Kinds)
	require.Equal(t, "simulated-vision", out.Model)
	shown := []int{}
	for _, k := range out.Kinds {
		shown = append(shown, k.Shown)
	}
	require.Equal(t, []int{5, 5, 4, 3, 3}, shown)
	require.Equal(t, out.Matches, out.Football)
	require.Equal(t, 7+2*4, asked, "twenty pictures one question at a time, then several at once")
	for i, n := range []int{1, 2, 4} {
		require.Equal(t, n, out.Pace[i].AtOnce)
		require.Positive(t, out.Pace[i].QuestionsAnHour)
	}
	require.Positive(t, out.GoalsAnHour)
	require.Positive(t, out.MedianSeconds)
	require.GreaterOrEqual(t, out.WorstSeconds, out.MedianSeconds)
	require.Equal(t, 1080, out.Lines)
	require.True(t, out.Corners)
	require.Empty(t, out.Reduced)
}

func TestASmallContextIsShownLessAndSaysSo(t *testing.T) {
	t.Parallel()
	out, _ := try(t, none, time.Minute, script.Mode{Mode: "small_context"})
	require.True(t, out.Usable(), out.Verdict())
	require.Equal(t, footy.ReasonModelContext, out.Reduced)
	require.True(t, out.Alone)
	require.GreaterOrEqual(t, out.Right, 15, "the clocks are in the enlarged corners: %+v", out.Kinds)
	require.Contains(t, out.Remedy(), "12,288 tokens")
}

func TestASlowModelIsTimedAndNotAskedSeveralAtOnce(t *testing.T) {
	t.Parallel()
	out, asked := try(t, none, time.Minute, script.Mode{Mode: "slow_model", Seconds: 0.1})
	require.True(t, out.Usable(), out.Verdict())
	require.GreaterOrEqual(t, out.MedianSeconds, 0.1)
	require.Equal(t, 7, asked)
	require.True(t, out.PaceLeftOut)
	require.Zero(t, out.SlotsBest)
	require.Positive(t, out.GoalsAnHour)
}

// TestWhatIsWrongWithAModelIsSaidPlainly: and no more questions are put than it takes to know.
func TestWhatIsWrongWithAModelIsSaidPlainly(t *testing.T) {
	t.Parallel()
	for manner, c := range map[string]struct {
		trouble footy.Reason
		asked   int
		says    string
	}{
		"blind_model":   {footy.ReasonModelBlind, 1, "The model cannot see pictures: "},
		"model_context": {footy.ReasonModelContext, 1, "The model's context is too small for a question with pictures: "},
		"model_junk":    {footy.ReasonModelJunk, 2, "The model answers what nobody can read: "},
		"slow_model":    {footy.ReasonModelSlow, 1, "The model gives no answer in time: "},
		"model_down":    {footy.ReasonModelUnreachable, 1, "The model cannot be reached: "},
	} {
		t.Run(manner, func(t *testing.T) {
			t.Parallel()
			compute := time.Minute
			if c.trouble == footy.ReasonModelSlow {
				compute = 50 * time.Millisecond
			}
			out, asked := try(t, none, compute, script.Mode{Mode: manner})
			require.Equal(t, c.trouble, out.Trouble)
			require.Equal(t, c.asked, asked)
			require.False(t, out.Usable())
			require.Contains(t, out.Verdict(), c.says)
			require.NotEmpty(t, out.Remedy())
			require.Zero(t, out.GoalsAnHour)
		})
	}
}

// TestAModelThatIsGivenNoPicturesIsFoundOut: its server drops them, and nothing fails.
func TestAModelThatIsGivenNoPicturesIsFoundOut(t *testing.T) {
	t.Parallel()
	out, _ := try(t, none, time.Minute, script.Mode{Mode: "model_guesses"})
	require.False(t, out.Usable())
	require.Empty(t, out.Trouble)
	require.Contains(t, out.Verdict(), "It says the same of every picture: it does not see them.")
	require.Contains(t, out.Remedy(), "--mmproj")
}
