package command_test

import (
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/port/command"
)

// TestServingLogsToStandardOutput: what runs until it is ended prints no answer there, and collectors of logs read it.
func TestServingLogsToStandardOutput(t *testing.T) {
	out := os.Stdout
	t.Cleanup(func() { os.Stdout = out })
	read, write, err := os.Pipe()
	require.NoError(t, err)
	os.Stdout = write
	command.Process{}.Serving().Log.Info("goal", "action", "seen")
	require.NoError(t, write.Close())
	line, err := io.ReadAll(read)
	require.NoError(t, err)
	require.Contains(t, string(line), `"msg":"goal","action":"seen"`)
}
