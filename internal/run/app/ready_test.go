package app_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

func TestAWorkerThatIsCutOffFromItsEngineIsNotReady(t *testing.T) {
	t.Parallel()
	temporal := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "engine.db"), "--ui-port", "-1")
	through, cut := cable(t, temporal.Address)
	own := devtest.FreeAddr(t)
	cfg, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "SOURCES": "xweb,xapi", "FEED": "api-football", "TEMPORAL_ADDRESS": through, "METRICS_ADDR": own})
	require.NoError(t, err)
	a, err := app.New(t.Context(), cfg, slog.New(slog.DiscardHandler), "test")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx, app.Roles{Worker: true, Queues: []string{policy.QueueSearch}}) }()
	t.Cleanup(func() {
		stop()
		<-ended
		_ = a.Close()
	})
	require.Eventually(t, func() bool { return readyz(own) == "ready\n" }, time.Minute, 100*time.Millisecond)
	cut()
	require.Eventually(t, func() bool { return readyz(own) == "workflow engine unavailable\n" }, time.Minute, 100*time.Millisecond)
}

// TestAProcessOfAFleetWaitsForALateEngine: one that ended instead would be started again and again.
func TestAProcessOfAFleetWaitsForALateEngine(t *testing.T) {
	t.Parallel()
	at, figures, page := devtest.FreeAddr(t), devtest.FreeAddr(t), devtest.FreeAddr(t)
	cfg, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "SOURCES": "xweb,xapi", "FEED": "api-football", "TEMPORAL_ADDRESS": at, "METRICS_ADDR": figures, "WEB_ADDR": page})
	require.NoError(t, err)
	var log lines
	a, err := app.New(t.Context(), cfg, slog.New(slog.NewTextHandler(&log, nil)), "test")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx, app.Roles{Worker: true, Web: true}) }()
	t.Cleanup(func() { _ = a.Close() })
	says := func(addr, what string) func() bool {
		return func() bool { return len(ended) > 0 || readyz(addr) == what }
	}
	require.Eventually(t, says(figures, "waits for the workflow engine\n"), time.Minute, 100*time.Millisecond)
	require.Eventually(t, says(page, "ready\n"), time.Minute, 100*time.Millisecond, "the page shows what there is")
	_, port, err := net.SplitHostPort(at)
	require.NoError(t, err)
	devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "engine.db"), "--ui-port", "-1", "--port", port)
	require.Eventually(t, says(figures, "ready\n"), time.Minute, 100*time.Millisecond)
	require.Equal(t, 1, strings.Count(log.String(), "waits for the workflow engine: connect to Temporal: nothing answers as Temporal at TEMPORAL_ADDRESS="+at), log.String())
	stop()
	require.NoError(t, <-ended)
}

// TestAProcessThatWaitsForItsEngineCanBeStopped asks for a namespace that never comes, too.
func TestAProcessThatWaitsForItsEngineCanBeStopped(t *testing.T) {
	t.Parallel()
	temporal := devtest.Start(t, "temporal", "--db", filepath.Join(t.TempDir(), "engine.db"), "--ui-port", "-1")
	for _, set := range []map[string]string{{"TEMPORAL_ADDRESS": devtest.FreeAddr(t)}, {"TEMPORAL_ADDRESS": temporal.Address, "TEMPORAL_NAMESPACE": "elsewhere"}} {
		set["STATE_DIR"], set["METRICS_ADDR"], set["WEB_ADDR"] = t.TempDir(), devtest.FreeAddr(t), devtest.FreeAddr(t)
		set["SOURCES"], set["FEED"] = "xweb,xapi", "api-football" // nothing here asks Reddit or ESPN itself
		cfg, err := config.Parse(set)
		require.NoError(t, err)
		for _, r := range []app.Roles{{Worker: true}, {Web: true}} {
			var log lines
			a, err := app.New(t.Context(), cfg, slog.New(slog.NewTextHandler(&log, nil)), "test")
			require.NoError(t, err)
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- a.Run(ctx, r) }()
			require.Eventually(t, func() bool { return len(ended) > 0 || strings.Contains(log.String(), "waits for the workflow engine") }, time.Minute, 20*time.Millisecond)
			stop()
			if err := <-ended; err != nil {
				require.ErrorIs(t, err, context.Canceled)
			}
			require.NoError(t, a.Close())
		}
	}
}

// readyz is what a process says of itself; "" while it does not answer.
func readyz(at string) string {
	res, err := http.Get("http://" + at + "/readyz")
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return ""
	}
	return string(b)
}

// cable leads to an address until it is cut.
func cable(t *testing.T, to string) (through string, cut func()) {
	t.Helper()
	return cableAt(t, "127.0.0.1:0", to)
}

// cableAt leads from one address to another.
func cableAt(t *testing.T, from, to string) (through string, cut func()) {
	t.Helper()
	l, err := net.Listen("tcp", from)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			there, err := new(net.Dialer).DialContext(ctx, "tcp", to)
			if err != nil {
				from.Close()
				continue
			}
			context.AfterFunc(ctx, func() {
				from.Close()
				there.Close()
			})
			wg.Go(func() { _, _ = io.Copy(there, from) })
			wg.Go(func() { _, _ = io.Copy(from, there) })
		}
	})
	cut = func() {
		cancel()
		l.Close()
		wg.Wait()
	}
	t.Cleanup(cut)
	return l.Addr().String(), cut
}
