package vision_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/connect/validate/validatetest"
	"github.com/found-footy/found-footy/internal/connect/validate/vision"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/film/strip"
	"github.com/found-footy/found-footy/tools/devtest"
)

func reader(url string) *vision.Reader {
	return vision.New(vision.Options{}, llm.New(llm.Options{URL: url, Model: "eyes", ComputeTimeout: 20 * time.Second,
		LoadTimeout: 20 * time.Second, Poll: 5 * time.Millisecond}, httpx.New(httpx.Options{})))
}

func completion(content string) []byte {
	b, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"content": content}}}})
	return b
}

// sheet writes readings as a model does: null where nothing is shown.
func sheet(readings []footy.Reading) string {
	text := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	frames := []any{}
	for _, r := range readings {
		frames = append(frames, map[string]any{"soccer": r.Soccer, "screen": r.Screen, "clock": text(r.Clock), "added": text(r.Added),
			"stoppage_clock": text(r.StoppageClock), "period": text(r.Period), "shows": text(r.Shows)})
	}
	b, _ := json.Marshal(map[string]any{"frames": frames})
	return string(b)
}

func TestConformance(t *testing.T) {
	t.Parallel()
	validatetest.Run(t, func(t *testing.T, s *validatetest.Script) validatetest.Bench {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet { // is it well, and which models has it
				fmt.Fprint(w, `{"data":[]}`)
				return
			}
			readings, fault := s.Next()
			switch fault {
			case validatetest.Loading:
				w.WriteHeader(http.StatusServiceUnavailable)
				fmt.Fprint(w, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`)
			case validatetest.Busy:
				w.WriteHeader(http.StatusTooManyRequests)
			case validatetest.Junk:
				_, _ = w.Write(completion("I see a football match!"))
			case validatetest.Blind:
				w.WriteHeader(http.StatusInternalServerError)
				fmt.Fprint(w, `{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}`)
			case validatetest.Narrow:
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, `{"error":{"code":400,"message":"request (5337 tokens) exceeds the available context size (2048 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5337,"n_ctx":2048}}`)
			case validatetest.Dropped:
				panic(http.ErrAbortHandler)
			default:
				_, _ = w.Write(completion(sheet(readings)))
			}
		}))
		t.Cleanup(srv.Close)
		return validatetest.Bench{Reader: reader(srv.URL), Stop: srv.Close}
	})
}

func TestWordsForNothingAreNothing(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(completion(`{"frames":[{"soccer":true,"screen":false,"clock":" 12:05 ","added":"None","stoppage_clock":"null","period":""}]}`))
	}))
	t.Cleanup(srv.Close)
	out, err := reader(srv.URL).Read(t.Context(), []validate.Frame{{At: 2, JPEG: []byte("x")}})
	require.NoError(t, err)
	require.Equal(t, []footy.Reading{{At: 2, Soccer: true, Clock: "12:05"}}, out)
}

func TestAFrameWithoutASportIsNoVerdict(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(completion(`{"frames":[{"clock":"12:05"}]}`))
	}))
	t.Cleanup(srv.Close)
	_, err := reader(srv.URL).Read(t.Context(), []validate.Frame{{At: 2, JPEG: []byte("x")}})
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	require.ErrorContains(t, err, "frame 1: soccer and screen must be true or false")
}

func TestAnEmptyFrameIsNotSent(t *testing.T) {
	t.Parallel()
	_, err := reader("http://127.0.0.1:1").Read(t.Context(), []validate.Frame{{At: 2}})
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
}

// picture is a frame of the simulated world: a strip that says what a viewer would see.
func picture(t *testing.T, r strip.Reading) []byte {
	t.Helper()
	cells := strip.Cells(r)
	img := image.NewGray(image.Rect(0, 0, 320, 180))
	for y := range 180 {
		for x := range 320 {
			fx, fy := (float64(x)+0.5)/320, (float64(y)+0.5)/180
			v := uint8(100)
			if fx > strip.Left && fx < strip.Right && fy > strip.Top && fy < strip.Bottom {
				v = 50
				if cells[int((fy-strip.Top)/(strip.Bottom-strip.Top)*2)][int((fx-strip.Left)/(strip.Right-strip.Left)*32)] {
					v = 170
				}
			}
			img.SetGray(x, y, color.Gray{Y: v})
		}
	}
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, nil))
	return b.Bytes()
}

func TestTheSimulatedWorldsModelIsRead(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Options{ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	goal := strip.Blank()
	goal.Soccer, goal.Minute, goal.Second = true, 67, 42
	other := strip.Blank()
	frames := []validate.Frame{{At: 1, JPEG: picture(t, goal)}, {At: 2, JPEG: picture(t, other)}}
	r := reader(w.URL() + "/llm")
	for _, mode := range []string{"none", "500", "429", "down"} {
		if mode != "none" {
			order(t, w.URL(), mode)
		}
		out, err := r.Read(t.Context(), frames)
		require.NoError(t, err, mode)
		require.Len(t, out, 2)
		require.True(t, out[0].Soccer)
		require.False(t, out[1].Soccer)
		require.Equal(t, []float64{1, 2}, []float64{out[0].At, out[1].At})
	}
	require.NoError(t, r.Ready(t.Context()))
}

func order(t *testing.T, url, mode string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/world/faults",
		strings.NewReader(fmt.Sprintf(`{"service":"llm","mode":%q,"count":1}`, mode)))
	require.NoError(t, err)
	res, err := devtest.Client.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusNoContent, res.StatusCode)
}

func TestEachTroubleOfTheWorldsModelIsNamed(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Options{ClipDir: t.TempDir()})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	asks := func(compute, load time.Duration) *vision.Reader {
		return vision.New(vision.Options{}, llm.New(llm.Options{URL: w.URL() + "/llm", Model: "eyes", ComputeTimeout: compute, LoadTimeout: load,
			Poll: 5 * time.Millisecond}, httpx.New(httpx.Options{})))
	}
	patient := asks(0, 0)
	hasty := map[string]*vision.Reader{"model_slow": asks(2*time.Second, 0), "model_loading": asks(0, 2*time.Second)} // where it must run out
	turn := func(fault string, seconds int, clip string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.ControlURL()+"/control/fault",
			strings.NewReader(fmt.Sprintf(`{"fault":%q,"for_s":%d,"clip":%q}`, fault, seconds, clip)))
		require.NoError(t, err)
		res, err := devtest.Client.Do(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusNoContent, res.StatusCode)
	}
	master := w.Posts()[0]
	moment, elsewhere := master.Clip.Scenes[0].Seen(1), strip.Blank()
	elsewhere.Soccer, elsewhere.Minute, elsewhere.Second = true, 119, 59
	clip := []validate.Frame{{At: 1, JPEG: picture(t, moment)}}
	other := []validate.Frame{{At: 1, JPEG: picture(t, elsewhere)}}
	_, err = reader(w.URL()+"/llm").Read(t.Context(), clip) // waits until it is loaded
	require.NoError(t, err)
	for fault, want := range map[string]footy.Reason{"model_down": footy.ReasonModelUnreachable, "model_loading": footy.ReasonModelLoading,
		"model_slow": footy.ReasonModelSlow, "model_blind": footy.ReasonModelBlind, "model_context": footy.ReasonModelContext,
		"model_junk": footy.ReasonModelJunk} {
		turn(fault, 600, "")
		asker := cmp.Or(hasty[fault], patient)
		_, err = asker.Read(t.Context(), clip)
		require.Equal(t, want, footy.ReasonOf(err), "%s: %v", fault, err)
		turn(fault, 0, "")
		_, err = patient.Read(t.Context(), clip)
		require.NoError(t, err, "%s is over", fault)
	}
	turn("model_junk", 600, master.ID)
	_, err = patient.Read(t.Context(), clip)
	require.Equal(t, footy.ReasonModelJunk, footy.ReasonOf(err))
	_, err = patient.Read(t.Context(), other)
	require.NoError(t, err, "only that clip")
}
