package model_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/film/strip"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/model"
)

const framesShape = `{"type":"object","required":["frames"],"properties":{"frames":{"type":"array","items":{"type":"object","properties":{
"soccer":{"type":"boolean"},"screen":{"type":"boolean"},"clock":{"type":["string","null"]},"added":{"type":["string","null"]},
"stoppage_clock":{"type":["string","null"]},"period":{"type":["string","null"]}}}}}}`

// picture is a JPEG of one frame showing r; nil = a frame without strip.
func picture(t *testing.T, r *strip.Reading) string { t.Helper(); return sized(t, r, 320, 180) }

func sized(t *testing.T, r *strip.Reading, width, height int) string {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			v := uint8(100)
			fx, fy := (float64(x)+0.5)/float64(width), (float64(y)+0.5)/float64(height)
			if r != nil && fx > strip.Left && fx < strip.Right && fy > strip.Top && fy < strip.Bottom {
				cells := strip.Cells(*r)
				v = 50
				if cells[int((fy-strip.Top)/(strip.Bottom-strip.Top)*2)][int((fx-strip.Left)/(strip.Right-strip.Left)*32)] {
					v = 170
				}
			}
			img.SetGray(x, y, color.Gray{Y: v})
		}
	}
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, &jpeg.Options{Quality: 70}))
	return "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

func clock(minute, second int) *strip.Reading {
	r := strip.Blank()
	r.Soccer, r.Minute, r.Second = true, minute, second
	return &r
}

func setup(t *testing.T, m script.Model) string {
	t.Helper()
	srv := httptest.NewServer(model.New(m))
	t.Cleanup(srv.Close)
	return srv.URL
}

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/chat/completions", strings.NewReader(body))
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	var out struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if res.StatusCode != http.StatusOK {
		return res.StatusCode, string(data)
	}
	require.NoError(t, json.Unmarshal(data, &out))
	require.Len(t, out.Choices, 1)
	return res.StatusCode, out.Choices[0].Message.Content
}

func ask(t *testing.T, url, shape string, images ...string) string {
	t.Helper()
	parts := []string{`{"type":"text","text":"What do you see?"}`}
	for _, i := range images {
		parts = append(parts, fmt.Sprintf(`{"type":"image_url","image_url":{"url":%q}}`, i))
	}
	code, content := post(t, url, fmt.Sprintf(`{"messages":[{"role":"system","content":"Answer in JSON."},{"role":"user","content":[%s]}],
		"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":%s}}}`, strings.Join(parts, ","), shape))
	require.Equal(t, 200, code, content)
	return content
}

func TestTheModelReadsEachFrameItGets(t *testing.T) {
	t.Parallel()
	frozen := strip.Blank()
	frozen.Soccer, frozen.Minute, frozen.Added, frozen.SubMinute, frozen.SubSecond = true, 90, 6, 3, 27
	phone := clock(12, 5)
	phone.Screen, phone.Period = true, "1H"
	require.JSONEq(t, `{"frames":[
		{"soccer":true,"screen":false,"clock":"90:00","added":"+6","stoppage_clock":"03:27","period":null},
		{"soccer":true,"screen":true,"clock":"12:05","added":null,"stoppage_clock":null,"period":"1H"},
		{"soccer":false,"screen":false,"clock":null,"added":null,"stoppage_clock":null,"period":null}]}`,
		ask(t, setup(t, script.Model{}), framesShape, picture(t, &frozen), picture(t, phone), picture(t, nil)))
}

// TestTheStripIsFoundInFramesOfAnySize, and enlarged corners are no frame of their own.
func TestTheStripIsFoundInFramesOfAnySize(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{426, 240}, {640, 360}, {1280, 720}, {1920, 1080}} {
		parts := fmt.Sprintf(`{"type":"text","text":"Frame 1:"},{"type":"image_url","image_url":{"url":%q}},
			{"type":"text","text":"Corners of the frames, enlarged:"},{"type":"image_url","image_url":{"url":%q}}`,
			sized(t, clock(67, 42), size[0], size[1]), sized(t, nil, 1304, 217))
		code, content := post(t, setup(t, script.Model{}), fmt.Sprintf(`{"messages":[{"role":"user","content":[%s]}]}`, parts))
		require.Equal(t, 200, code)
		require.JSONEq(t, `{"frames":[{"soccer":true,"screen":false,"clock":"67:42","added":null,"stoppage_clock":null,"period":null}]}`, content, "%v", size)
	}
}

// TestASmallContextHoldsSmallPicturesOnly: pictures cost by their size, and the answer ends where the context does.
func TestASmallContextHoldsSmallPicturesOnly(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(model.New(script.Model{}).Under(fault.NewPanel([]script.Mode{{Mode: "small_context"}}, func() float64 { return 0 }, 1), nil))
	t.Cleanup(srv.Close)
	ask := func(pictures ...string) (int, string) {
		parts := []string{`{"type":"text","text":"What do you see?"}`}
		for _, p := range pictures {
			parts = append(parts, fmt.Sprintf(`{"type":"image_url","image_url":{"url":%q}}`, p))
		}
		return post(t, srv.URL, fmt.Sprintf(`{"messages":[{"role":"user","content":[%s]}]}`, strings.Join(parts, ",")))
	}
	small, large := sized(t, clock(1, 2), 640, 360), sized(t, clock(1, 2), 1920, 1080)
	code, _ := ask(small, small, small)
	require.Equal(t, 200, code)
	code, body := ask(large)
	require.Equal(t, 400, code)
	require.Contains(t, body, "request (2695 tokens) exceeds the available context size (2048 tokens)")
	code, body = ask(small, small, small, small, small, sized(t, nil, 1120, 364))
	require.Equal(t, 200, code)
	require.NotContains(t, body, "]}", "cut off")
}

func TestALoneFrameAndOtherShapesAreAnswered(t *testing.T) {
	t.Parallel()
	shape := `{"type":"object","properties":{"is_soccer":{"type":"boolean"},"clock":{"type":"string"},"notes":{"type":"string"}}}`
	require.JSONEq(t, `{"is_soccer":true,"clock":"33:44","notes":"NONE"}`, ask(t, setup(t, script.Model{}), shape, picture(t, clock(33, 44))))
	require.Contains(t, ask(t, setup(t, script.Model{}), `{}`, picture(t, clock(33, 44))), `"frames"`)
}

func TestMisreadingsAreRepeatableAndSpareMostFrames(t *testing.T) {
	t.Parallel()
	url := setup(t, script.Model{MisreadOneIn: 2})
	wrong := 0
	for second := range 40 {
		images := []string{picture(t, clock(92, second)), picture(t, clock(92, second+5)), picture(t, clock(92, second+9))}
		one := ask(t, url, framesShape, images...)
		require.Equal(t, one, ask(t, url, framesShape, images...))
		lost := strings.Count(one, `"02:`)
		require.LessOrEqual(t, lost, 1)
		wrong += lost
	}
	require.Positive(t, wrong, "a leading 9 is dropped now and then")
}

func TestATimerIsTakenForTheClockAndALabelIsOverlooked(t *testing.T) {
	t.Parallel()
	frozen := strip.Blank()
	frozen.Soccer, frozen.Minute, frozen.Added, frozen.SubMinute, frozen.SubSecond = true, 45, 4, 2, 36
	restarted := clock(5, 25)
	restarted.Period = "2H"
	answers := func(modes ...string) string {
		var on []script.Mode
		for _, m := range modes {
			on = append(on, script.Mode{Mode: m})
		}
		srv := httptest.NewServer(model.New(script.Model{}).Under(fault.NewPanel(on, func() float64 { return 1 }, 1), nil))
		t.Cleanup(srv.Close)
		return ask(t, srv.URL, framesShape, picture(t, &frozen), picture(t, restarted))
	}
	timer := `{"soccer":true,"screen":false,"clock":"02:36","added":"+4","stoppage_clock":null,"period":null}`
	stands := `{"soccer":true,"screen":false,"clock":"45:00","added":"+4","stoppage_clock":"02:36","period":null}`
	label := `{"soccer":true,"screen":false,"clock":"05:25","added":null,"stoppage_clock":null,"period":"2H"}`
	require.JSONEq(t, `{"frames":[`+stands+`,`+label+`]}`, answers())
	require.JSONEq(t, `{"frames":[`+timer+`,`+label+`]}`, answers(script.ModelTimer))
	require.JSONEq(t, `{"frames":[`+stands+`,`+strings.Replace(label, `"2H"`, "null", 1)+`]}`, answers(script.ModelNoLabel))

	always := ask(t, setup(t, script.Model{MisreadOneIn: 1}), framesShape, picture(t, &frozen), picture(t, restarted))
	require.Contains(t, always, "02:36", "a misreading of two clocks takes the one that runs")
	require.NotContains(t, always, "45:00")
}

func TestFencesAroundTheAnswer(t *testing.T) {
	t.Parallel()
	require.True(t, strings.HasPrefix(ask(t, setup(t, script.Model{FenceOneIn: 1}), framesShape, picture(t, clock(1, 2))), "```json"))
}

func TestTheModelLoadsFirst(t *testing.T) {
	t.Parallel()
	url := setup(t, script.Model{LoadingRequests: 2})
	for _, want := range []int{503, 503, 200} {
		code, body := post(t, url, `{"messages":[{"role":"user","content":"hello"}]}`)
		require.Equal(t, want, code)
		if code == 503 {
			require.Contains(t, body, "Loading model")
		}
	}
}

func TestAliasesComeFromTheListOnly(t *testing.T) {
	t.Parallel()
	shape := `{"type":"object","properties":{"aliases":{"type":"array","items":{"type":"string"},"maxItems":3}}}`
	_, content := post(t, setup(t, script.Model{}), fmt.Sprintf(`{"messages":[{"role":"user","content":%q}],"response_format":{"type":"json_schema","json_schema":{"schema":%s}}}`,
		`Team: Manchester City. Candidates: ["City", "MCFC", "Man City", "FC", "mcfc", "Citizens", "Cityzens"]`, shape))
	require.JSONEq(t, `{"aliases":["MCFC","Man City","Citizens"]}`, content)
}

func TestRubbishIsRefused(t *testing.T) {
	t.Parallel()
	url := setup(t, script.Model{})
	for _, body := range []string{`{`, `{"messages":[{"role":"user","content":7}]}`,
		`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"http://example.com/a.jpg"}}]}]}`,
		`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,AAAA"}}]}]}`} {
		code, _ := post(t, url, body)
		require.Equal(t, 400, code, body)
	}
}
