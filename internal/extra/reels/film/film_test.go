package film_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/extra/reels/film"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

const x264 = "libx264"

func setup() film.Tool { return film.Tool{Tool: media.New(media.Options{})} }

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clip.mp4")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// reelOf makes the pieces of clips and joins them.
func reelOf(t *testing.T, seconds int, clips ...string) (string, rule.Plan, []byte) {
	t.Helper()
	dir := t.TempDir()
	p := rule.Plan{Title: [2]string{"Goals of the day", "Saturday 14 November 2026"}, Card: 3 * rule.Rate}
	names := []string{"card.nut"}
	piece := func(name, clip string, c film.Cut) int {
		frames, err := setup().Piece(t.Context(), dir, clip, c, name)
		require.NoError(t, err)
		return frames
	}
	require.Equal(t, p.Card, piece(names[0], clips[0], film.Cut{Frames: p.Card, Lines: p.Title, Card: true}))
	for i, clip := range clips {
		lines := [2]string{fmt.Sprintf("M. Ødegaard %d+2'; = # \\ ' : %%{pts} 本田", i), "Šibenik 2–1 Ñublense"}
		names = append(names, fmt.Sprintf("%d.nut", i))
		p.Pieces = append(p.Pieces, rule.Piece{Lines: lines, Frames: piece(names[i+1], clip, film.Cut{Frames: seconds * rule.Rate, Lines: lines})})
	}
	out := filepath.Join(dir, "reel.mp4")
	poster, err := setup().Join(t.Context(), dir, names, p, filepath.Base(out))
	require.NoError(t, err)
	return out, p, poster
}

// ffmpegSays is what ffmpeg reports of a file.
func ffmpegSays(t *testing.T, file string, args ...string) string {
	t.Helper()
	text, err := exec.CommandContext(t.Context(), "ffmpeg", append(append([]string{"-hide_banner", "-nostats", "-nostdin", "-i", file}, args...), "-f", "null", "-")...).CombinedOutput()
	require.NoError(t, err, string(text))
	return string(text)
}

func measured(t *testing.T, text, pattern string) float64 {
	t.Helper()
	all := regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1)
	require.NotEmpty(t, all, "%s in %s", pattern, text)
	v, err := strconv.ParseFloat(all[len(all)-1][1], 64)
	require.NoError(t, err)
	return v
}

// TestAReelIsOneFilmOfUnlikeClips measures the file as a stranger would: with ffprobe and ffmpeg's own meters.
func TestAReelIsOneFilmOfUnlikeClips(t *testing.T) {
	t.Parallel()
	quiet := devtest.Draw(t, "quiet.mp4", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=5", "-f", "lavfi", "-i", "anoisesrc=c=pink:r=44100:a=0.02:d=5:seed=7", "-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac")
	loud := devtest.Draw(t, "loud.mp4", "-f", "lavfi", "-i", "testsrc2=s=480x360:r=50:d=4", "-f", "lavfi", "-i", "anoisesrc=c=white:r=48000:a=0.9:d=4:seed=8", "-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-ac", "1")
	mute := devtest.Draw(t, "mute.mp4", "-f", "lavfi", "-i", "color=black:s=1280x720:r=30:d=1[k];testsrc2=s=1280x720:r=30:d=3[m];[k][m]concat", "-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	out, p, poster := reelOf(t, 3, quiet, loud, mute)
	for _, piece := range p.Pieces {
		require.InDelta(t, 3*rule.Rate, piece.Frames, 2, "as long as was asked for, the dark second left out")
	}

	text, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-show_streams", "-show_chapters", "-show_format", "-count_packets", "-of", "json", out).Output()
	require.NoError(t, err)
	var file struct {
		Streams []struct {
			Codec  string `json:"codec_name"`
			Width  int    `json:"width"`
			Height int    `json:"height"`
			Rate   string `json:"avg_frame_rate"`
			Format string `json:"pix_fmt"`
			Sound  string `json:"sample_rate"`
			Chans  int    `json:"channels"`
			Frames string `json:"nb_read_packets"`
		} `json:"streams"`
		Chapters []struct {
			Start string            `json:"start_time"`
			End   string            `json:"end_time"`
			Tags  map[string]string `json:"tags"`
		} `json:"chapters"`
		Format struct {
			Duration string `json:"duration"`
		} `json:"format"`
	}
	require.NoError(t, json.Unmarshal(text, &file))
	picture, sound := file.Streams[0], file.Streams[1]
	require.Equal(t, "h264 1280x720 30/1 yuv420p", fmt.Sprintf("%s %dx%d %s %s", picture.Codec, picture.Width, picture.Height, picture.Rate, picture.Format))
	require.Equal(t, "aac 48000 2", fmt.Sprintf("%s %s %d", sound.Codec, sound.Sound, sound.Chans))
	require.Equal(t, strconv.Itoa(p.Frames()), picture.Frames)
	length, err := strconv.ParseFloat(file.Format.Duration, 64)
	require.NoError(t, err)
	require.InDelta(t, float64(p.Frames())/rule.Rate, length, 0.1)
	require.Len(t, file.Chapters, 4)
	for i, c := range p.Chapters() {
		start, err := time.ParseDuration(file.Chapters[i].Start + "s")
		require.NoError(t, err)
		require.InDelta(t, c.Start.Seconds(), start.Seconds(), 0.01)
		require.Equal(t, c.Title, file.Chapters[i].Tags["title"])
	}

	require.NotContains(t, ffmpegSays(t, out, "-an", "-vf", "blackdetect=d=0.03:pix_th=0.1"), "black_start", "no black frames")
	whole := ffmpegSays(t, out, "-vn", "-af", "ebur128=peak=true")
	require.InDelta(t, -16, measured(t, whole, `I: +(-[0-9.]+) LUFS`), 1.5, whole)
	require.LessOrEqual(t, measured(t, whole, `Peak: +(-?[0-9.]+) dBFS`), -1.0, whole)
	for i, c := range p.Chapters()[1:3] { // each clip by itself
		one := ffmpegSays(t, out, "-ss", fmt.Sprint(c.Start.Seconds()), "-t", fmt.Sprint((c.End - c.Start).Seconds()), "-vn", "-af", "ebur128=peak=true")
		require.InDelta(t, -16, measured(t, one, `I: +(-[0-9.]+) LUFS`), 1.5, "clip %d: %s", i, one)
	}
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Less(t, bytes.Index(data, []byte("moov")), bytes.Index(data, []byte("mdat")), "it plays before it is loaded")
	require.True(t, bytes.HasPrefix(poster, []byte("\xff\xd8\xff")))
	if dir := os.Getenv("KEEP_REEL"); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "reel.mp4"), data, 0o600))
	}
}

// TestAPieceHasItsSoundToTheEnd: of a title, of a clip whose sound a constant gain levels, and of one with quiet ground and loud whistles, which
// that would clip.
func TestAPieceHasItsSoundToTheEnd(t *testing.T) {
	t.Parallel()
	clip := func(sound string) string {
		return devtest.Draw(t, "clip.mp4", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=5", "-f", "lavfi", "-i", "aevalsrc="+sound+":s=48000:d=5", "-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac")
	}
	even, whistles := clip("0.1*sin(440*2*PI*t)"), clip("sin(440*2*PI*t)*if(lt(mod(t\\,1)\\,0.02)\\,0.7\\,0.005)")
	const frames = 3 * rule.Rate
	for name, c := range map[string]struct {
		clip string
		cut  film.Cut
	}{"title": {even, film.Cut{Frames: frames, Card: true}}, "even": {even, film.Cut{Frames: frames}}, "whistles": {whistles, film.Cut{Frames: frames}}} {
		dir := t.TempDir()
		piece := filepath.Join(dir, "piece.nut")
		n, err := setup().Piece(t.Context(), dir, c.clip, c.cut, "piece.nut")
		require.NoError(t, err, name)
		require.Equal(t, frames, n, name)
		sound, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-i", piece, "-map", "0:a", "-ac", "1", "-f", "s16le", "-").Output()
		require.NoError(t, err, name)
		require.Equal(t, frames*48000/rule.Rate, len(sound)/2, name)
		pictures, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-select_streams", "v", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", piece).Output()
		require.NoError(t, err, name)
		require.Equal(t, fmt.Sprint(frames), strings.TrimSpace(string(pictures)), name)
	}
}

func TestWhatCannotBeAPieceIsRefused(t *testing.T) {
	t.Parallel()
	black := devtest.Draw(t, "black.mp4", "-f", "lavfi", "-i", "color=black:s=320x240:r=25:d=3", "-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	for name, file := range map[string]string{"black": black, "text": write(t, strings.Repeat("no film ", 500)), "a list": write(t, "ffconcat version 1.0\nfile /etc/passwd\n")} {
		_, err := setup().Piece(t.Context(), t.TempDir(), file, film.Cut{Frames: 60}, "piece.nut")
		require.Equal(t, footy.CodeRejected, footy.CodeOf(err), name)
	}
}
