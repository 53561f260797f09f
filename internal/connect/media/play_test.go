package media_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

// film draws six seconds of picture and sound, coded as args say.
func film(t *testing.T, name string, args ...string) string {
	t.Helper()
	return devtest.Draw(t, name, append([]string{"-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=6", "-f", "lavfi", "-i", "sine=d=6"}, args...)...)
}

func h264(sound string, more ...string) []string {
	return append([]string{"-c:v", x264, "-preset", "ultrafast", "-bf", "2", "-g", "25", "-pix_fmt", "yuv420p", "-c:a", sound}, more...)
}

func vp8(more ...string) []string {
	return append([]string{"-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"}, more...)
}

// patched writes a copy in which the bytes behind the first mark, skip bytes on, are others.
func patched(t *testing.T, file, name, mark string, skip int, with []byte) string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	at := bytesIndex(t, data, mark) + skip
	copy(data[at:], with)
	return write(t, name, data)
}

func bytesIndex(t *testing.T, data []byte, mark string) int {
	t.Helper()
	for i := range len(data) - len(mark) {
		if string(data[i:i+len(mark)]) == mark {
			return i
		}
	}
	t.Fatalf("no %q", mark)
	return 0
}

// damaged is a copy of a file in which every so many packets of its video or sound are not what was coded.
func damaged(t *testing.T, file, stream string, every int) string {
	t.Helper()
	said, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", "packet=pos,size", "-of", "csv=p=0", file).Output()
	require.NoError(t, err)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for i, line := range strings.Fields(string(said)) {
		var size, at int
		_, err := fmt.Sscanf(strings.TrimSuffix(line, ","), "%d,%d", &size, &at)
		require.NoError(t, err)
		for k := at + size/3; i%every == every-1 && k < at+size*2/3; k++ {
			data[k] ^= 0x5a
		}
	}
	return write(t, "damaged-"+filepath.Base(file), data)
}

// cut is the first part of a file.
func cut(t *testing.T, file string, part float64) string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return write(t, "cut-"+filepath.Base(file), data[:int(part*float64(len(data)))])
}

// words are subtitles of four minutes.
func words(t *testing.T) string {
	t.Helper()
	return write(t, "words.srt", []byte("1\n00:00:01,000 --> 00:04:00,000\nGoal\n"))
}

// lasts is how long a file says that it is, with all that is in it.
func lasts(t *testing.T, file string) (seconds float64) {
	t.Helper()
	said, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", file).Output()
	require.NoError(t, err)
	_, err = fmt.Sscan(string(said), &seconds)
	require.NoError(t, err)
	return seconds
}

func float(f float64) []byte { return binary.BigEndian.AppendUint64(nil, math.Float64bits(f)) }

// TestTheDecodeSaysHowLongAVideoIs: whatever the header says, of the file or of what lies beside the video.
func TestTheDecodeSaysHowLongAVideoIs(t *testing.T) {
	t.Parallel()
	fragments := film(t, "f.mp4", h264("aac", "-movflags", "frag_keyframe+empty_moov+default_base_moof")...)
	mkv, flv, avi, ts := film(t, "f.mkv", h264("aac")...), film(t, "f.flv", h264("aac")...), film(t, "f.avi", h264("mp3")...), film(t, "f.ts", h264("aac")...)
	twice, err := os.ReadFile(ts)
	require.NoError(t, err)
	late := devtest.Draw(t, "late.mp4", "-itsoffset", "10", "-i", moving(t, 6, "320x180"), "-f", "lavfi", "-i", "sine=d=16", "-map", "0:v", "-map", "1:a", "-c:v", "copy")
	cover := devtest.Draw(t, "cover.png", "-f", "lavfi", "-i", "color=s=300x300:d=0.04", "-frames:v", "1")
	for name, tc := range map[string]struct {
		file string
		want float64
	}{
		"fragments, all ones":          {patched(t, fragments, "a.mp4", "mdhd", 20, []byte{255, 255, 255, 255}), 6},
		"fragments of an hour":         {patched(t, fragments, "b.mp4", "mdhd", 20, []byte{3, 0, 0, 0}), 6},
		"a movie of none":              {patched(t, moving(t, 6, "320x180"), "c.mp4", "mdhd", 20, []byte{0, 0, 0, 0}), 6},
		"Matroska of an hour":          {patched(t, mkv, "d.mkv", "\x44\x89\x88", 3, float(3600000)), 6},
		"Matroska of a tenth":          {patched(t, mkv, "e.mkv", "\x44\x89\x88", 3, float(100)), 6},
		"Matroska of less than none":   {patched(t, mkv, "f.mkv", "\x44\x89\x88", 3, float(-5)), 6},
		"a browser's, without any":     {film(t, "live.webm", vp8("-live", "1")...), 6},
		"FLV of an hour":               {patched(t, flv, "g.flv", "duration", 9, float(3600)), 6},
		"FLV of a tenth":               {patched(t, flv, "h.flv", "duration", 9, float(0.1)), 6},
		"AVI of an hour":               {patched(t, avi, "i.avi", "strh", 40, []byte{0x90, 0x5f, 1, 0}), 6},
		"AVI of three pictures":        {patched(t, avi, "j.avi", "strh", 40, []byte{3, 0, 0, 0}), 6},
		"a transport stream twice":     {write(t, "k.ts", append(twice, twice...)), 12},
		"sound goes on":                {devtest.Draw(t, "l.mkv", "-i", mkv, "-f", "lavfi", "-i", "sine=d=100", "-map", "0:v", "-map", "1:a", "-c:v", "copy"), 6},
		"subtitles go on":              {devtest.Draw(t, "m.mkv", "-i", mkv, "-i", words(t), "-map", "0", "-map", "1", "-c", "copy"), 6},
		"begins ten seconds late":      {late, 6},
		"begins late in a stream":      {devtest.Draw(t, "n.ts", "-i", late, "-c", "copy"), 6},
		"cut out by an edit list":      {devtest.Draw(t, "o.mp4", "-ss", "1.5", "-i", moving(t, 6, "320x180"), "-t", "4", "-c", "copy"), 4},
		"without times":                {film(t, "p.h264", h264("aac", "-map", "0:v")...), 6},
		"a picture stands first":       {devtest.Draw(t, "q.mkv", "-i", cover, "-i", mkv, "-map", "0", "-map", "1", "-c", "copy", "-c:v:0", "mjpeg"), 6},
		"a short track stands first":   {devtest.Draw(t, "t.mkv", "-i", moving(t, 2, "320x180"), "-i", mkv, "-map", "0", "-map", "1", "-c", "copy"), 6},
		"pictures now and then":        {devtest.Draw(t, "r.mp4", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=6", "-vf", "select='not(mod(n,9))'", "-vsync", "2", "-c:v", x264), 6},
		"longer than is looked at":     {film(t, "s.mp4", "-vf", "setpts=20*PTS,fps=5", "-an", "-c:v", x264), 120},
		"a stream longer than is told": {film(t, "s.webm", vp8("-vf", "setpts=20*PTS,fps=5", "-an", "-live", "1")...), 90},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := decode(t, setup(), tc.file, media.Wants{})
			require.NoError(t, err)
			require.InDelta(t, tc.want, d.Length, 0.45)
			require.Len(t, d.Frames, 5)
		})
	}
}

// TestTheBitRateIsThatOfThePictures: whatever the header says of the length.
func TestTheBitRateIsThatOfThePictures(t *testing.T) {
	t.Parallel()
	mkv, mp4 := film(t, "f.mkv", h264("aac")...), moving(t, 6, "320x180")
	for of, lying := range map[string][]string{
		mkv: {patched(t, mkv, "a.mkv", "\x44\x89\x88", 3, float(3600000)), patched(t, mkv, "b.mkv", "\x44\x89\x88", 3, float(100))},
		mp4: {patched(t, mp4, "a.mp4", "mdhd", 20, []byte{3, 0, 0, 0}), patched(t, mp4, "b.mp4", "mdhd", 20, []byte{0, 0, 3, 0})},
	} {
		right, err := setup().Probe(t.Context(), of)
		require.NoError(t, err)
		require.InEpsilon(t, 8*size(t, of)/6, float64(right.Bitrate), 0.25)
		for _, file := range lying {
			p, err := setup().Probe(t.Context(), file)
			require.NoError(t, err)
			require.Equal(t, right.Bitrate, p.Bitrate, file)
		}
	}
}

func size(t *testing.T, file string) float64 {
	t.Helper()
	info, err := os.Stat(file)
	require.NoError(t, err)
	return float64(info.Size())
}

// TestWhatIsShownPlays: in a file that browsers know, and its pictures are the same where they can be.
func TestWhatIsShownPlays(t *testing.T) {
	t.Parallel()
	tagged := "h264_metadata=matrix_coefficients=14"
	whole := film(t, "whole.mp4", h264("aac", "-movflags", "+faststart")...)
	for name, tc := range map[string]struct {
		file          string
		same, untouch bool // the pictures; the file
		kind          string
	}{
		"MP4":                  {whole, true, true, ".mp4"},
		"WebM":                 {film(t, "a.webm", vp8()...), true, true, ".webm"},
		"a browser's WebM":     {film(t, "b.webm", vp8("-live", "1")...), true, false, ".webm"},
		"MPEG-TS":              {film(t, "a.ts", h264("aac")...), true, false, ".mp4"},
		"FLV":                  {film(t, "a.flv", h264("aac")...), true, false, ".mp4"},
		"Matroska":             {film(t, "a.mkv", h264("aac")...), true, false, ".mp4"},
		"QuickTime":            {film(t, "a.mov", h264("pcm_s16le")...), true, false, ".mp4"},
		"Dolby":                {film(t, "b.mp4", h264("ac3")...), true, false, ".mp4"},
		"AVI, without times":   {film(t, "a.avi", h264("mp3")...), false, false, ".mp4"},
		"MPEG-4 part 2":        {film(t, "b.avi", "-c:v", "mpeg4", "-c:a", "mp3"), false, false, ".mp4"},
		"Windows Media":        {film(t, "a.wmv", "-c:v", "wmv2", "-c:a", "wmav2"), false, false, ".mp4"},
		"ten bits":             {film(t, "c.mp4", h264("aac", "-pix_fmt", "yuv420p10le")...), false, false, ".mp4"},
		"every colour":         {film(t, "d.mp4", h264("aac", "-pix_fmt", "yuv444p")...), false, false, ".mp4"},
		"odd colour tags, MKV": {film(t, "e.mkv", h264("aac", "-bsf:v", tagged)...), true, false, ".mp4"},
		"HEVC":                 {film(t, "f.mp4", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p", "-c:a", "aac"), false, false, ".mp4"},
		"a damaged picture":    {damaged(t, whole, "v", 12), false, false, ".mp4"},
		"damaged sound":        {damaged(t, whole, "a", 12), true, false, ".mp4"},
		"a lost end":           {cut(t, whole, 0.97), false, false, ".mp4"},
		"a damaged stream":     {damaged(t, film(t, "b.ts", h264("aac")...), "v", 12), false, false, ".mp4"},
		"sound goes on":        {devtest.Draw(t, "j.mp4", "-i", whole, "-f", "lavfi", "-i", "sine=d=100", "-map", "0:v", "-map", "1:a", "-c:v", "copy"), true, false, ".mp4"},
		"sound goes on, WebM":  {devtest.Draw(t, "d.webm", "-i", film(t, "e.webm", vp8()...), "-f", "lavfi", "-i", "sine=d=30", "-map", "0:v", "-map", "1:a", "-c:v", "copy"), true, false, ".webm"},
		"sound goes first":     {devtest.Draw(t, "k.mp4", "-itsoffset", "5", "-i", whole, "-f", "lavfi", "-i", "sine=d=11", "-map", "0:v", "-map", "1:a", "-c:v", "copy"), true, false, ".mp4"},
		"a short track first":  {devtest.Draw(t, "m.mp4", "-i", moving(t, 2, "320x180"), "-i", whole, "-map", "0", "-map", "1", "-c", "copy"), true, false, ".mp4"},
		"subtitles go on":      {devtest.Draw(t, "l.mp4", "-i", whole, "-i", words(t), "-map", "0", "-map", "1", "-c", "copy", "-c:s", "mov_text"), true, false, ".mp4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tool := setup()
			p, err := tool.Probe(t.Context(), tc.file)
			require.NoError(t, err)
			before, err := tool.Decode(t.Context(), tc.file, p, media.Wants{SamplesOnly: true})
			require.NoError(t, err)
			p = before.Of(p)
			f, err := tool.Film(t.Context(), tc.file, p, always)
			require.NoError(t, err)
			defer f.Remove()
			require.False(t, f.Unplayed)
			require.Equal(t, tc.kind, f.Kind)
			require.Equal(t, tc.untouch, f.Path == tc.file)
			shown, err := tool.Probe(t.Context(), f.Path)
			require.NoError(t, err)
			after, err := tool.Decode(t.Context(), f.Path, shown, media.Wants{SamplesOnly: true})
			require.NoError(t, err)
			require.InDelta(t, len(before.Samples.Pix), len(after.Samples.Pix), 1)
			require.Equal(t, "as it is", tool.Shows(t.Context(), f.Path, after.Of(shown)))
			require.InDelta(t, p.Duration, lasts(t, f.Path), 0.5, "what a player shows")
			if tc.same {
				require.Equal(t, before.Samples.Pix[:80], after.Samples.Pix[:80])
			}
		})
	}
}

// TestARepeatedActivityWritesTheSameKey: whether its pictures are copied or coded.
func TestARepeatedActivityWritesTheSameKey(t *testing.T) {
	t.Parallel()
	tool := setup()
	for _, file := range []string{film(t, "copied.ts", h264("aac")...), film(t, "coded.avi", "-c:v", "mpeg4", "-c:a", "mp3")} {
		p, err := tool.Probe(t.Context(), file)
		require.NoError(t, err)
		digests := map[string]bool{}
		for range 2 {
			f, err := tool.Film(t.Context(), file, p, always)
			require.NoError(t, err)
			t.Cleanup(f.Remove)
			require.False(t, f.Unplayed)
			digests[f.Digest] = true
		}
		require.Len(t, digests, 1)
	}
}

func TestWhatCannotBeCodedInTimeIsShownAsItIs(t *testing.T) {
	t.Parallel()
	file := film(t, "a.avi", "-c:v", "mpeg4", "-c:a", "mp3")
	p, err := setup().Probe(t.Context(), file)
	require.NoError(t, err)
	soon, cancel := context.WithTimeout(t.Context(), 10*time.Second) // less than is kept for the caller
	defer cancel()
	f, err := setup().Film(soon, file, p, always)
	require.NoError(t, err)
	require.True(t, f.Unplayed)
	require.Equal(t, file, f.Path)
	lacks := media.New(media.Options{FFmpeg: script(t, `case "$*" in *libx264*) exit 1;; esac; exec ffmpeg "$@"`)})
	f, err = lacks.Film(t.Context(), file, p, always)
	require.NoError(t, err)
	require.True(t, f.Unplayed, "an ffmpeg without the coder")
}

// TestAComplaintIsAFactOnlyWhereTheSamplePasses: an ffmpeg that does not know our options, or lacks memory, says nothing of a file.
func TestAComplaintIsAFactOnlyWhereTheSamplePasses(t *testing.T) {
	t.Parallel()
	good, broken := moving(t, 4, "320x180"), write(t, "a.mp4", []byte("no video at all"))
	for name, tool := range map[string]*media.Tool{
		"an option that it lacks": media.New(media.Options{FFmpeg: script(t, `case "$*" in *filter_complex*) echo "Unrecognized option 'x'." >&2; exit 1;; esac; exec ffmpeg "$@"`)}),
		"a decoder that it lacks": media.New(media.Options{FFmpeg: script(t, `case "$*" in *filter_complex*) echo "Decoder (codec h264) not found" >&2; exit 1;; esac; exec ffmpeg "$@"`)}),
		"a probe that it cannot":  media.New(media.Options{FFprobe: script(t, `case "$*" in *-version*) exit 0;; esac; echo "Failed to set value" >&2; exit 1`)}),
	} {
		for _, file := range []string{good, broken} {
			p, err := tool.Probe(t.Context(), file)
			if err == nil {
				_, err = tool.Decode(t.Context(), file, p, media.Wants{})
			}
			require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%s: %v", name, err)
		}
		require.Error(t, tool.Check(t.Context()), name)
	}
	_, err := setup().Probe(t.Context(), broken)
	require.Equal(t, footy.ReasonUnreadable, reason(t, err))
}

// TestAStallIsAFactOnlyWhereTheSampleIsDecodedInTime: a busy machine says nothing of a file.
func TestAStallIsAFactOnlyWhereTheSampleIsDecodedInTime(t *testing.T) {
	t.Parallel()
	file := write(t, "a.mp4", []byte("x"))
	for name, tc := range map[string]struct {
		stalls   string // which files
		patience time.Duration
		want     footy.Code
	}{
		"one file":  {"*a.mp4*", 10 * time.Second, footy.CodeRejected},
		"all files": {"*mp4*", 100 * time.Millisecond, footy.CodeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := media.Options{ProbeTimeout: tc.patience, DecodeTimeout: tc.patience, MaxDuration: time.Second}
			stalls := func(prog string) string {
				return script(t, fmt.Sprintf(`case "$*" in %s) exec sleep 600;; esac; exec %s "$@"`, tc.stalls, prog))
			}
			probing, decoding := o, o
			probing.FFprobe, decoding.FFmpeg = stalls("ffprobe"), stalls("ffmpeg")
			_, probed := media.New(probing).Probe(t.Context(), file)
			_, decoded := media.New(decoding).Decode(t.Context(), file, footy.Probe{Duration: 5}, media.Wants{})
			for _, err := range []error{probed, decoded} {
				require.Equal(t, tc.want, footy.CodeOf(err), "%v", err)
				if tc.want == footy.CodeRejected {
					require.Equal(t, footy.ReasonStalled, reason(t, err))
				}
			}
		})
	}
}

func TestOddColourTagsAreOverridden(t *testing.T) {
	t.Parallel()
	plain := film(t, "a.mp4", h264("aac")...)
	want, err := decode(t, setup(), plain, media.Wants{SamplesOnly: true})
	require.NoError(t, err)
	for _, matrix := range []int{3, 8, 10, 11, 14} {
		file := devtest.Draw(t, "odd.mp4", "-i", plain, "-c", "copy", "-bsf:v", fmt.Sprintf("h264_metadata=colour_primaries=3:transfer_characteristics=3:matrix_coefficients=%d", matrix))
		got, err := decode(t, setup(), file, media.Wants{SamplesOnly: true})
		require.NoError(t, err, matrix)
		require.Equal(t, want.Samples.Pix, got.Samples.Pix, matrix)
	}
}

func TestWhatIsNoVideoIsCalledByItsName(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic": "a picture",
		"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif": "a picture",
		"GIF89a\x01\x00\x01\x00":                           "a picture",
		"\xff\xd8\xff\xe0\x00\x10JFIF":                     "a picture",
		"\ufeff\n <!DOCTYPE HTML><html>":                   "a page",
		`{"error":"gone"}`:                                 "a page",
	} {
		_, err := setup().Probe(t.Context(), write(t, "clip.mp4", []byte(head)))
		require.Equal(t, footy.ReasonUnreadable, reason(t, err), head)
		require.ErrorContains(t, err, want)
	}
}

// TestAnEncryptedVideoIsCalledSo: its header says all of it, and its pictures cannot be had.
func TestAnEncryptedVideoIsCalledSo(t *testing.T) {
	t.Parallel()
	how := []string{"-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb", "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8"}
	whole := film(t, "a.mp4", h264("aac", how...)...)
	data, err := os.ReadFile(whole)
	require.NoError(t, err)
	fair := strings.Replace(strings.Replace(string(data), "encv", "drmi", 1), "senc", "free", 1)
	for _, file := range []string{whole, film(t, "b.mp4", h264("aac", append(how, "-movflags", "+faststart")...)...),
		write(t, "fair.mp4", []byte(fair))} {
		_, err := setup().Probe(t.Context(), file)
		require.Equal(t, footy.ReasonUnreadable, reason(t, err))
		require.ErrorContains(t, err, "encrypted (DRM)")
	}
}
