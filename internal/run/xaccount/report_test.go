package xaccount_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/run/xaccount"
)

func TestTheReportNamesTheBrowserAndWhatTheSessionWasMadeWith(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		browser source.Browser
		made    source.MadeWith
		says    []string
	}{
		{source.Browser{Program: "/usr/bin/chromium", Version: "140.0.7339.127", Headful: true, Display: ":99", UserAgent: "Mozilla/5.0 Chrome/140"}, source.MadeWith{By: "login"},
			[]string{"/usr/bin/chromium 140.0.7339.127, with a window on :99", "user agent: Mozilla/5.0 Chrome/140", "made here by hand, with the browser that searches"}},
		{source.Browser{Program: "chromium", Headful: true, Display: browser.VirtualDisplay}, source.MadeWith{By: "import"},
			[]string{"chromium, with a window on a screen in memory", "known once it has run", "brought from another browser", "footy x login"}},
		{source.Browser{Program: "chromium", Headful: true}, source.MadeWith{By: "import"}, []string{"with a window\n"}},
		{source.Browser{Program: "chromium"}, source.MadeWith{By: "login"}, []string{"without a window", "made here by hand"}},
	} {
		text := xaccount.Report{Browser: &c.browser, MadeWith: &c.made}.String()
		for _, says := range c.says {
			require.Contains(t, text, says)
		}
	}
	text := xaccount.Report{Browser: &source.Browser{Program: "/nope", Missing: true}}.String()
	require.Contains(t, text, "CHROMIUM=/nope is not installed; install it")
	require.NotContains(t, text, "user agent")
	text = xaccount.Report{}.String()
	require.NotContains(t, text, "browser")
	require.NotContains(t, text, "session")
}
