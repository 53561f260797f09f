package inspect_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestClipClockAnswersForEachFile(t *testing.T) {
	t.Parallel()
	dir := films(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "zero.mp4"), nil, 0o600))
	for name, want := range map[string]string{
		"a.mp4":      `"abstained":"no_beat"`,
		"junk.mp4":   `"error":"The file cannot be decoded"`,
		"zero.mp4":   `"error":"The file is cut off: the file is empty"`,
		"nofile.mp4": `"error":"there is no such file"`,
	} {
		file := filepath.Join(dir, name)
		answer, err := clips().Clock(t.Context(), file, "")
		require.NoError(t, err, name)
		line, err := json.Marshal(answer)
		require.NoError(t, err)
		require.Equal(t, `{"file":"`+file+`",`+want+`}`, string(line), name)
		require.Contains(t, answer.String(), file, name)
	}
	t.Run("a program that does not start is no fault of the file, and its setting is named", func(t *testing.T) {
		t.Parallel()
		c := clips()
		c.Media = media.New(media.Options{FFmpeg: "/nope"})
		_, err := c.Clock(t.Context(), filepath.Join(dir, "a.mp4"), "")
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
		require.EqualError(t, err, "decode file: unavailable: FFMPEG=/nope cannot be started: no such file or directory")
	})
}

func TestAPhaseOfZeroIsWritten(t *testing.T) {
	t.Parallel()
	line, err := json.Marshal(inspect.ClipClock{File: "a.mp4", RunningClock: &inspect.RunningClock{Readings: []inspect.ClockReading{{At: 0.5, Clock: "66:58"}}, Speed: 1, Confidence: 1}})
	require.NoError(t, err)
	require.JSONEq(t, `{"file": "a.mp4", "readings": [{"at": 0.5, "clock": "66:58"}], "speed": 1, "phase": 0, "confidence": 1}`, string(line))
}
