package scaler_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/scaler"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/tools/devtest"
)

func parsed(t *testing.T, vars map[string]string) config.Config {
	t.Helper()
	set := map[string]string{"STATE_DIR": t.TempDir()}
	for k, v := range vars {
		set[k] = v
	}
	c, err := config.Parse(set, *scaler.Extra().Settings)
	require.NoError(t, err)
	return c
}

func TestTheScalerSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)
	require.ErrorContains(t, scaler.Run(t.Context(), parsed(t, nil), log, "test", true), "TEMPORAL_ADDRESS is not set")
	socket := filepath.Join(t.TempDir(), "none.sock")
	require.ErrorContains(t, scaler.Run(t.Context(), parsed(t, map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:1", "DOCKER_SOCKET": socket}), log, "test", true), "DOCKER_SOCKET="+socket)
}

func TestBoundsThatContradictAreRefused(t *testing.T) {
	t.Parallel()
	_, err := config.Parse(map[string]string{"MIN_INSTANCES": "9", "SCALE_DOWN_THRESHOLD": "5"}, *scaler.Extra().Settings)
	require.ErrorContains(t, err, `MIN_INSTANCES="9" is above MAX_INSTANCES=8`)
	require.ErrorContains(t, err, `SCALE_DOWN_THRESHOLD="5" is not below SCALE_UP_THRESHOLD=5`)
}

// TestItWaitsForALateDatabase: one that ended instead would be started again and again.
func TestItWaitsForALateDatabase(t *testing.T) {
	t.Parallel()
	docker := filepath.Join(t.TempDir(), "docker.sock") // of an engine without containers
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", docker)
	require.NoError(t, err)
	engine := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[]")) })}
	go func() { _ = engine.Serve(l) }()
	t.Cleanup(func() { _ = engine.Close() })
	c := parsed(t, map[string]string{"DOCKER_SOCKET": docker, "TEMPORAL_ADDRESS": "127.0.0.1:1", "POSTGRES_URL": "postgres://u:p@" + devtest.FreeAddr(t) + "/db"})
	var log lines
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- scaler.Run(ctx, c, slog.New(slog.NewTextHandler(&log, nil)), "test", true) }()
	require.Eventually(t, func() bool { return len(ended) > 0 || strings.Contains(log.String(), "waits for the database") }, time.Minute, 20*time.Millisecond)
	stop()
	require.ErrorIs(t, <-ended, context.Canceled)
}

// lines is a log that is read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
