package ready_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/devstack/ready"
)

func TestAnnounceWritesTheSameLineTwice(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state.json")
	var out bytes.Buffer
	require.NoError(t, ready.Announce(&out, file, ready.Line{Role: "s3", Address: "127.0.0.1:1"}))
	onDisk, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, out.String(), string(onDisk))
	var got map[string]any
	require.NoError(t, json.Unmarshal(onDisk, &got))
	require.Equal(t, map[string]any{"role": "s3", "address": "127.0.0.1:1", "pid": float64(os.Getpid())}, got)
}

func TestWithdrawLeavesAnotherInstancesFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state.json")
	require.NoError(t, ready.Announce(&bytes.Buffer{}, file, ready.Line{Role: "s3"}))
	mine, err := os.ReadFile(file)
	require.NoError(t, err)

	require.NoError(t, os.WriteFile(file, []byte(`{"role":"s3","pid":1}`), 0o600))
	ready.Withdraw(file)
	require.FileExists(t, file)

	require.NoError(t, os.WriteFile(file, mine, 0o600))
	ready.Withdraw(file)
	require.NoFileExists(t, file)
}

func TestAnnounceSaysNothingWhenTheFileCannotBeWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "missing", "state.json")
	var out bytes.Buffer
	require.ErrorContains(t, ready.Announce(&out, file, ready.Line{Role: "s3"}), "--state-file")
	require.Empty(t, out.String())
}
