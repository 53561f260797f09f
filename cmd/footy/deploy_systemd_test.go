package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
)

// units are the files of deploy/systemd by name, and of each the values by key.
func units(t *testing.T) map[string]map[string][]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(deploy, "systemd", "*.service"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	out := map[string]map[string][]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		unit := map[string][]string{}
		for line := range strings.Lines(string(b)) {
			if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
				unit[key] = append(unit[key], value)
			}
		}
		out[filepath.Base(f)] = unit
	}
	return out
}

func TestUnitsOfSystemdRunWhatExists(t *testing.T) {
	t.Parallel()
	for name, u := range units(t) {
		for _, set := range strings.Fields(strings.Join(u["Environment"], " ")) {
			setting, _, _ := strings.Cut(set, "=")
			require.Contains(t, settingNames(), setting, name)
		}
		require.Contains(t, []string{"footy up", "footy %i"}, u["ExecStart"][0], name)
		wait, err := strconv.Atoi(u["TimeoutStopSec"][0])
		require.NoError(t, err)
		require.Greater(t, time.Duration(wait)*time.Second, policy.StopGrace, "%s waits until a worker has drained", name)
		require.Equal(t, []string{"mixed"}, u["KillMode"], "%s stops its engine itself", name)
		require.Equal(t, []string{"found-footy"}, u["User"], name)
		require.Contains(t, strings.Fields(u["After"][0]), "time-sync.target", "%s: a clock that is wrong at boot dates everything wrong", name)
		for _, never := range []string{"RestrictNamespaces", "MemoryDenyWriteExecute"} {
			require.NotContains(t, u, never, "%s: Chromium needs it", name)
		}
	}
}

// TestSystemdReadsTheUnits asks systemd-analyze, which says of each key that it does not know and of each value that it cannot read.
func TestSystemdReadsTheUnits(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	dir := t.TempDir()
	for name := range units(t) {
		b, err := os.ReadFile(filepath.Join(deploy, "systemd", name))
		require.NoError(t, err)
		// The program is not installed, which systemd would say.
		unit := strings.ReplaceAll(string(b), "ExecStart=footy", "ExecStart=/bin/true")
		name = strings.Replace(name, "@", "@worker", 1)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(unit), 0o600))
		out, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", filepath.Join(dir, name)).CombinedOutput() //nolint:gosec // a file of ours
		ours := slices.DeleteFunc(strings.Split(string(out), "\n"), func(l string) bool { return !strings.Contains(l, name) })
		require.Empty(t, ours, "%s", out)
		require.NoError(t, err, "%s", out)
	}
}
