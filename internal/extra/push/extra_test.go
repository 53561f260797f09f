package push_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/extra/push"
	"github.com/found-footy/found-footy/internal/run/config"
)

// TestThePushServicesOfAllBrowsersAreUsed: Chromium registers at one of two, with and without Google's keys.
func TestThePushServicesOfAllBrowsersAreUsed(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{}, *push.Extra().Settings)
	require.NoError(t, err)
	for host, want := range map[string]bool{
		"fcm.googleapis.com":                true,
		"jmt17.google.com":                  true,
		"updates.push.services.mozilla.com": true,
		"web.push.apple.com":                true,
		"wns2-par02p.notify.windows.com":    true,
		"google.com":                        false,
		"evil.jmt17.google.com":             false,
		"notjmt17.google.com":               false,
	} {
		require.Equal(t, want, httpx.Allowed(host, config.Own[push.Settings](c).Hosts), host)
	}
}
