package cookie_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
)

const (
	firefox  = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0"
	chrome   = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
	headless = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36"
	edge     = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"
	safari   = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15"
	phone    = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.0.0 Mobile/15E148 Safari/604.1"
	android  = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
)

func TestUserAgentsInWords(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{firefox: "Firefox 131 on Windows", chrome: "Chrome 140 on Linux", headless: "headless Chrome 140 on Linux",
		edge: "Edge 140 on Windows", safari: "Safari 17 on macOS", phone: "Chrome 126 on iOS", android: "Chrome 140 on Android", "curl/8": "an unknown browser", "": "an unknown browser"} {
		require.Equal(t, want, cookie.ParseAgent(agent).String(), agent)
	}
}

func TestABrowserGrowsOlderAndStaysTheSame(t *testing.T) {
	t.Parallel()
	require.True(t, cookie.SameBrowser(chrome, strings.Replace(chrome, "140", "144", 1)))
	for _, other := range []string{firefox, headless, edge, safari, android, strings.Replace(chrome, "X11; Linux x86_64", "Windows NT 10.0; Win64; x64", 1)} {
		require.False(t, cookie.SameBrowser(chrome, other), other)
	}
	require.True(t, cookie.SameBrowser("odd", "odd"))
	require.False(t, cookie.SameBrowser("odd", "odder"))
}

func TestExportsThatNameTheirBrowser(t *testing.T) {
	t.Parallel()
	for export, want := range map[string]string{
		`{"userAgent": "` + firefox + `", "cookies": []}`:                                                firefox,
		`{"user_agent":"` + chrome + `"}`:                                                                chrome,
		"# Netscape HTTP Cookie File\n# User-Agent: " + firefox + "\r\n.x.com\tTRUE\t/\tTRUE\t0\tct0\tv": firefox,
		"# Netscape HTTP Cookie File\n":                                                                  "",
		`[{"name":"auth_token"}]`:                                                                        "",
		`{"userAgent": "two\nlines"}`:                                                                    "",
		`{"userAgent": "` + strings.Repeat("x", 600) + `"}`:                                              "",
	} {
		require.Equal(t, want, cookie.UserAgent([]byte(export)), export)
	}
}
