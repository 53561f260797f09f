package media_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

func TestSoundIsAddedToAVideo(t *testing.T) {
	t.Parallel()
	video := moving(t, 2, "64x64")
	audio := devtest.Draw(t, "sound.mp4", "-f", "lavfi", "-i", "sine=d=2", "-c:a", "aac", "-b:a", "64k")
	var files [][]byte
	for _, name := range []string{"one.mp4", "two.mp4"} {
		out := filepath.Join(t.TempDir(), name)
		require.NoError(t, setup().AddSound(t.Context(), video, audio, out))
		streams, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", out).Output()
		require.NoError(t, err)
		require.Equal(t, "h264\naac\n", string(streams))
		data, err := os.ReadFile(out)
		require.NoError(t, err)
		files = append(files, data)
	}
	require.Equal(t, files[0], files[1])

	out := filepath.Join(t.TempDir(), "out.mp4")
	require.Equal(t, footy.ReasonUnreadable, reason(t, setup().AddSound(t.Context(), video, video, out)), "no sound in it")
	require.Equal(t, footy.ReasonUnreadable, reason(t, setup().AddSound(t.Context(), video, write(t, "page.mp4", []byte("<html>")), out)))
}
