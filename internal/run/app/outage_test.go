package app_test

import (
	"bytes"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/tools/devtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAnObjectStoreThatIsDownIsNoReasonNotToStart: a crash during its outage stopped the feed as well.
func TestAnObjectStoreThatIsDownIsNoReasonNotToStart(t *testing.T) {
	t.Parallel()
	const access, secret = "test-access", "test-secret-of-some-length"
	at := devtest.FreeAddr(t)
	set := map[string]string{"S3_ENDPOINT": at, "S3_SECURE": "false", "S3_ACCESS_KEY": access, "S3_SECRET_KEY": secret, "S3_BUCKET": "late"}
	c := parsed(t, set)
	var said bytes.Buffer
	a, err := app.New(t.Context(), c, slog.New(slog.NewTextHandler(&said, nil)), "test")
	require.NoError(t, err)
	t.Cleanup(func() { _ = a.Close() })
	require.Equal(t, 1, strings.Count(said.String(), "level=WARN"), said.String())
	require.Contains(t, said.String(), "S3_ENDPOINT="+at+" does not answer")
	require.NotContains(t, said.String(), "unset S3_ENDPOINT")
	look := a.Checker()
	clips := func() health.Part {
		parts := look.Look(t.Context()).Parts
		return parts[slices.IndexFunc(parts, func(p health.Part) bool { return p.Name == health.Clips })]
	}
	down := clips()
	require.Equal(t, health.StateDown, down.State)
	require.Equal(t, "the object store at "+at+" does not answer", down.Reason)
	require.Contains(t, down.Remedy, "Start it again")
	require.Contains(t, said.String(), "connection refused", "the cause is in the log")
	require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: 5001, Stage: footy.StageActive}), "the feed goes on")
	docs, err := state.OpenStore(t.Context(), c)
	require.NoError(t, err, "what waits for it is listed without it")
	require.NoError(t, docs.Close())
	_, port, err := net.SplitHostPort(at)
	require.NoError(t, err)
	devtest.Start(t, "s3", "--root", t.TempDir(), "--access-key", access, "--secret-key", secret, "--port", port)
	// The store is asked again some seconds after it did not answer; the bucket is made then.
	require.EventuallyWithT(t, func(t *assert.CollectT) { assert.Equal(t, health.StateOK, clips().State) }, time.Minute, 100*time.Millisecond)
	require.NoError(t, a.Blob.Put(t.Context(), "clips/a.mp4", strings.NewReader("a clip"), 6, blob.Info{}))

	set["S3_SECRET_KEY"] = "another-secret-of-some-length"
	_, err = app.New(t.Context(), parsed(t, set), slog.New(slog.DiscardHandler), "test")
	require.Equal(t, footy.CodeAuthRequired, footy.CodeOf(err), "refused credentials are refused at the start: %v", err)
	require.NotContains(t, err.Error(), "\n")
	set["S3_SECURE"] = "true"
	_, err = app.New(t.Context(), parsed(t, set), slog.New(slog.DiscardHandler), "test")
	require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), "and so is the wrong scheme: %v", err)
}
