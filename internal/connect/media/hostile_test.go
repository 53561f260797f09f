package media_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

// walled is a tool whose programs may map no more than so many megabytes, and get so long.
func walled(t *testing.T, megabytes int, patience time.Duration) *media.Tool {
	t.Helper()
	wall := func(prog string) string {
		return script(t, fmt.Sprintf("ulimit -v %d; exec %s \"$@\"", megabytes<<10, prog))
	}
	return media.New(media.Options{FFmpeg: wall("ffmpeg"), FFprobe: wall("ffprobe"), ProbeTimeout: patience, DecodeTimeout: patience})
}

// box finds a box of an MP4 file by its name: where it begins, and its length.
func box(t *testing.T, data []byte, name string) (at, size int) {
	t.Helper()
	at = bytes.Index(data, []byte(name)) - 4
	require.Positive(t, at, "no %s box", name)
	return at, int(binary.BigEndian.Uint32(data[at:]))
}

// copies gives an MP4 file whose moov box comes last so many more video tracks.
func copies(t *testing.T, data []byte, n int) []byte {
	t.Helper()
	moov, size := box(t, data, "moov")
	require.Equal(t, len(data), moov+size, "moov must come last: offsets into the media stay right")
	track, length := box(t, data, "trak")
	out := append([]byte(nil), data...)
	out = append(out, bytes.Repeat(data[track:track+length], n)...)
	binary.BigEndian.PutUint32(out[moov:], uint32(size+n*length))
	return out
}

// tenHours makes an MP4 file say that it is ten hours long: in its headers alone, or in the table of its pictures too.
func tenHours(t *testing.T, data []byte, table bool) []byte {
	t.Helper()
	out := append([]byte(nil), data...)
	var scale uint32
	for _, name := range []string{"mvhd", "mdhd"} {
		at, _ := box(t, out, name)
		scale = binary.BigEndian.Uint32(out[at+20:])
		binary.BigEndian.PutUint32(out[at+24:], scale*36000)
	}
	if table {
		at, _ := box(t, out, "stts")
		require.Equal(t, uint32(1), binary.BigEndian.Uint32(out[at+12:]), "all pictures last equally long")
		binary.BigEndian.PutUint32(out[at+20:], scale*36000/binary.BigEndian.Uint32(out[at+16:]))
	}
	return out
}

// TestHostileFilesEndInATypedRejection: within seconds and a fixed amount of memory, whatever the file says of itself.
func TestHostileFilesEndInATypedRejection(t *testing.T) {
	t.Parallel()
	plain := devtest.Draw(t, "plain.mp4", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	data, err := os.ReadFile(plain)
	require.NoError(t, err)
	picture := devtest.Draw(t, "picture.png", "-f", "lavfi", "-i", "color=s=64x64:d=0.04", "-frames:v", "1")
	image, err := os.ReadFile(picture)
	require.NoError(t, err)
	noise := bytes.Repeat([]byte{0x47, 0x11, 0x93, 0xfe, 0x00, 0x21}, 40000)
	for name, tc := range map[string]struct {
		file  string
		wants []footy.Reason
	}{
		"nothing in it":             {write(t, "a.mp4", nil), []footy.Reason{footy.ReasonTruncated}},
		"one byte":                  {write(t, "b.mp4", []byte{0}), []footy.Reason{footy.ReasonUnreadable, footy.ReasonTruncated}},
		"noise":                     {write(t, "c.mp4", noise), []footy.Reason{footy.ReasonUnreadable, footy.ReasonNoVideo}},
		"the first half":            {write(t, "d.mp4", data[:len(data)/2]), []footy.Reason{footy.ReasonTruncated, footy.ReasonUnreadable}},
		"a picture called a video":  {write(t, "e.mp4", image), []footy.Reason{footy.ReasonUnreadable, footy.ReasonNoVideo}},
		"a program called a video":  {write(t, "f.mp4", []byte("\x7fELF\x02\x01\x01\x00 and so on")), []footy.Reason{footy.ReasonUnreadable}},
		"thousands of streams":      {write(t, "g.mp4", copies(t, data, 4000)), []footy.Reason{footy.ReasonTooLarge}},
		"a picture of 72 megapixel": {devtest.Draw(t, "bomb.mkv", "-f", "lavfi", "-i", "color=s=9000x8000:d=0.04,format=gray", "-frames:v", "1", "-c:v", "png"), []footy.Reason{footy.ReasonTooLarge, footy.ReasonUnreadable}},
		"a playlist called a video": {write(t, "h.mp4", []byte("#EXTM3U\n#EXTINF:5,\nhttp://127.0.0.1/x.ts\n")), []footy.Reason{footy.ReasonUnreadable}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tool := walled(t, 2048, time.Minute)
			p, err := tool.Probe(t.Context(), tc.file)
			if err == nil {
				_, err = tool.Decode(t.Context(), tc.file, p, media.Wants{})
			}
			require.Contains(t, tc.wants, reason(t, err), "%v", err)
			require.LessOrEqual(t, len(err.Error()), 600, "a file cannot fill the log")
		})
	}
}

func TestAPictureIsCalledAPicture(t *testing.T) {
	t.Parallel()
	one := devtest.Draw(t, "one.mp4", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.04", "-frames:v", "1", "-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	_, err := decode(t, setup(), one, media.Wants{SamplesOnly: true})
	require.Equal(t, footy.ReasonTooShort, reason(t, err), "%v", err)
	require.ErrorContains(t, err, "nothing moves in so little")

	image, err := os.ReadFile(devtest.Draw(t, "still.png", "-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.04", "-frames:v", "1"))
	require.NoError(t, err)
	_, err = setup().Probe(t.Context(), write(t, "still.mp4", image))
	require.Equal(t, footy.ReasonUnreadable, reason(t, err))
	require.ErrorContains(t, err, "a picture")
}

func TestAHeaderOfTenHoursCostsNoHours(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(devtest.Draw(t, "long.mp4", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-use_editlist", "0"))
	require.NoError(t, err)
	tool := walled(t, 2048, time.Minute)
	for name, table := range map[string]bool{"the headers alone": false, "the table of pictures too": true} {
		file := write(t, "long.mp4", tenHours(t, data, table))
		p, err := tool.Probe(t.Context(), file)
		require.NoError(t, err, name)
		d, err := tool.Decode(t.Context(), file, p, media.Wants{})
		require.NoError(t, err, name)
		if table {
			require.Greater(t, d.Length, 80.0, "the gate refuses it for its length")
		} else {
			require.InDelta(t, 4, p.Duration, 0.1, "what is in the file counts")
			require.InDelta(t, 4, d.Length, 0.1, "what is in the file counts")
		}
		require.LessOrEqual(t, len(d.Samples.Pix), int(92/footy.SampleInterval), "a minute and a half at most")
	}
}

func TestAWrongExtensionDoesNotMatter(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(devtest.Draw(t, "film.webm", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=3", "-c:v", "libvpx", "-deadline", "realtime"))
	require.NoError(t, err)
	for _, name := range []string{"film.mp4", "film.txt", "film"} {
		d, err := decode(t, setup(), write(t, name, data), media.Wants{})
		require.NoError(t, err, name)
		require.InDelta(t, 3/footy.SampleInterval, len(d.Samples.Pix), 0, name)
	}
}

// TestMemoryDoesNotGrowWithThePicture runs alone: what all goroutines allocate is counted.
//
//nolint:paralleltest // see above
func TestMemoryDoesNotGrowWithThePicture(t *testing.T) {
	cost := func(size string) uint64 {
		file := devtest.Draw(t, "long.mp4", "-f", "lavfi", "-i", "testsrc2=s="+size+":r=1:d=20", "-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p")
		tool := walled(t, 1536, 3*time.Minute)
		p, err := tool.Probe(t.Context(), file)
		require.NoError(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d, err := tool.Decode(t.Context(), file, p, media.Wants{})
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.InDelta(t, 20/footy.SampleInterval, len(d.Samples.Pix), 16)
		require.Len(t, d.Frames, 5)
		return after.TotalAlloc - before.TotalAlloc
	}
	small, large := cost("1920x1080"), cost("3840x2160")
	require.Less(t, large, small*5/4, "four times the pixels: frames end at 1080 lines")
	require.Less(t, large, uint64(32<<20))
}

// TestCancellingEndsTheRealDecoder: ffmpeg is in the middle of a file when its caller gives up.
func TestCancellingEndsTheRealDecoder(t *testing.T) {
	t.Parallel()
	file := devtest.Draw(t, "busy.mp4", "-stream_loop", "19", "-i", moving(t, 1, "1280x720"), "-c", "copy")
	pid := filepath.Join(t.TempDir(), "pid")
	tool := media.New(media.Options{FFmpeg: script(t, fmt.Sprintf("echo $$ >%s; exec ffmpeg \"$@\"", pid))})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for begun := false; !begun && t.Context().Err() == nil; { // cut off as soon as it runs
			<-time.After(time.Millisecond)
			data, _ := os.ReadFile(pid)
			begun = len(data) > 0
		}
	}()
	_, err := tool.Decode(ctx, file, footy.Probe{Duration: 20}, media.Wants{})
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	data, err := os.ReadFile(pid)
	require.NoError(t, err)
	var n int
	_, err = fmt.Sscan(string(data), &n)
	require.NoError(t, err)
	require.True(t, gone(n), "ffmpeg is dead when Decode returns")
}
