package engine_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

func writeToken(t *testing.T, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "token")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("former", 8)), 0o600))
	return file
}

// leave leaves an engine running on dir, as a footy that was killed does.
func leave(t *testing.T, dir string, args ...string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	devtest.Start(t, "temporal", append([]string{"--db", filepath.Join(dir, "temporal.db"), "--ui-port", "-1", "--state-file", filepath.Join(dir, "engine.json")}, args...)...)
}

func dials(t *testing.T, c config.Engine) error {
	t.Helper()
	c.Namespace = "default"
	client, err := engine.Dial(t.Context(), c, slog.New(slog.DiscardHandler))
	if err == nil {
		client.Close()
	}
	return err
}

// TestAnEngineOfOursIsClosedToOthers: whichever user of the machine asked it, it answered.
func TestAnEngineOfOursIsClosedToOthers(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "engine")
	e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(e.Stop)
	require.Empty(t, e.UI)
	info, err := os.Stat(e.TokenFile)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	require.NoError(t, dials(t, e.Reached(config.Engine{})))
	former, err := os.ReadFile(e.TokenFile)
	require.NoError(t, err)
	client, err := engine.Dial(t.Context(), e.Reached(config.Engine{Namespace: "default"}), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(client.Close)
	require.NoError(t, syscall.Kill(runningIn(t, dir), syscall.SIGKILL))
	<-e.Relaunched()
	now, err := os.ReadFile(e.TokenFile)
	require.NoError(t, err)
	require.NotEqual(t, former, now, "another may have listened at the port meanwhile")
	require.Eventually(t, func() bool {
		return engine.Answers(t.Context(), client, config.Engine{Namespace: "default"}) == nil
	}, time.Minute, 10*time.Millisecond, "a client goes on with the new one")
	require.NoError(t, dials(t, engine.Running(t.Context(), dir).Reached(config.Engine{})), "another process of ours finds the token")
	set := config.Engine{Address: e.Address}
	require.Equal(t, set, e.Reached(set), "what is set stays")
	for _, wrong := range []string{"", writeToken(t, t.TempDir())} {
		err = dials(t, config.Engine{Address: e.Address, TokenFile: wrong})
		require.Equal(t, footy.CodeAuthRequired, footy.CodeOf(err), err)
		require.ErrorContains(t, err, "TEMPORAL_TOKEN_FILE")
	}
	err = dials(t, config.Engine{Address: e.Address, TokenFile: filepath.Join(dir, "none")})
	require.ErrorContains(t, err, filepath.Join(dir, "none"))
	require.NotContains(t, err.Error(), "nothing answers")
}

// TestAnEngineThatWasLeftRunningAndCannotBeAskedIsEnded: each start ended with "in use by another footy-devstack", until a person ended it.
func TestAnEngineThatWasLeftRunningAndCannotBeAskedIsEnded(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, dir string, pid int){
		"its note is lost": func(t *testing.T, dir string, _ int) {
			require.NoError(t, os.Remove(filepath.Join(dir, "engine.json")))
		},
		"it is frozen": func(t *testing.T, _ string, pid int) { require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "engine")
			leave(t, dir, "--token-file", writeToken(t, dir))
			pid := runningIn(t, dir)
			spoil(t, dir, pid)
			e, err := engine.Start(t.Context(), engine.Hasty(engine.Options{Binary: devtest.Engine(t), StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.DiscardHandler)}))
			require.NoError(t, err)
			t.Cleanup(e.Stop)
			require.NotEqual(t, pid, runningIn(t, dir))
			require.NoError(t, dials(t, e.Reached(config.Engine{})))
		})
	}
}

// TestAnEngineThatWasLeftRunningIsTakenUpIfItIsClosed: that of an earlier release is open, and one with a Web UI is none that was asked for.
func TestAnEngineThatWasLeftRunningIsTakenUpIfItIsClosed(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		args   func(dir string) []string
		ui     int
		taken  bool
		damage func(token string) error
	}{
		"closed":            {func(dir string) []string { return []string{"--token-file", writeToken(t, dir)} }, engine.NoUI, true, nil},
		"open":              {func(string) []string { return nil }, engine.NoUI, false, nil},
		"without a Web UI":  {func(dir string) []string { return []string{"--token-file", writeToken(t, dir)} }, 0, false, nil},
		"its token is gone": {func(dir string) []string { return []string{"--token-file", writeToken(t, dir)} }, engine.NoUI, false, os.Remove},
		"its token is noise": {func(dir string) []string { return []string{"--token-file", writeToken(t, dir)} }, engine.NoUI, false, func(token string) error {
			return os.WriteFile(token, bytes.Repeat([]byte{0xff}, 64), 0o600)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "engine")
			leave(t, dir, tc.args(dir)...)
			if tc.damage != nil {
				require.NoError(t, tc.damage(filepath.Join(dir, "token")))
			}
			pid := runningIn(t, dir)
			e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, UIPort: tc.ui, Log: slog.New(slog.DiscardHandler)})
			require.NoError(t, err)
			t.Cleanup(e.Stop)
			require.Equal(t, tc.taken, runningIn(t, dir) == pid)
			require.NoError(t, dials(t, e.Reached(config.Engine{})))
			require.Error(t, dials(t, config.Engine{Address: e.Address}))
			if tc.ui == engine.NoUI {
				require.Empty(t, e.UI)
				return
			}
			res, err := http.Get(e.UI + "/api/v1/namespaces/default")
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, http.StatusOK, res.StatusCode, "the interface sends the token")
		})
	}
}
