package trial_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/validate/vision"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/check/trial"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/model"
)

// try shows the pictures to the simulated model in a manner, and returns what came of it and how many questions were put.
func try(t *testing.T, limits trial.Limits, compute time.Duration, manner ...script.Mode) (health.ModelTest, int) {
	t.Helper()
	srv := httptest.NewServer(model.New(script.Model{}).Under(fault.NewPanel(manner, func() float64 { return 0 }, 1), nil))
	t.Cleanup(srv.Close)
	asked := 0
	out := run(t, srv.URL, compute, limits, func(s health.ModelTestStep) {
		require.LessOrEqual(t, s.Asked, s.Of)
		require.NotEmpty(t, s.Sentence())
		if asked = s.Asked; s.Picture > 0 {
			asked++ // it is being put
		}
	})
	return out, asked
}

// oneByOne leaves out several questions at once.
var oneByOne = trial.Limits{Several: time.Nanosecond}

func reader(url string, compute time.Duration) *vision.Reader {
	o := llm.Options{URL: url, Slots: trial.MostAtOnce, Poll: 5 * time.Millisecond, ComputeTimeout: compute}
	return vision.New(vision.Options{Corners: []vision.Corner{vision.TopLeft, vision.TopRight}}, llm.New(o, httpx.New(httpx.Options{})))
}

func run(t *testing.T, url string, compute time.Duration, limits trial.Limits, progress func(health.ModelTestStep)) health.ModelTest {
	t.Helper()
	limits.Poll = 5 * time.Millisecond
	out, err := trial.Run(t.Context(), trial.Options{Reader: reader(url, compute), SlotsSet: 1, Limits: limits, Progress: progress}.DrawnOnce())
	require.NoError(t, err)
	return out
}

func TestAModelThatSeesReadsTheDrawnPictures(t *testing.T) {
	t.Parallel()
	out, asked := try(t, trial.Limits{}, time.Minute)
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
	out, _ := try(t, oneByOne, time.Minute, script.Mode{Mode: "small_context"})
	require.True(t, out.Usable(), out.Verdict())
	require.Equal(t, footy.ReasonModelContext, out.Reduced)
	require.True(t, out.Alone)
	require.GreaterOrEqual(t, out.Right, 15, "the clocks are in the enlarged corners: %+v", out.Kinds)
	require.Contains(t, out.Remedy(), "12,288 tokens")
}

func TestASlowModelIsTimedAndNotAskedSeveralAtOnce(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(model.New(script.Model{}))
	t.Cleanup(srv.Close)
	now := time.Now()
	knowing := &trial.Knowing{Reader: reader(srv.URL, time.Minute)}
	out, err := trial.Run(t.Context(), trial.Options{Reader: knowing, SlotsSet: 1, Now: func() time.Time {
		now = now.Add(28 * time.Second)
		return now
	}}.DrawnOnce())
	require.NoError(t, err)
	require.True(t, out.Usable(), out.Verdict())
	require.GreaterOrEqual(t, out.MedianSeconds, 28.0)
	require.Equal(t, trial.Pictures, out.Pictures)
	require.Len(t, out.Pace, 1)
	require.True(t, out.PaceLeftOut)
	require.Zero(t, out.SlotsBest)
	require.Positive(t, out.GoalsAnHour)
}

// told collects what a trial says while it runs.
func told(into *[]string) func(health.ModelTestStep) {
	return func(s health.ModelTestStep) { *into = append(*into, s.Sentence()) }
}

// TestAServerThatSaysNothingIsGivenUp: it takes the connection, and hangs. Nobody sits before it for minutes without a word.
func TestAServerThatSaysNothingIsGivenUp(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	var said []string
	out := run(t, "http://"+l.Addr().String(), time.Minute, trial.Limits{Silent: 50 * time.Millisecond}, told(&said))
	require.Equal(t, footy.ReasonModelUnreachable, out.Trouble)
	require.Contains(t, out.Verdict(), "The model cannot be reached: its server accepts connections, but gave no answer for")
	require.Contains(t, out.Remedy(), "LLAMA_URL")
	require.Equal(t, "asking whether the server is there", said[0])
	require.Contains(t, trial.Announcement("http://m"), "showing the model at http://m 20 drawn pictures")
	require.Contains(t, trial.Announcement("http://m"), "15 min at most")
	require.Contains(t, trial.Announcement("http://m"), "says nothing is given up after 30 s")
}

// TestAnAnswerThatNeverComesIsGivenUp: the server is there, and hangs over the first question.
func TestAnAnswerThatNeverComesIsGivenUp(t *testing.T) {
	t.Parallel()
	srv := hangs(t)
	var said []string
	limits := trial.Limits{Question: 3 * time.Second, Tell: time.Millisecond} // making three pictures ready is part of it: a busy core needs 0.1 s
	out := run(t, srv, time.Minute, limits, told(&said))
	require.Equal(t, footy.ReasonModelSlow, out.Trouble)
	require.Contains(t, out.Verdict(), "The model gives no answer in time: a question had none within")
	require.Contains(t, said, "picture 3 of 20")
	require.Contains(t, strings.Join(said, "\n"), "picture 3 of 20: no answer for ")

	out = run(t, srv, time.Minute, trial.Limits{Whole: 100 * time.Millisecond}, nil)
	require.Equal(t, footy.ReasonModelSlow, out.Trouble)
	require.Contains(t, out.Verdict(), "none within")
}

// hangs is a server that is well until it is asked something.
func hangs(t *testing.T) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/health" {
			return
		}
		_, _ = io.Copy(io.Discard, r.Body) // else the end of the client stays unseen
		<-r.Context().Done()
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func TestTheCallersEndIsNoResult(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := trial.Run(ctx, trial.Options{Reader: reader(hangs(t), time.Minute), Progress: func(s health.ModelTestStep) {
		if s.Picture > 0 {
			cancel()
		}
	}}.DrawnOnce())
	require.ErrorIs(t, err, context.Canceled)
}

// TestALoadingModelIsWaitedFor: and if it never ends, that is said, and nobody is told to correct an address that is right.
func TestALoadingModelIsWaitedFor(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(model.New(script.Model{LoadingRequests: 3}))
	t.Cleanup(srv.Close)
	var said []string
	out := run(t, srv.URL, time.Minute, oneByOne, told(&said))
	require.True(t, out.Usable(), out.Verdict())
	require.Contains(t, said, "the model is loading; waited for it for 0 s, 5 min at most")

	never := httptest.NewServer(model.New(script.Model{LoadingRequests: 1 << 30}))
	t.Cleanup(never.Close)
	out = run(t, never.URL, time.Minute, trial.Limits{Loading: 20 * time.Millisecond}, nil)
	require.Equal(t, footy.ReasonModelLoading, out.Trouble)
	require.Contains(t, out.Verdict(), "The model is loading: ")
	require.Contains(t, out.Remedy(), "Wait: ")
	require.NotContains(t, out.Verdict()+out.Remedy(), "LLAMA_URL")
	require.NotContains(t, out.Verdict(), "reached")
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
		"model_junk":    {footy.ReasonModelJunk, 2, "The model's answers cannot be read: "},
		"slow_model":    {footy.ReasonModelSlow, 1, "The model gives no answer in time: "},
		"model_down":    {footy.ReasonModelUnreachable, 1, "The model cannot be reached: "},
	} {
		t.Run(manner, func(t *testing.T) {
			t.Parallel()
			compute := time.Minute
			if c.trouble == footy.ReasonModelSlow {
				compute = 50 * time.Millisecond
			}
			out, asked := try(t, oneByOne, compute, script.Mode{Mode: manner})
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
	out, _ := try(t, oneByOne, time.Minute, script.Mode{Mode: "model_guesses"})
	require.False(t, out.Usable())
	require.Empty(t, out.Trouble)
	require.Contains(t, out.Verdict(), "It says the same of every picture: it does not see them.")
	require.Contains(t, out.Remedy(), "--mmproj")
}
