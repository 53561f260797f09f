package vision_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/connect/validate/vision"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/model"
)

// server is a model that takes questions of so many pixels and pictures, and says what it was asked.
type server struct {
	url      string
	mu       sync.Mutex
	pixels   int // 0 = any number
	pictures int // 0 = any number
	late     int // pixels above which there is no answer in time; 0 = never
	asked    []string
}

func (s *server) takes(pixels, pictures, late int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pixels, s.pictures, s.late = pixels, pictures, late
}

// questions returns the questions since it was called last, each as "1920x1080 1920x1080 1304x632".
func (s *server) questions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.asked
	s.asked = nil
	return out
}

func limited(t *testing.T) *server {
	t.Helper()
	s := &server{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Messages []struct{ Content json.RawMessage }
		}
		if json.NewDecoder(r.Body).Decode(&q) != nil || len(q.Messages) != 2 {
			http.Error(w, "?", http.StatusTeapot)
			return
		}
		var parts []struct {
			Text     string
			ImageURL struct{ URL string } `json:"image_url"`
		}
		_ = json.Unmarshal(q.Messages[1].Content, &parts)
		var sizes []string
		frames, pixels := 0, 0
		for i, p := range parts {
			_, body, found := strings.Cut(p.ImageURL.URL, ",")
			if !found {
				continue
			}
			raw, _ := base64.StdEncoding.DecodeString(body)
			c, _ := jpeg.DecodeConfig(bytes.NewReader(raw))
			sizes, pixels = append(sizes, fmt.Sprintf("%dx%d", c.Width, c.Height)), pixels+c.Width*c.Height
			if strings.HasPrefix(parts[i-1].Text, "Frame") {
				frames++
			}
		}
		s.mu.Lock()
		s.asked = append(s.asked, strings.Join(sizes, " "))
		most, pictures, late := s.pixels, s.pictures, s.late
		s.mu.Unlock()
		switch {
		case pictures > 0 && len(sizes) > pictures:
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"object":"error","message":"At most %d image(s) may be provided in one request.","code":400}`, pictures)
		case most > 0 && pixels > most:
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (2048 tokens)","type":"exceed_context_size_error"}}`)
		case late > 0 && pixels > late:
			w.WriteHeader(http.StatusRequestTimeout)
		default:
			readings := make([]footy.Reading, frames)
			for i := range readings {
				readings[i].Soccer = true
			}
			_, _ = w.Write(completion(sheet(readings)))
		}
	}))
	t.Cleanup(srv.Close)
	s.url = srv.URL
	return s
}

type hands struct {
	mu  sync.Mutex
	now time.Time
}

func (h *hands) read() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *hands) pass(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// plain is a picture of that size.
func plain(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = uint8(i)
	}
	img.SetGray(0, 0, color.Gray{Y: 255})
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, nil))
	return b.Bytes()
}

func clipOf(t *testing.T, width, height int) []validate.Frame {
	t.Helper()
	one := plain(t, width, height)
	return []validate.Frame{{At: 1, JPEG: one}, {At: 2, JPEG: one}, {At: 3, JPEG: one}}
}

func sized(s *server, o vision.Options) *vision.Reader {
	return vision.New(o, llm.New(llm.Options{URL: s.url, Model: "eyes", Poll: time.Millisecond}, httpx.New(httpx.Options{})))
}

func read(t *testing.T, r *vision.Reader, frames []validate.Frame) {
	t.Helper()
	out, err := r.Read(t.Context(), frames)
	require.NoError(t, err)
	require.Len(t, out, len(frames))
	for i := range out {
		require.InDelta(t, frames[i].At, out[i].At, 0)
		require.True(t, out[i].Soccer)
	}
}

const (
	full   = "1920x1080 1920x1080 1920x1080 1304x635"
	middle = "960x540 960x540 960x540 1304x635"
	least  = "640x360 640x360 640x360 1304x635"
)

func TestAQuestionShowsWholeFramesAndTheirCornersEnlarged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		o             vision.Options
		width, height int
		want          string
	}{
		"1080 lines":         {vision.Options{}, 1920, 1080, full},
		"720 lines":          {vision.Options{}, 1280, 720, "1280x720 1280x720 1280x720 1304x638"},
		"360 lines":          {vision.Options{}, 640, 360, "640x360 640x360 640x360 1304x638"},
		"never blown up far": {vision.Options{}, 320, 180, "320x180 320x180 320x180 714x386"},
		"fewer lines":        {vision.Options{Lines: 540}, 1920, 1080, middle},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := limited(t)
			read(t, sized(s, c.o), clipOf(t, c.width, c.height))
			require.Equal(t, []string{c.want}, s.questions())
		})
	}
}

// TestASmallContextIsAskedWithLess: refused once, the next clip begins where the last one ended.
func TestASmallContextIsAskedWithLess(t *testing.T) {
	t.Parallel()
	s, now := limited(t), &hands{now: time.Unix(1e9, 0)}
	r := sized(s, vision.Options{Now: now.read})
	large := clipOf(t, 1920, 1080)
	read(t, r, large)
	require.Equal(t, validate.Showing{Lines: 1080, Corners: true}, r.Showing())
	s.questions()

	s.takes(3*960*540+1304*635, 0, 0)
	read(t, r, large)
	read(t, r, large)
	require.Equal(t, []string{full, middle, middle}, s.questions())
	require.Equal(t, validate.Showing{Lines: 540, Corners: true, Reduced: footy.ReasonModelContext}, r.Showing())

	s.takes(640*360+1304*1304/4, 0, 0)
	read(t, r, large)
	alone := "640x360 1304x217"
	require.Equal(t, []string{middle, least, alone, alone, alone}, s.questions(), "a question for each frame")
	require.Equal(t, validate.Showing{Lines: 360, Corners: true, Alone: true, Reduced: footy.ReasonModelContext}, r.Showing())

	s.takes(640*360, 0, 0)
	read(t, r, large)
	require.Equal(t, []string{alone, "640x360", "640x360", "640x360"}, s.questions())

	s.takes(0, 0, 0) // another context by now
	read(t, r, large)
	require.Equal(t, []string{"640x360", "640x360", "640x360"}, s.questions())
	now.pass(10 * time.Minute)
	for range 5 {
		read(t, r, large)
	}
	require.Equal(t, []string{alone, alone, alone, least, middle, full, full}, s.questions())
	require.Equal(t, validate.Showing{Lines: 1080, Corners: true}, r.Showing())
}

func TestASmallClipIsNotAskedTheSameTwice(t *testing.T) {
	t.Parallel()
	s := limited(t)
	s.takes(640*360+1304*232, 0, 0)
	read(t, sized(s, vision.Options{}), clipOf(t, 640, 360))
	require.Equal(t, []string{"640x360 640x360 640x360 1304x638", "640x360 1304x218", "640x360 1304x218", "640x360 1304x218"}, s.questions())
}

func TestAContextThatHoldsNoPictureIsATroubleOfItsOwn(t *testing.T) {
	t.Parallel()
	s := limited(t)
	s.takes(1000, 0, 0)
	r := sized(s, vision.Options{})
	large := clipOf(t, 1920, 1080)
	_, err := r.Read(t.Context(), large)
	require.Equal(t, footy.ReasonModelContext, footy.ReasonOf(err))
	require.Equal(t, []string{full, middle, least, "640x360 1304x217", "640x360"}, s.questions())
	_, err = r.Read(t.Context(), large)
	require.Equal(t, footy.ReasonModelContext, footy.ReasonOf(err))
	require.Equal(t, []string{"640x360"}, s.questions(), "it is not shown all sizes again")
}

func TestALimitOfPicturesIsKept(t *testing.T) {
	t.Parallel()
	s := limited(t)
	s.takes(0, 1, 0)
	r := sized(s, vision.Options{})
	read(t, r, clipOf(t, 640, 360))
	require.Equal(t, validate.Showing{Lines: 360, Alone: true, Reduced: footy.ReasonModelContext}, r.Showing())
}

// TestAModelThatIsTooLateIsAskedWithLess: without a GPU a question in full size takes minutes.
func TestAModelThatIsTooLateIsAskedWithLess(t *testing.T) {
	t.Parallel()
	s, now := limited(t), &hands{now: time.Unix(1e9, 0)}
	s.takes(0, 0, 3*960*540)
	r := sized(s, vision.Options{Now: now.read})
	large := clipOf(t, 1920, 1080)
	read(t, r, large)
	require.Equal(t, []string{full, least}, s.questions(), "each try costs minutes: the middle is left out")
	require.Equal(t, validate.Showing{Lines: 360, Corners: true, Reduced: footy.ReasonModelSlow}, r.Showing())
	read(t, r, large) // it answered soon: perhaps it only hung
	require.Equal(t, []string{middle, least}, s.questions())
	read(t, r, large)
	require.Equal(t, []string{least}, s.questions(), "it did not only hang")
	now.pass(59 * time.Minute)
	read(t, r, large)
	require.Equal(t, []string{least}, s.questions())
	now.pass(time.Minute)
	read(t, r, large)
	require.Equal(t, []string{middle, least}, s.questions())
}

func TestAModelThatHungIsSoonShownEverythingAgain(t *testing.T) {
	t.Parallel()
	s := limited(t)
	s.takes(0, 0, 1)
	r := sized(s, vision.Options{})
	large := clipOf(t, 1920, 1080)
	for range 2 {
		_, err := r.Read(t.Context(), large)
		require.Equal(t, footy.ReasonModelSlow, footy.ReasonOf(err))
	}
	require.Equal(t, []string{full, least, "640x360 1304x217", "640x360", "640x360"}, s.questions(), "the second clip costs one wait")
	s.takes(0, 0, 0)
	for range 6 {
		read(t, r, large)
	}
	require.Equal(t, validate.Showing{Lines: 1080, Corners: true}, r.Showing())
}

// TestTheSheetShowsTheCornersInOrder: each cut is where its frame and its corner say.
func TestTheSheetShowsTheCornersInOrder(t *testing.T) {
	t.Parallel()
	var got []byte
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var raw json.RawMessage
		_ = json.NewDecoder(r.Body).Decode(&raw)
		text := string(raw)
		_, last, _ := strings.Cut(text[strings.LastIndex(text, "Corners of the frames"):], "base64,")
		got, _ = base64.StdEncoding.DecodeString(last[:strings.IndexByte(last, '"')])
		_, _ = w.Write(completion(sheet(make([]footy.Reading, 2))))
	}))
	t.Cleanup(srv.Close)
	tones := func(tl, tr uint8) []byte {
		img := image.NewGray(image.Rect(0, 0, 1280, 720))
		for y := range 720 {
			for x := range 1280 {
				v := uint8(0)
				if y < 130 && x < 461 {
					v = tl
				} else if y < 130 && x >= 1280-461 {
					v = tr
				}
				img.SetGray(x, y, color.Gray{Y: v})
			}
		}
		var b bytes.Buffer
		require.NoError(t, jpeg.Encode(&b, img, &jpeg.Options{Quality: 95}))
		return b.Bytes()
	}
	_, err := sized(&server{url: srv.URL}, vision.Options{}).Read(t.Context(), []validate.Frame{
		{At: 1, JPEG: tones(50, 100)}, {At: 2, JPEG: tones(150, 200)}})
	require.NoError(t, err)
	img, err := jpeg.Decode(bytes.NewReader(got))
	require.NoError(t, err)
	for _, c := range []struct{ x, y, want int }{{300, 100, 50}, {1000, 100, 100}, {300, 310, 150}, {1000, 310, 200}} {
		r, _, _, _ := img.At(c.x, c.y).RGBA()
		require.InDelta(t, c.want, int(r>>8), 6, "at %d,%d", c.x, c.y)
	}
}

// TestTheWorldsSmallContextIsLearnt: frames as high as those of the simulated day.
func TestTheWorldsSmallContextIsLearnt(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(model.New(script.Model{}).Under(fault.NewPanel([]script.Mode{{Mode: "small_context"}}, func() float64 { return 0 }, 1), nil))
	t.Cleanup(srv.Close)
	r := sized(&server{url: srv.URL}, vision.Options{})
	out, err := r.Read(t.Context(), clipOf(t, 640, 360))
	require.NoError(t, err)
	require.Len(t, out, 3)
	require.Equal(t, validate.Showing{Lines: 360, Corners: true, Alone: true, Reduced: footy.ReasonModelContext}, r.Showing())
}
