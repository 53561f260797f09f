package pipeline_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/validate/vision"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// server is a model server that may misbehave, and the bench that asks it through the real client. The client is patient: what a
// server does must be told by what it answers, not by how slow the machine is. Only limits that must run out are short.
type server struct {
	*bench
	url   string
	mood  atomic.Pointer[http.HandlerFunc] // how it misbehaves; nil = not at all
	asked atomic.Int64
}

const quick = 300 * time.Millisecond // a limit that runs out

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{bench: newBench(t)}
	srv := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(srv.Close)
	s.url = srv.URL
	s.limits(0, 0)
	return s
}

// limits says how long the client waits for one answer and for a server that loads; 0 is what it waits in production.
func (s *server) limits(compute, load time.Duration) {
	look := vision.New(vision.Options{}, llm.New(llm.Options{URL: s.url, Model: "eyes", ComputeTimeout: compute, LoadTimeout: load,
		Poll: 5 * time.Millisecond}, httpx.New(httpx.Options{})))
	s.down.Reader, s.mon.Reader = look, look
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		s.asked.Add(1)
	}
	if mood := s.mood.Load(); mood != nil {
		(*mood)(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	frames := strings.Count(string(body), `"Frame `) // after a hang it is shown one at a time
	content(`{"frames": [`+strings.Repeat(good+",", max(0, frames-1))+good+`]}`)(w, r)
}

const good = `{"soccer": true, "screen": false, "clock": "66:12", "added": null, "stoppage_clock": null, "period": null}`

func content(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"content": text}}}})
	}
}

func fails(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, body, code) }
}

func status(code int) http.HandlerFunc { return fails(code, `{"error": {"message": "Loading model"}}`) }

func (s *server) set(mood http.HandlerFunc) {
	if mood == nil {
		s.mood.Store(nil)
		return
	}
	s.mood.Store(&mood)
}

// TestAModelServerThatMisbehaves covers the evening in which 319 time-outs lost 80 real clips: whatever the server does,
// no clip is published without a verdict, none is lost, and the queue recovers with the server.
func TestAModelServerThatMisbehaves(t *testing.T) {
	t.Parallel()
	drop := func(w http.ResponseWriter, _ *http.Request) {
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_ = c.Close()
		}
	}
	for name, c := range map[string]struct {
		mood  http.HandlerFunc
		cause footy.Reason
	}{
		"thinks too long": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // else the end of the client stays unseen
			<-r.Context().Done()
		}, footy.ReasonModelSlow},
		"never finishes loading":            {status(http.StatusServiceUnavailable), footy.ReasonModelLoading},
		"is always busy":                    {fails(http.StatusTooManyRequests, "slow down"), footy.ReasonModelSlow},
		"fails inside":                      {fails(http.StatusInternalServerError, `{"error": {"message": "boom"}}`), footy.ReasonModelError},
		"knows no such address":             {fails(http.StatusNotFound, "404 page not found"), footy.ReasonModelUnreachable},
		"writes no JSON":                    {content("I see a football match in the rain."), footy.ReasonModelJunk},
		"stops in the middle":               {content(`{"frames": [{"soccer": true, "scr`), footy.ReasonModelJunk},
		"writes JSON of the wrong types":    {content(`{"frames": [{"soccer": "maybe", "screen": 3, "clock": 66}, [], "goal"]}`), footy.ReasonModelJunk},
		"leaves the judgement out":          {content(`{"frames": [{"clock": "66:12"}, {"clock": "66:13"}, {"clock": "66:14"}]}`), footy.ReasonModelJunk},
		"forgets a frame":                   {content(`{"frames": [` + good + `]}`), footy.ReasonModelJunk},
		"answers nothing":                   {content(""), footy.ReasonModelJunk},
		"answers null":                      {content("null"), footy.ReasonModelJunk},
		"sends a page in place of JSON":     {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>Welcome</html>") }, footy.ReasonModelUnreachable},
		"drops the connection":              {drop, footy.ReasonModelUnreachable},
		"hangs up in the middle of a reply": {func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Length", "999"); drop(w, r) }, footy.ReasonModelUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newServer(t)
			b.set(c.mood)
			switch name {
			case "thinks too long":
				b.limits(quick, 0)
			case "never finishes loading", "is always busy":
				b.limits(0, time.Second) // more than a slow machine lets pass between two tries
			}
			in := b.open("1", "2")
			b.over(oneGoal)
			b.batch(in.Download, in)
			require.Equal(t, map[string]string{"1": "waiting " + string(c.cause), "2": "waiting " + string(c.cause)}, b.states(oneGoal))
			require.Positive(t, b.asked.Load())
			require.Empty(t, b.event(oneGoal).Clips, "no clip without a verdict")
			require.False(t, b.event(oneGoal).DownloadComplete, "nor is the goal done with")

			b.set(nil)
			b.limits(0, 0)
			b.settle(10 * time.Minute)
			e := b.event(oneGoal)
			require.Len(t, e.Clips, 2, "none is lost")
			for _, c := range e.Clips {
				require.True(t, c.Verified)
				require.NotEmpty(t, c.Posts)
			}
			require.True(t, e.DownloadComplete)
		})
	}
}

func TestAModelServerThatIsLateIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]int{"loading": http.StatusServiceUnavailable, "busy": http.StatusTooManyRequests} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newServer(t)
			b.set(func(w http.ResponseWriter, r *http.Request) {
				if b.asked.Load() < 20 {
					status(code)(w, r)
					return
				}
				b.set(nil)
				b.serve(w, r)
			})
			in := b.open("1", "2")
			b.batch(in.Download, in)
			require.Len(t, b.event(oneGoal).Clips, 2)
		})
	}
}

// TestOneBadAnswerCostsOneClipATurn: the clips before and after it in the same batch keep their verdicts.
func TestOneBadAnswerCostsOneClipATurn(t *testing.T) {
	t.Parallel()
	b := newServer(t)
	b.set(func(w http.ResponseWriter, r *http.Request) {
		if n := b.asked.Load(); n == 2 || n == 3 { // a bad answer is asked for once more
			content(`{"frames": "none"}`)(w, r)
			return
		}
		content(`{"frames": [`+good+`,`+good+`,`+good+`]}`)(w, r)
	})
	in := b.open("1", "2", "3")
	b.batch(in.Download, in)
	require.ElementsMatch(t, []string{"published", "waiting model_junk", "published"}, slices.Collect(maps.Values(b.states(oneGoal))), "they are judged as they come")
	require.Len(t, b.rows(oneGoal, footy.EntryWaiting), 1, "the page says why the clip is not there yet")
	b.settle(5 * time.Minute)
	require.Len(t, b.event(oneGoal).Clips, 3)
}

func TestOneClipThatAlwaysYieldsJunkHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.model.set(func(film string) error {
		if film == "0" {
			return trouble(footy.ReasonModelJunk)
		}
		return nil
	}, nil)
	in := b.open("0", "1", "2") // in this order
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"0": "waiting model_junk", "1": "published", "2": "published"}, b.states(oneGoal))
	in = b.open("3", "4")
	b.batch(in.Download, in)
	require.Len(t, b.event(oneGoal).Clips, 4)
	asked := b.model.asked["0"]
	for end := b.at.Add(2 * time.Hour); b.at.Before(end); b.pass(30 * time.Second) {
		b.cycle()
	}
	require.LessOrEqual(t, b.model.asked["0"]-asked, 14, "its pauses grow")
	require.GreaterOrEqual(t, b.model.asked["0"]-asked, 8, "and it is tried on")
	require.Len(t, b.rows(oneGoal, footy.EntryWaiting), 1, "one row tells one trouble")
	require.Equal(t, 1, b.model.asked["1"])
}

func TestAKillInTheMiddleOfValidateAsksNothingTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1", "2", "3")
	must[any](b, download.RegisterDownload, in)
	for _, id := range []string{"1", "2", "3"} {
		must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{id}})
	}
	b.model.set(func(film string) error {
		if film == "3" {
			panic(killed)
		}
		return nil
	}, nil)
	ask := download.ValidateInput{Input: in, Posts: []string{"1", "2", "3"}}
	_, err := do[download.ValidateResult](b, download.Validate, ask)
	require.ErrorContains(t, err, killed)
	b.model.set(nil, nil)
	got := must[download.ValidateResult](b, download.Validate, ask)
	require.Equal(t, download.ValidateResult{Accepted: 3, Queued: true}, got)
	require.Equal(t, map[string]int{"1": 1, "2": 1, "3": 2}, b.model.asked)
}

// TestACopyOfWhatWasTakenDownIsRefused: other bytes, the same footage.
func TestACopyOfWhatWasTakenDownIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.film = map[string]string{"1": "film/a", "2": "film/b"}
	require.NoError(t, b.store.PutTombstone(t.Context(), footy.Tombstone{Digest: "other bytes", FixtureID: 4999, EventUID: "4999-1",
		Reason: "rights", At: b.now(), Fingerprint: phash.Build(footage("film"))}))
	in := b.open("1", "2")
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"1": "refused tombstone", "2": "refused tombstone"}, b.states(oneGoal))
	require.Empty(t, b.event(oneGoal).Clips)
	require.Empty(t, b.model.asked, "no model is bothered with it")
	require.Len(t, b.rows(oneGoal, footy.EntryRejected), 2)
}
