package xaccount_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/xaccount"
)

func TestASessionOfAnotherBrowserIsToldBeforeAnythingRuns(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir(), "CHROMIUM": "/nope", "BROWSER_ADDR": "127.0.0.1:1"})
	require.NoError(t, err)
	x := xaccount.Account{Config: c, Log: slog.New(slog.DiscardHandler)}
	const export = `[{"domain": ".x.com", "name": "auth_token", "value": "a1"}, {"domain": ".x.com", "name": "ct0", "value": "b2"}]`
	for agent, differs := range map[string]bool{
		"Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0":                            true,
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36": false,
		"": false,
	} {
		_, err = x.ImportCookies(t.Context(), []byte(export), agent)
		require.NoError(t, err)
		r, err := x.Status(t.Context())
		require.NoError(t, err)
		require.Equal(t, differs, r.MadeWith.Differs, agent)
		require.True(t, r.Browser.Missing)
	}
}
