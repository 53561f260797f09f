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

// look is a frame of a clip, and how wide it is shown.
type look struct {
	at    float64
	width int
}

// watched extracts frames as JPEG, as a product would for its validator, and measures the mean loudness. One ffmpeg does it all: most
// of what this costs is its start.
func watched(t *testing.T, path string, looks ...look) ([]image.Image, string) {
	t.Helper()
	dir, in, out := t.TempDir(), []string{"-v", "info", "-nostdin"}, []string{}
	frame := func(i int) string { return filepath.Join(dir, fmt.Sprint(i)) }
	for i, l := range looks {
		in = append(in, "-threads", "1", "-ss", fmt.Sprint(l.at), "-i", path)
		out = append(out, "-map", fmt.Sprintf("%d:v", i), "-frames:v", "1", "-vf", fmt.Sprintf("scale=%d:-2", l.width), "-q:v", "5", "-f", "mjpeg", frame(i))
	}
	out = append(out, "-map", fmt.Sprintf("%d:a", len(looks)), "-af", "volumedetect", "-f", "null", "-")
	said, err := exec.CommandContext(t.Context(), "ffmpeg", append(append(in, "-i", path), out...)...).CombinedOutput()
	require.NoError(t, err, "%s", said)
	_, level, found := strings.Cut(string(said), "mean_volume: ")
	require.True(t, found, "%s", said)
	level, _, _ = strings.Cut(level, " dB")
	var frames []image.Image
	for i := range looks {
		data, err := os.ReadFile(frame(i))
		require.NoError(t, err)
		img, _, err := image.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		frames = append(frames, img)
	}
	return frames, level
}

// goal is a frozen-clock goal in stoppage time: every field of the strip is in use.
func goal(kinds ...string) (*script.Script, []clip.Clip) {
	s := script.Default()
	f, _ := s.Fixture(1300104)
	for i := range f.Events {
		f.Events[i].Seconds = 3.2 // short films: drawing is slow under the race detector
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
		lasts(t, path, c.Seconds)
		looks := []look{{0.4 * c.Seconds, 640}, {0.5 * c.Seconds, 320}, {0.75 * c.Seconds, 192}}
		if c.Edit == script.Small {
			looks[2].width = 320 // twice scaled below that, a viewer could not read it either
		}
		frames, level := watched(t, path, looks...)
		for i, l := range looks {
			r, ok := strip.Read(frames[i])
			require.True(t, ok, "%s at %.1f s, %d wide", c.Name(), l.at, l.width)
			require.Equal(t, shows(c, l.at, r), r, "%s at %.1f s", c.Name(), l.at)
		}
		loud[level] = true
	}
	require.Greater(t, len(loud), 1, "one is louder than another")
}

// lasts demands that the sound of a clip lasts as long as its pictures.
func lasts(t *testing.T, path string, seconds float64) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,duration", "-of", "csv=p=0", path).Output()
	require.NoError(t, err)
	var video, audio float64
	_, err = fmt.Sscanf(string(out), "h264,%f\naac,%f", &video, &audio)
	require.NoError(t, err, "%s: %s", path, out)
	require.InDelta(t, seconds, video, 0.1, path)
	require.InDelta(t, video, audio, 0.1, path)
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

func TestDrawnClipsAreNotDrawnAgainAndElseGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	one, two := t.TempDir(), t.TempDir()
	_, clips := goal(script.TwoSecond)
	var totals []int
	count := func(done, total int) { totals = append(totals, total) }
	require.NoError(t, draw.All(t.Context(), one, clips, count))
	require.Equal(t, []int{2, 2}, totals)
	require.NoError(t, os.Remove(filepath.Join(one, clips[1].Name())))
	totals = nil
	require.NoError(t, draw.All(t.Context(), one, clips, count))
	require.Equal(t, []int{1}, totals)
	require.NoError(t, draw.All(t.Context(), two, clips, nil))
	for _, c := range clips {
		a, err := os.ReadFile(filepath.Join(one, c.Name()))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(two, c.Name()))
		require.NoError(t, err)
		require.Equal(t, a, b, c.Name())
	}
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
