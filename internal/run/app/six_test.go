package app_test

import (
	"context"
	"log/slog"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/tools/devtest"
)

// six are the founding documents' variables with the login of the object store, here at addresses at which nothing listens; what else is set keeps
// the test on this machine.
func six(t *testing.T, more map[string]string) map[string]string {
	t.Helper()
	set := map[string]string{"API_FOOTBALL_KEY": "k", "MONGODB_URI": "mongodb://127.0.0.1:1", "S3_ENDPOINT": "http://127.0.0.1:1", "TEMPORAL_ADDRESS": "127.0.0.1:1",
		"TWITTER_SERVICE_URL": "http://127.0.0.1:1", "LLAMA_URL": "http://127.0.0.1:1", "S3_ACCESS_KEY": "minioadmin", "S3_SECRET_KEY": "minioadmin",
		"STATE_DIR": t.TempDir(), "WEB_ADDR": "127.0.0.1:0", "API_FOOTBALL_URL": "http://127.0.0.1:1", "WIKIDATA_URL": "http://127.0.0.1:1", "SOURCES": "xweb,xapi"}
	maps.Copy(set, more)
	return set
}

// running is a process with all roles.
type running struct {
	*app.App
	ready, ended chan struct{}
	failed       error // once it has ended
}

// start runs all roles on the settings until the test ends.
func start(t *testing.T, set map[string]string, log *lines) (*running, error) {
	t.Helper()
	a, err := app.New(t.Context(), parsed(t, set), slog.New(slog.NewTextHandler(log, nil)), "test")
	if err != nil {
		return nil, err
	}
	r := &running{App: a, ready: make(chan struct{}), ended: make(chan struct{})}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer close(r.ended)
		r.failed = a.Run(ctx, app.Roles{Worker: true, Web: true, Browser: true, Ready: func(app.Ready) { close(r.ready) }})
	}()
	t.Cleanup(func() { stop(); <-r.ended; _ = a.Close() })
	return r, nil
}

func TestTheSixVariablesStart(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed here")
	}
	servers := map[string]string{
		"MONGODB_URI":      devtest.Start(t, "mongo", "--dir", t.TempDir(), "--port", "0").URI,
		"S3_ENDPOINT":      "http://" + devtest.Start(t, "s3", "--root", t.TempDir(), "--access-key", "minioadmin", "--secret-key", "minioadmin").Address,
		"TEMPORAL_ADDRESS": devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "temporal.db"), "--ui-port", "-1").Address,
	}
	var log lines
	a, err := start(t, six(t, servers), &log)
	require.NoError(t, err)
	select {
	case <-a.ready:
	case <-a.ended:
		require.NoError(t, a.failed, log.String())
	}
	require.NoError(t, a.BlobErr)
	require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: 7, Stage: footy.StageCompleted}))
	require.NoError(t, a.Blob.Put(t.Context(), "clips/x.mp4", strings.NewReader("x"), 1, blob.Info{}))
	require.Empty(t, app.Missing(a.Config))
}

// TestWhatTheSixVariablesLackIsSaidInALine: a database is needed to start, what else is late is waited for.
func TestWhatTheSixVariablesLackIsSaidInALine(t *testing.T) {
	t.Parallel()
	t.Run("the database", func(t *testing.T) {
		t.Parallel()
		_, err := start(t, six(t, nil), new(lines))
		require.Error(t, err)
		said := footy.UserMessage(err)
		require.Contains(t, said, "127.0.0.1:1: connect: connection refused; start it, correct MONGODB_URI, or unset it to use the embedded database")
		require.NotContains(t, said, "\n")
	})
	t.Run("the object store and the engine", func(t *testing.T) {
		t.Parallel()
		var log lines
		_, err := start(t, six(t, map[string]string{"MONGODB_URI": ""}), &log)
		require.NoError(t, err)
		for _, says := range []string{"S3_ENDPOINT=127.0.0.1:1 does not answer", "nothing answers as Temporal at TEMPORAL_ADDRESS=127.0.0.1:1"} {
			require.Eventually(t, func() bool { return strings.Contains(log.String(), says) }, time.Minute, 20*time.Millisecond)
			require.Equal(t, 1, strings.Count(log.String(), says), log.String())
		}
	})
}
