package media_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

func decode(t *testing.T, tool *media.Tool, file string, wants media.Wants) (media.Decoded, error) {
	t.Helper()
	p, err := tool.Probe(t.Context(), file)
	require.NoError(t, err)
	return tool.Decode(t.Context(), file, p, wants)
}

func TestOneProcessYieldsEverything(t *testing.T) {
	t.Parallel()
	file := moving(t, 6, "1280x720")
	log := filepath.Join(t.TempDir(), "runs")
	tool := media.New(media.Options{FFmpeg: script(t, fmt.Sprintf("case $* in *-version) ;; *) echo run >>%s ;; esac\nexec ffmpeg \"$@\"", log))})
	p, err := tool.Probe(t.Context(), file)
	require.NoError(t, err)
	d, err := tool.Decode(t.Context(), file, p, media.Wants{})
	require.NoError(t, err)
	runs, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, "run\n", string(runs))

	require.InDelta(t, 6/footy.SampleInterval, len(d.Samples.Pix), 0) // the pictures themselves would fill pages
	require.Len(t, d.Samples.Pix[0], footy.SampleWidth*footy.SampleHeight)
	require.InDelta(t, 6, d.Samples.Duration, 0.01)
	require.Len(t, d.Frames, len(media.Fractions))
	for i, f := range d.Frames {
		require.InDelta(t, media.Fractions[i]*6, f.At, 0.3)
		img, err := jpeg.Decode(bytes.NewReader(f.JPEG))
		require.NoError(t, err)
		require.Equal(t, "1280x720", sizeOf(img))
	}
	poster, err := jpeg.Decode(bytes.NewReader(d.Poster))
	require.NoError(t, err)
	require.Equal(t, "640x360", sizeOf(poster), "pages show many")
}

// Builds for other processors know nothing of gather instructions: they decode all the same, and what comes out is the same, too.
func TestAnFFmpegThatDoesNotKnowTheProcessor(t *testing.T) {
	t.Parallel()
	file := moving(t, 5, "1280x720")
	with, err := decode(t, setup(), file, media.Wants{Clock: true})
	require.NoError(t, err)
	old := media.New(media.Options{FFmpeg: script(t, `for a; do [ "$a" != -cpuflags ] || exit 1; done
exec ffmpeg "$@"`)})
	without, err := decode(t, old, file, media.Wants{Clock: true})
	require.NoError(t, err)
	require.True(t, reflect.DeepEqual(with, without), "not one pixel differs")
}

func sizeOf(img image.Image) string {
	return fmt.Sprintf("%dx%d", img.Bounds().Dx(), img.Bounds().Dy())
}

func TestFramesHaveTheHeightOfTheSourceUpToALimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		size  string
		lines int
		want  string
	}{{"1920x1080", 0, "1920x1080"}, {"3840x2160", 0, "1920x1080"}, {"2560x1080", 0, "2160x910"}, {"1280x720", 540, "960x540"}, {"640x360", 540, "640x360"}, {"608x1080", 540, "304x540"}} {
		t.Run(c.size, func(t *testing.T) {
			t.Parallel()
			d, err := decode(t, media.New(media.Options{FrameLines: c.lines}), moving(t, 0.4, c.size), media.Wants{})
			require.NoError(t, err)
			require.NotEmpty(t, d.Frames)
			img, err := jpeg.Decode(bytes.NewReader(d.Frames[0].JPEG))
			require.NoError(t, err)
			require.Equal(t, c.want, sizeOf(img))
		})
	}
}

func TestThePosterIsNotBlack(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"320x180", "1280x720"} { // one is its own poster, the other has small ones made
		file := devtest.Draw(t, "dark.mp4", "-f", "lavfi", "-i", "testsrc2=s="+size+":r=10:d=8", "-vf", "drawbox=t=fill:color=black:enable='between(t,2.5,5.5)'",
			"-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p")
		d, err := decode(t, setup(), file, media.Wants{})
		require.NoError(t, err)
		require.Len(t, d.Frames, 5)
		require.Zero(t, light(t, d.Frames[2].JPEG), "the middle is black")
		require.InDelta(t, light(t, d.Frames[3].JPEG), light(t, d.Poster), 2, "it shows what the next frame shows")
	}
}

// light is the mean brightness of a picture.
func light(t *testing.T, data []byte) int {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	sum, size := 0, img.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			sum += int(color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y)
		}
	}
	return sum / (size.X * size.Y)
}

func TestSamplesAlone(t *testing.T) {
	t.Parallel()
	d, err := decode(t, setup(), moving(t, 3, "320x180"), media.Wants{SamplesOnly: true})
	require.NoError(t, err)
	require.InDelta(t, 3/footy.SampleInterval, len(d.Samples.Pix), 0)
	require.Empty(t, d.Frames)
	require.Nil(t, d.Poster)
}

func TestTinyVideosHaveFewerFrames(t *testing.T) {
	t.Parallel()
	d, err := decode(t, setup(), moving(t, 0.5, "64x64"), media.Wants{})
	require.NoError(t, err)
	require.NotEmpty(t, d.Frames)
	require.LessOrEqual(t, len(d.Frames), 2)
	require.NotEmpty(t, d.Poster)
}

func TestAHeaderThatLiesAboutTheDuration(t *testing.T) {
	t.Parallel()
	file := moving(t, 8, "320x180")
	p, err := setup().Probe(t.Context(), file)
	require.NoError(t, err)

	p.Duration = 10 * 60 * 60
	_, err = setup().Decode(t.Context(), file, p, media.Wants{})
	require.Equal(t, footy.ReasonTruncated, reason(t, err))

	p.Duration = 2 // it goes on longer than it says: frames come from all of what there is
	d, err := setup().Decode(t.Context(), file, p, media.Wants{})
	require.NoError(t, err)
	require.InDelta(t, 8/footy.SampleInterval, len(d.Samples.Pix), 0)
	require.Greater(t, d.Frames[len(d.Frames)-1].At, 3.0)
}

func TestTenHoursBetweenTwoPicturesAreNotFilled(t *testing.T) {
	t.Parallel()
	file := devtest.Draw(t, "gap.mkv", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=1:d=2", "-vf", "setpts=N*36000/TB", "-fps_mode", "passthrough", "-c:v", x264)
	// Half a second of processor time is enough; filled, the gap took half a minute of it behind outputs that had long ended.
	tool := media.New(media.Options{FFmpeg: script(t, `ulimit -t 10; exec ffmpeg "$@"`)})
	p, err := tool.Probe(t.Context(), file)
	require.NoError(t, err)
	for _, wants := range []media.Wants{{}, {SamplesOnly: true}, {Clock: true}} {
		d, err := tool.Decode(t.Context(), file, p, wants)
		require.NoError(t, err)
		require.InDelta(t, 90/footy.SampleInterval, len(d.Samples.Pix), 1)
	}
}

func TestATruncatedFileIsRejected(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(moving(t, 8, "320x180"))
	require.NoError(t, err)
	tool := setup()
	file := write(t, "half.mp4", data[:len(data)/2])
	p, err := tool.Probe(t.Context(), file)
	require.NoError(t, err, "the header is whole")
	_, err = tool.Decode(t.Context(), file, p, media.Wants{})
	require.Equal(t, footy.ReasonTruncated, reason(t, err))
}

func TestCancellingKillsTheProgramAndItsChildren(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pids")
	tool := media.New(media.Options{FFmpeg: script(t, fmt.Sprintf("sleep 600 & echo $! >%s.tmp; mv %s.tmp %s; wait", pids, pids, pids))})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	file := write(t, "a.mp4", []byte("x"))
	go func() {
		_, err := tool.Decode(ctx, file, footy.Probe{Duration: 5}, media.Wants{})
		done <- err
	}()
	var child int
	require.Eventually(t, func() bool {
		data, err := os.ReadFile(pids)
		if err != nil {
			return false
		}
		_, err = fmt.Sscan(strings.TrimSpace(string(data)), &child)
		return err == nil
	}, time.Minute, 5*time.Millisecond)
	cancel()
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(<-done))
	require.Eventually(t, func() bool { return gone(child) }, time.Minute, 5*time.Millisecond)
}

// gone reports whether a process has ended; one that nobody waited for yet has ended too.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestAnEndlessStreamOfSamplesIsCutOff(t *testing.T) {
	t.Parallel()
	tool := media.New(media.Options{FFmpeg: script(t, "exec cat /dev/zero"), MaxDuration: 5 * time.Second})
	_, err := tool.Decode(t.Context(), write(t, "a.mp4", []byte("x")), footy.Probe{Duration: 5}, media.Wants{})
	require.Equal(t, footy.ReasonTooLong, reason(t, err))
}
