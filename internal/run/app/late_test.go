package app_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/require"
)

// fleet are the processes of one that need its database to start.
func fleet(t *testing.T) map[string]func(ctx context.Context, set map[string]string, log *slog.Logger) error {
	t.Helper()
	return map[string]func(ctx context.Context, set map[string]string, log *slog.Logger) error{
		"web": func(ctx context.Context, set map[string]string, log *slog.Logger) error {
			a, err := app.New(ctx, parsed(t, set), log, "test")
			if err != nil {
				return err
			}
			defer a.Close()
			return a.Run(ctx, app.Roles{Web: true})
		},
	}
}

// TestAProcessOfAFleetWaitsForALateDatabase: one that ended instead would be started again and again.
func TestAProcessOfAFleetWaitsForALateDatabase(t *testing.T) {
	t.Parallel()
	for name, start := range fleet(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := devtest.StartPostgres(t)
			server.Stop()
			figures := devtest.FreeAddr(t)
			set := map[string]string{"STATE_DIR": t.TempDir(), "TEMPORAL_ADDRESS": devtest.FreeAddr(t), "POSTGRES_URL": server.URL, "METRICS_ADDR": figures, "WEB_ADDR": devtest.FreeAddr(t)}
			var log lines
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			ended := make(chan error, 1)
			go func() { ended <- start(ctx, set, slog.New(slog.NewTextHandler(&log, nil))) }()
			require.Eventually(t, func() bool { return len(ended) > 0 || readyz(figures) == "waits for the database\n" }, time.Minute, 20*time.Millisecond)
			require.Empty(t, ended, log.String())
			server.Start()
			require.Eventually(t, func() bool { return len(ended) > 0 || strings.Contains(log.String(), "the database has come") }, time.Minute, 20*time.Millisecond)
			require.Eventually(t, func() bool {
				said := readyz(figures)
				return len(ended) > 0 || said != "" && said != "waits for the database\n"
			}, time.Minute, 20*time.Millisecond)
			require.Empty(t, ended, log.String())
			require.Equal(t, 1, strings.Count(log.String(), "waits for the database"), log.String())
			require.Contains(t, log.String(), "connection refused; start it, correct POSTGRES_URL")
			stop()
			if err := <-ended; err != nil {
				require.ErrorIs(t, err, context.Canceled)
			}
		})
	}
}

func TestAProcessThatWaitsForItsDatabaseCanBeStopped(t *testing.T) {
	t.Parallel()
	for name, start := range fleet(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log lines
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				ended <- start(ctx, map[string]string{"STATE_DIR": t.TempDir(), "TEMPORAL_ADDRESS": "127.0.0.1:1", "POSTGRES_URL": "postgres://u:p@" + devtest.FreeAddr(t) + "/db"},
					slog.New(slog.NewTextHandler(&log, nil)))
			}()
			require.Eventually(t, func() bool { return len(ended) > 0 || strings.Contains(log.String(), "waits for the database") }, time.Minute, 20*time.Millisecond)
			stop()
			require.ErrorIs(t, <-ended, context.Canceled)
		})
	}
}

// TestADatabaseThatRefusesIsNotLate, nor is the database of a process that shares nothing.
func TestADatabaseThatRefusesIsNotLate(t *testing.T) {
	t.Parallel()
	server := devtest.StartPostgres(t)
	fails := func(code footy.Code, says, address, temporal string) {
		cfg, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "SOURCES": "xweb,xapi", "FEED": "api-football", "TEMPORAL_ADDRESS": temporal, "POSTGRES_URL": address})
		require.NoError(t, err)
		_, err = app.New(t.Context(), cfg, slog.New(slog.DiscardHandler), "test")
		require.ErrorContains(t, err, says)
		require.Equal(t, code, footy.CodeOf(err))
	}
	fails(footy.CodeAuthRequired, "check user and password in its address", strings.Replace(server.URL, server.Password, "hunter2", 1), "127.0.0.1:1")
	fails(footy.CodeInvalid, "make the database with createdb", strings.Replace(server.URL, "/postgres", "/none", 1), "127.0.0.1:1")
	fails(footy.CodeUnavailable, "connection refused; start it", "postgres://u:p@"+devtest.FreeAddr(t)+"/db", "")
}
