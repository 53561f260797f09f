package xaccount_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/xaccount"
)

func TestASessionIsThereBeforeAnythingRuns(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "CHROMIUM": "/nope", "BROWSER_ADDR": "127.0.0.1:1"})
	require.NoError(t, err)
	x := xaccount.Account{Config: c, Log: slog.New(slog.DiscardHandler)}
	const export = `[{"domain": ".x.com", "name": "auth_token", "value": "a1"}, {"domain": ".x.com", "name": "ct0", "value": "b2"}]`
	require.NoError(t, x.ImportCookies(t.Context(), []byte(export)))
	r, err := x.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, source.LoginUnknown, r.Login)
	require.Nil(t, r.ValidUntil, "a session cookie has no date of its own")
}
