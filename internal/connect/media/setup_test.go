package media_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

const x264 = "libx264"

// moving is a test picture of some seconds.
func moving(t *testing.T, seconds float64, size string) string {
	t.Helper()
	return devtest.Draw(t, "moving.mp4", "-f", "lavfi", "-i", fmt.Sprintf("testsrc2=s=%s:r=25:d=%g", size, seconds),
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
