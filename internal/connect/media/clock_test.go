package media_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gobold"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
	"github.com/found-footy/found-footy/tools/clockfont/typeface"
	"github.com/found-footy/found-footy/tools/devtest"
)

// match is a clip of ground that moves, under a bar on which a clock runs from so many seconds on.
func match(t *testing.T, seconds, start float64, rate int) string {
	t.Helper()
	const w, h, digits = 480, 270, 11
	face, err := typeface.Parse("Go", "bold", gobold.TTF)
	require.NoError(t, err)
	set, err := face.Set(digits)
	require.NoError(t, err)
	var raw []byte
	for n := range int(seconds * float64(rate)) {
		pix := make([]byte, w*h)
		for i := range pix {
			x, y := (i%w+n*75/rate)/9, i/w/7
			pix[i] = byte(70 + (x*31+y*57+x*y)%90)
		}
		for y := 20; y < 42; y++ {
			for x := 40; x < 200; x++ {
				pix[y*w+x] = 20
			}
		}
		at := int(start + float64(n)/float64(rate))
		line, _ := set.Line(fmt.Sprintf("%02d:%02d", at/60, at%60), typeface.Spacing{Even: true})
		for _, c := range line {
			for i, a := range c.Ink.Pix {
				x, y := 60+int(c.Pen+c.X+0.5)+i%c.Ink.Stride, 26+int(c.Y+0.5)+i/c.Ink.Stride
				pix[y*w+x] = max(pix[y*w+x], a)
			}
		}
		raw = append(raw, pix...)
	}
	return devtest.Draw(t, "match.mp4", "-f", "rawvideo", "-pix_fmt", "gray", "-s", fmt.Sprintf("%dx%d", w, h), "-r", fmt.Sprint(rate), "-i", write(t, "raw", raw),
		"-c:v", x264, "-preset", "superfast", "-crf", "27", "-pix_fmt", "yuv420p")
}

func TestTheClockComesFromTheSameDecode(t *testing.T) {
	t.Parallel()
	file := match(t, 7, 67*60+54.6, 25)
	for _, samplesOnly := range []bool{false, true} {
		d, err := decode(t, setup(), file, media.Wants{Clock: true, SamplesOnly: samplesOnly, ClockTrace: samplesOnly})
		require.NoError(t, err)
		require.InDelta(t, 7/footy.SampleInterval, len(d.Samples.Pix), 0)
		require.Equal(t, !samplesOnly, len(d.Frames) == len(media.Fractions))
		require.GreaterOrEqual(t, len(d.Clock.Readings), 5, "%s", d.Clock.Abstained)
		for _, r := range d.Clock.Readings {
			require.InDelta(t, 67*60+54.6+r.At, float64(r.Clock)+0.5, 0.7)
		}
		require.Equal(t, samplesOnly, d.Trace != nil)
	}
}

func TestAClipWithoutAClockHasNone(t *testing.T) {
	t.Parallel()
	d, err := decode(t, setup(), moving(t, 6, "320x180"), media.Wants{Clock: true})
	require.NoError(t, err)
	require.Empty(t, d.Clock.Readings)
	require.NotEmpty(t, d.Clock.Abstained)

	d, err = decode(t, setup(), moving(t, 1, "64x64"), media.Wants{Clock: true})
	require.NoError(t, err)
	require.Equal(t, clockface.TooShort, d.Clock.Abstained)
}

// The memory in which a clip lay is that of the next one.
func TestAnAnswerDoesNotDependOnTheClipBefore(t *testing.T) {
	t.Parallel()
	tool, file := setup(), match(t, 7, 67*60+54.6, 25)
	first, err := decode(t, tool, file, media.Wants{Clock: true, ClockTrace: true})
	require.NoError(t, err)
	picture, err := media.ClockPicture(first.Clock)
	require.NoError(t, err)
	for _, between := range []string{moving(t, 2, "320x180"), moving(t, 2, "640x360")} {
		_, err = decode(t, tool, between, media.Wants{Clock: true})
		require.NoError(t, err)
		again, err := decode(t, tool, file, media.Wants{Clock: true, ClockTrace: true})
		require.NoError(t, err)
		require.True(t, reflect.DeepEqual(first, again))
	}
	still, err := media.ClockPicture(first.Clock)
	require.NoError(t, err)
	require.Equal(t, picture, still, "nobody wrote into what was answered")
}

// TestAClockInAnUprightFrame: the broadcast is a strip of it, and read as large as one that fills its frame; so are small ones.
func TestAClockInAnUprightFrame(t *testing.T) {
	t.Parallel()
	const start = 67*60 + 54.6
	file := match(t, 7, start, 25)
	const blurred = "split[a][b];[a]scale=-2:428,crop=240:428,boxblur=14[c];[b]scale=240:-2[d];[c][d]overlay=0:"
	caption := func(y int) string { // letters of another kind: what counts is that they stand
		return fmt.Sprintf(",drawbox=14:%d:6:26:black:fill,drawbox=40:%d:20:26:black:fill,drawbox=90:%d:8:20:black:fill,drawbox=130:%d:66:26:black:fill", y, y, y, y)
	}
	for name, filter := range map[string]string{
		"black bars":                  "scale=240:-2,pad=240:428:0:(oh-ih)/2:black",
		"coloured bars, near the top": "scale=240:-2,pad=240:428:0:60:0xc02080",
		"captions on bars":            "scale=240:-2,pad=240:428:0:(oh-ih)/2:white" + caption(50) + caption(360),
		"blurred":                     blurred + "(H-h)/2",
		"blurred, with captions":      blurred + "220" + caption(80) + caption(380),
		"a square":                    "scale=240:-2,pad=240:240:0:(oh-ih)/2:0x203040",
		"cut to the frame":            "crop=152:270:40:0,scale=240:428",
		"a small one":                 "scale=240:-2",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upright := devtest.Draw(t, "upright.mp4", "-i", file, "-filter_complex", "[0:v]"+filter+",setsar=1", "-c:v", x264, "-preset", "superfast", "-crf", "27")
			d, err := decode(t, setup(), upright, media.Wants{Clock: true, SamplesOnly: true})
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(d.Clock.Readings), 5, "%s", d.Clock.Abstained)
			for _, r := range d.Clock.Readings {
				require.InDelta(t, start+r.At, float64(r.Clock)+0.5, 0.7)
			}
		})
	}
}
