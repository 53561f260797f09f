package media_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

// draw makes a small video with ffmpeg; args come before the output file.
func draw(t *testing.T, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed here")
	}
	out := filepath.Join(t.TempDir(), name)
	cmd := exec.CommandContext(t.Context(), "ffmpeg", append(append([]string{"-v", "error", "-nostdin", "-y"}, args...), out)...)
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	return out
}

const x264 = "libx264"

// moving is a test picture of some seconds.
func moving(t *testing.T, seconds float64, size string) string {
	t.Helper()
	return draw(t, "moving.mp4", "-f", "lavfi", "-i", fmt.Sprintf("testsrc2=s=%s:r=25:d=%g", size, seconds),
		"-c:v", x264, "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
}

func reason(t *testing.T, err error) footy.Reason {
	t.Helper()
	var e *footy.Error
	require.ErrorAs(t, err, &e, "%v", err)
	require.Equal(t, footy.CodeRejected, e.Code, "%v", err)
	return e.Reason
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

// script is a program that stands in for ffmpeg, one that knows nothing of processors.
func script(t *testing.T, body string) string {
	t.Helper()
	return devtest.Script(t, "program", "[ \"$3\" != -version ] || exit 1\n"+body)
}

// setup is one tool for all tests: as in a process of a worker, what the programs can do is tried once.
var setup = sync.OnceValue(func() *media.Tool { return media.New(media.Options{}) })

func always() (bool, error) { return true, nil }
