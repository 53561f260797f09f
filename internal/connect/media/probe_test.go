package media_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/machine/program"
	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

func TestProbe(t *testing.T) {
	t.Parallel()
	p, err := setup().Probe(t.Context(), moving(t, 4, "320x180"))
	require.NoError(t, err)
	require.Equal(t, 320, p.Width)
	require.Equal(t, 180, p.Height)
	require.InDelta(t, 4, p.Duration, 0.05)
	require.InDelta(t, 25, p.FrameRate, 0.01)
	require.Positive(t, p.Bitrate)
	require.Equal(t, "h264", p.Codec)
}

func TestAnUprightPhoneFilmIsUpright(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(moving(t, 3, "320x180"))
	require.NoError(t, err)
	at := bytes.Index(data, []byte("tkhd")) + 44 // the track's matrix: a quarter turn
	for i, v := range []uint32{0, 1 << 16, 0, -1 << 16 & 0xffffffff, 0, 0, 0, 0, 1 << 30} {
		binary.BigEndian.PutUint32(data[at+4*i:], v)
	}
	turned := write(t, "turned.mp4", data)
	p, err := setup().Probe(t.Context(), turned)
	require.NoError(t, err)
	require.Equal(t, []int{180, 320}, []int{p.Width, p.Height})
}

func TestPicturesOfSquareShapeAreMeasuredAsSeen(t *testing.T) {
	t.Parallel()
	p, err := setup().Probe(t.Context(), devtest.Draw(t, "wide.mp4", "-f", "lavfi", "-i", "testsrc2=s=240x180:r=25:d=3", "-vf", "setsar=4/3", "-c:v", x264, "-pix_fmt", "yuv420p"))
	require.NoError(t, err)
	require.InDelta(t, 16.0/9, p.Aspect(), 0.01)
}

func TestFilesThatAreNoVideoAreRejectedWithTheirReason(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile(moving(t, 4, "320x180"))
	require.NoError(t, err)
	sound := devtest.Draw(t, "sound.mp4", "-f", "lavfi", "-i", "sine=d=3", "-c:a", "aac")
	many := []string{"-f", "lavfi", "-i", "testsrc2=s=32x32:r=5:d=1", "-c:v", "mpeg4"}
	for range 80 {
		many = append(many, "-map", "0:v")
	}
	for name, tc := range map[string]struct {
		file string
		want footy.Reason
	}{
		"empty":             {write(t, "a.mp4", nil), footy.ReasonTruncated},
		"text":              {write(t, "b.mp4", []byte(strings.Repeat("goal! ", 500))), footy.ReasonUnreadable},
		"a page of HTML":    {write(t, "c.mp4", []byte("<html><body>not found</body></html>")), footy.ReasonUnreadable},
		"only the head":     {write(t, "d.mp4", good[:30]), footy.ReasonTruncated},
		"sound only":        {sound, footy.ReasonNoVideo},
		"a playlist":        {write(t, "e.mp4", []byte("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile:///etc/passwd\n")), footy.ReasonUnreadable},
		"a list of files":   {write(t, "f.mp4", []byte("ffconcat version 1.0\nfile /etc/passwd\n")), footy.ReasonUnreadable},
		"scores of streams": {devtest.Draw(t, "many.mkv", many...), footy.ReasonTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := setup().Probe(t.Context(), tc.file)
			require.Equal(t, tc.want, reason(t, err), "%v", err)
		})
	}
}

func TestAPictureTooLargeIsRejectedBeforeItIsDecoded(t *testing.T) {
	t.Parallel()
	tool := media.New(media.Options{MaxPixels: 720 * 400})
	_, err := tool.Probe(t.Context(), moving(t, 1, "1280x720"))
	require.Equal(t, footy.ReasonTooLarge, reason(t, err))
}

func TestFailuresThatAreNotTheFilesFaultRejectNothing(t *testing.T) {
	t.Parallel()
	good := moving(t, 3, "320x180")
	_, err := setup().Probe(t.Context(), filepath.Join(t.TempDir(), "missing.mp4"))
	require.Equal(t, footy.CodeNotFound, footy.CodeOf(err))
	_, err = setup().Probe(t.Context(), t.TempDir())
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	_, err = media.New(media.Options{FFprobe: "/no/such/program"}).Probe(t.Context(), good)
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = setup().Probe(gone, good)
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
	require.Error(t, media.New(media.Options{FFprobe: "/no/such/program"}).Check(t.Context()))
	require.NoError(t, setup().Check(t.Context()))
}

func TestTheProgramsAreKeptFromTheNetwork(t *testing.T) {
	t.Parallel()
	require.Equal(t, program.Sealed(), setup().Unsealed(), "where the system can do it")
	if program.Sealed() != nil {
		t.Skip("this system cannot do it")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash to call from")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	calls := fmt.Sprintf("exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/%s || exit 1; ", port)
	good := moving(t, 1, "320x180")
	leaking := media.New(media.Options{FFprobe: script(t, calls+`exec ffprobe "$@"' ffprobe "$@"`)})
	_, err = leaking.Probe(t.Context(), good)
	require.Error(t, err, "a program that a file made call out ends there")
	// Two starts are tried, each of which may take long on a busy machine.
	needing := media.New(media.Options{FFmpeg: script(t, "sleep 3; "+calls+`exec ffmpeg "$@"' ffmpeg "$@"`)})
	require.ErrorContains(t, needing.Unsealed(), "does not start without it")
	require.NoError(t, needing.Check(t.Context()), "one that cannot do without it works as before")
}
