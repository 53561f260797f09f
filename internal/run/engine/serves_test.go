package engine_test

import (
	"context"
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	_ "modernc.org/sqlite"
)

// leftBehind is the state of an engine that has a schedule and an open workflow, and was stopped.
func leftBehind(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "engine")
	e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	defer e.Stop()
	c := clientOf(t, e)
	_, err = c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "kept", TaskQueue: "none"}, "any")
	require.NoError(t, err)
	h, err := c.ScheduleClient().Create(t.Context(), client.ScheduleOptions{ID: "monitor", Spec: client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: time.Hour}}},
		Action: &client.ScheduleWorkflowAction{ID: "tick", Workflow: "tick", TaskQueue: "none"}})
	require.NoError(t, err)
	_, err = h.Describe(t.Context())
	require.NoError(t, err)
	return dir
}

func clientOf(t *testing.T, e *engine.Engine) client.Client {
	t.Helper()
	c, err := engine.Dial(t.Context(), e.Reached(config.Engine{Namespace: "default"}), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func change(t *testing.T, dir, statement string) {
	t.Helper()
	d, err := sql.Open("sqlite", filepath.Join(dir, "temporal.db"))
	require.NoError(t, err)
	defer d.Close()
	_, err = d.ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

// TestADatabaseWhoseValuesAreJunkIsSetAside: SQLite reads all of it, and each start ended in an error of Temporal's or a deadline.
func TestADatabaseWhoseValuesAreJunkIsSetAside(t *testing.T) {
	t.Parallel()
	for name, junk := range map[string]string{
		"namespaces": `UPDATE namespaces SET data = x'ff'`,
		"shards":     `UPDATE shards SET data = x'ff'`,
		"workflows":  `UPDATE executions SET data = x'ff', state = x'ff'`,
		"histories":  `UPDATE history_node SET data = x'ff'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := leftBehind(t)
			change(t, dir, junk)
			var log lines
			e, err := engine.Start(t.Context(), engine.Hasty(engine.Options{Binary: devtest.Engine(t), StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.NewTextHandler(&log, nil))}))
			require.NoError(t, err)
			t.Cleanup(e.Stop)
			require.Contains(t, log.String(), "workflow engine's database is damaged")
			require.NotContains(t, log.String(), `\"level\"`)
			require.NotNil(t, engine.Damaged(dir, time.Now()))
			_, err = clientOf(t, e).ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "kept", TaskQueue: "none"}, "any")
			require.NoError(t, err)
		})
	}
}

// TestADatabaseStaysWhereItIsNotAtFault: another one would not help, and what was set aside is removed in the end.
func TestADatabaseStaysWhereItIsNotAtFault(t *testing.T) {
	t.Parallel()
	const fatal = `{"level":"fatal","msg":"Unable to initialize","error":"of another kind","logging-call-at":"x"}`
	for name, tc := range map[string]struct{ script, want string }{
		"full disk":   {"echo 'footy-devstack: /x: only 3 KB free on its disk, 16 MB needed; free some space or give another --db' >&2; exit 1", "3 KB free"},
		"taken port":  {"echo 'footy-devstack: port 7233: in use; choose another with --port' >&2; exit 1", "port 7233"},
		"late port":   {"echo 'footy-devstack: /x: start: listen tcp 127.0.0.1:1: bind: address already in use' >&2; exit 5", "already in use"},
		"no words":    {"exit 1", "ended without a word"},
		"any failure": {"echo '" + fatal + "' >&2; exit 1", "Unable to initialize: of another kind; nor does it with a new database"},
		"a panic":     {"printf 'panic: no luck\\n\\ngoroutine 1 [running]:\\n\\t/x.go:1\\n' >&2; exit 2", "panic: no luck; nor does it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "engine")
			require.NoError(t, os.Mkdir(dir, 0o700))
			for _, end := range []string{"", "-wal"} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "temporal.db"+end), []byte("good"+end), 0o600))
			}
			bin := devtest.Script(t, "devstack", tc.script)
			_, err := engine.Start(t.Context(), engine.Options{Binary: bin, StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.DiscardHandler)})
			require.ErrorContains(t, err, tc.want)
			require.NotContains(t, err.Error(), "{")
			for _, end := range []string{"", "-wal"} {
				b, err := os.ReadFile(filepath.Join(dir, "temporal.db"+end))
				require.NoError(t, err)
				require.Equal(t, "good"+end, string(b))
			}
			require.Nil(t, engine.Damaged(dir, time.Now()))
			why, err := engine.LastFailure(dir)
			require.NoError(t, err)
			require.Contains(t, why, tc.want)
		})
	}
	t.Run("well", func(t *testing.T) {
		t.Parallel()
		dir := leftBehind(t)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "failed"), []byte("of a start before\n"), 0o600))
		e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		t.Cleanup(e.Stop)
		require.Nil(t, engine.Damaged(dir, time.Now()))
		_, err = clientOf(t, e).DescribeWorkflowExecution(t.Context(), "kept", "")
		require.NoError(t, err)
		why, err := engine.LastFailure(dir)
		require.NoError(t, err)
		require.Empty(t, why)
	})
}

// TestAnEngineThatDoesNotServeWhileItRunsIsLookedInto: its process lives, so that nothing started it again.
func TestAnEngineThatDoesNotServeWhileItRunsIsLookedInto(t *testing.T) {
	t.Parallel()
	dir := leftBehind(t)
	e, err := engine.Start(t.Context(), engine.Options{Binary: devtest.Engine(t), StateDir: dir, UIPort: engine.NoUI, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(e.Stop)
	again := func() {
		e.Restart()
		select {
		case <-e.Relaunched():
		case <-time.After(2 * time.Minute):
			require.Fail(t, "it does not come back")
		}
	}
	again()
	require.Nil(t, engine.Damaged(dir, time.Now()), "its database is well")
	change(t, dir, `UPDATE namespaces SET data = x'ff'`)
	again()
	require.NotNil(t, engine.Damaged(dir, time.Now()))
	(&engine.Engine{}).Restart() // somebody else's
}

// TestAnEngineThatEndsSoonAfterEachStartBeginsAnew: what it cannot work with is read after its start.
func TestAnEngineThatEndsSoonAfterEachStartBeginsAnew(t *testing.T) {
	t.Parallel()
	for code, anew := range map[string]bool{"exit 1": true, "kill -9 $$": false} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "engine")
			require.NoError(t, os.Mkdir(dir, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "temporal.db"), []byte("good"), 0o600))
			dying := devtest.Script(t, "devstack", `echo '{"address":"127.0.0.1:1","pid":'$$'}'`+"\n"+code)
			pauses := make(ended, 4)
			e, err := engine.Start(t.Context(), engine.Options{Binary: dying, StateDir: dir, UIPort: engine.NoUI, Log: slog.New(pauses)})
			require.NoError(t, err)
			t.Cleanup(e.Stop)
			for range cap(pauses) {
				<-pauses
			}
			require.Equal(t, anew, engine.Damaged(dir, time.Now()) != nil)
		})
	}
}

// TestWhichCallsAnEngineDoesNotServe tells an answer from none.
func TestWhichCallsAnEngineDoesNotServe(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]bool{
		context.DeadlineExceeded:                                true,
		serviceerror.NewInternal("error deserializing"):         true,
		serviceerror.NewUnavailable("shard status unknown"):     true,
		serviceerror.NewDataLoss("history"):                     true,
		serviceerror.NewNotFound("none"):                        false,
		serviceerror.NewPermissionDenied("no", ""):              false,
		serviceerror.NewUnavailable("database or disk is full"): false,
		context.Canceled:                                        false,
	} {
		require.Equal(t, want, engine.Unserved(footy.Wrap(footy.CodeUnavailable, "describe schedule x", err)), err)
	}
}
