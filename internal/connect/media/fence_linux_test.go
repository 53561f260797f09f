package media_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

// TestEightKIsRefused: by what it says, by what its decoder finds where it lies, and by the limit of memory where both are let pass.
func TestEightKIsRefused(t *testing.T) {
	t.Parallel()
	honest := devtest.Draw(t, "8k.mp4", "-f", "lavfi", "-i", "color=s=7680x4320:r=2:d=1", "-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-use_editlist", "0")
	_, err := setup().Probe(t.Context(), honest)
	require.Equal(t, footy.ReasonTooLarge, reason(t, err), "%v", err)

	data, err := os.ReadFile(honest)
	require.NoError(t, err)
	at := bytes.Index(data, []byte("avc1\x00\x00\x00\x00\x00\x00")) + 4
	require.Greater(t, at, 4)
	require.Equal(t, uint16(7680), binary.BigEndian.Uint16(data[at+24:]))
	binary.BigEndian.PutUint16(data[at+24:], 640)
	binary.BigEndian.PutUint16(data[at+26:], 360)
	lie := write(t, "lie.mp4", data)
	p, err := setup().Probe(t.Context(), lie)
	if err == nil { // believed for now; the decoder is not fooled
		_, err = setup().Decode(t.Context(), lie, p, media.Wants{SamplesOnly: true})
	}
	refused := []footy.Reason{footy.ReasonTooLarge, footy.ReasonUnreadable} // ffmpeg has many words for no memory
	require.Contains(t, refused, reason(t, err), "%v", err)

	blind := media.Options{MaxPixels: 8192 * 4320, MaxAlloc: 1 << 30, Memory: 300 << 20}
	_, err = media.New(blind).Decode(t.Context(), honest, footy.Probe{Duration: 1}, media.Wants{SamplesOnly: true})
	require.Contains(t, refused, reason(t, err), "%v", err)
	blind.Memory = 4 << 30
	_, err = media.New(blind).Decode(t.Context(), honest, footy.Probe{Duration: 1}, media.Wants{SamplesOnly: true})
	require.NoError(t, err, "it was the limit")
}

func TestFourKFitsUprightToo(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"4096x2160", "2160x3840"} {
		file := devtest.Draw(t, "4k.mp4", "-f", "lavfi", "-i", "color=s="+size+":r=2:d=1", "-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p")
		d, err := decode(t, setup(), file, media.Wants{Clock: true})
		require.NoError(t, err, size)
		require.NotEmpty(t, d.Frames)
	}
}

func TestAProgramHasItsLimits(t *testing.T) {
	t.Parallel()
	said := filepath.Join(t.TempDir(), "limits")
	tool := media.New(media.Options{FFmpeg: script(t, "while ! grep -q 'open files  *64 ' /proc/$$/limits; do :; done; cat /proc/$$/limits >"+said+"; head -c 2000000 /dev/zero >"+said+".large; exit 1")})
	_, err := tool.Decode(t.Context(), moving(t, 1, "64x64"), footy.Probe{Duration: 1}, media.Wants{})
	require.Error(t, err)
	limits, err := os.ReadFile(said)
	require.NoError(t, err)
	for what, want := range map[string]string{"address space": "2147483648", "cpu time": "190", "file size": "1048576", "core file size": "0"} {
		require.Regexp(t, "(?i)max "+what+` +`+want+` +`+want, string(limits))
	}
	large, err := os.Stat(said + ".large")
	require.NoError(t, err)
	require.LessOrEqual(t, large.Size(), int64(1<<20), "it cannot fill the disk")
}
