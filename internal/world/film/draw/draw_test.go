package draw_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/jpeg"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/film/clip"
	"github.com/found-footy/found-footy/internal/world/film/draw"
	"github.com/found-footy/found-footy/internal/world/film/strip"
	"github.com/found-footy/found-footy/internal/world/script"
)

func needFFmpeg(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed: nothing can be drawn")
	}
}

// frame extracts one frame as JPEG, as a product would for its validator.
func frame(t *testing.T, path string, at float64, width int) image.Image {
	t.Helper()
	var out, problems bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-ss", fmt.Sprint(at), "-i", path, "-frames:v", "1",
		"-vf", fmt.Sprintf("scale=%d:-2", width), "-q:v", "5", "-f", "mjpeg", "-")
	cmd.Stdout, cmd.Stderr = &out, &problems
	require.NoError(t, cmd.Run(), problems.String())
	img, _, err := image.Decode(&out)
	require.NoError(t, err)
	return img
}

// goal is a frozen-clock goal in stoppage time: every field of the strip is in use.
func goal(kinds ...string) (*script.Script, []clip.Clip) {
	s := script.Default()
	f, _ := s.Fixture(1300104)
	for i := range f.Events {
		f.Events[i].Seconds = 4.4 // short films: drawing is slow under the race detector
	}
	e, _ := f.Event("late")
	var out []clip.Clip
	for _, k := range kinds {
		p := script.Post{Kind: k, Take: 1}
		if k == script.Compilation {
			p.With = "lead"
		}
		c := clip.Of(s, f, e, p)
		out = append(append(out, c.Sources()...), c)
	}
	return s, out
}

// TestEveryReuploadCanBeReadAndHeard: its strip is read, however it was edited, and the noise of the crowd lasts as long as its pictures, so
// that what levels loudness has something to level.
func TestEveryReuploadCanBeReadAndHeard(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	readable := []string{script.Master, script.Reencode, script.Small, script.Trimmed, script.Watermarked, script.Cropped,
		script.Mirrored, script.Compilation, script.PhoneFilm, script.Meme, script.NotFootball, script.OldGoal, script.IntroCard}
	_, clips := goal(readable...)
	clips = dedupe(clips)
	require.NoError(t, draw.All(t.Context(), dir, clips, nil))
	loud := map[string]bool{}
	for _, c := range clips {
		path := filepath.Join(dir, c.Name())
		for share, width := range map[float64]int{0.3: 640, 0.5: 320, 0.75: 192} {
			if c.Edit == script.Small {
				width = max(width, 320) // twice scaled below that, a viewer could not read it either
			}
			at := share * c.Seconds
			r, ok := strip.Read(frame(t, path, at, width))
			require.True(t, ok, "%s at %.1f s, %d wide", c.Name(), at, width)
			require.Equal(t, shows(c, at, r), r, "%s at %.1f s", c.Name(), at)
		}
		loud[level(t, path, c.Seconds)] = true
	}
	require.Greater(t, len(loud), 1, "one is louder than another")
}

// level is the mean loudness of a clip, whose sound must last as long as its pictures.
func level(t *testing.T, path string, seconds float64) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,duration", "-of", "csv=p=0", path).Output()
	require.NoError(t, err)
	var video, audio float64
	_, err = fmt.Sscanf(string(out), "h264,%f\naac,%f", &video, &audio)
	require.NoError(t, err, "%s: %s", path, out)
	require.InDelta(t, seconds, video, 0.1, path)
	require.InDelta(t, video, audio, 0.1, path)
	said, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "info", "-nostdin", "-i", path, "-vn", "-af", "volumedetect", "-f", "null", "-").CombinedOutput()
	require.NoError(t, err)
	_, level, found := strings.Cut(string(said), "mean_volume: ")
	require.True(t, found, "%s", said)
	level, _, _ = strings.Cut(level, " dB")
	return level
}

// shows is what the clip shows at a moment; at a change of second or scene, got's side of it is taken.
func shows(c clip.Clip, at float64, got strip.Reading) strip.Reading {
	for _, near := range []float64{-0.1, 0.1} {
		if r := showsAt(c, at+near); r == got {
			return r
		}
	}
	return showsAt(c, at)
}

func showsAt(c clip.Clip, at float64) strip.Reading {
	s := c.Scenes[0]
	switch c.Edit {
	case script.Trimmed:
		at += clip.TrimHead
	case script.IntroCard:
		at -= clip.CardSeconds
	case script.Compilation:
		if at > s.Seconds {
			at, s = at-s.Seconds, c.Scenes[1]
		}
	}
	return s.Seen(at)
}

func dedupe(clips []clip.Clip) []clip.Clip {
	seen := map[string]bool{}
	var out []clip.Clip
	for _, c := range clips {
		if !seen[c.Name()] {
			seen[c.Name()] = true
			out = append(out, c)
		}
	}
	return out
}

func TestDrawingTwiceGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	one, two := t.TempDir(), t.TempDir()
	_, clips := goal(script.TwoSecond)
	require.NoError(t, draw.All(t.Context(), one, clips, nil))
	require.NoError(t, draw.All(t.Context(), two, clips, nil))
	for _, c := range clips {
		a, err := os.ReadFile(filepath.Join(one, c.Name()))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(two, c.Name()))
		require.NoError(t, err)
		require.Equal(t, a, b, c.Name())
	}
}

func TestDrawnClipsAreNotDrawnAgain(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	_, clips := goal(script.TwoSecond)
	var totals []int
	count := func(done, total int) { totals = append(totals, total) }
	require.NoError(t, draw.All(t.Context(), dir, clips, count))
	require.Equal(t, []int{2, 2}, totals)
	require.NoError(t, os.Remove(filepath.Join(dir, clips[1].Name())))
	totals = nil
	require.NoError(t, draw.All(t.Context(), dir, clips, count))
	require.Equal(t, []int{1}, totals)
}

func TestAnInterruptedDrawingLeavesNoHalfFile(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, clips := goal(script.Master)
	require.Error(t, draw.All(ctx, dir, clips, nil))
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
