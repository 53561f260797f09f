package answer_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

// asBrowsersRead is what the URL standard does before it parses: it trims what is below a space, drops tabs and line breaks, and takes a
// backslash for a slash.
func asBrowsersRead(address string) string {
	address = strings.TrimFunc(address, func(c rune) bool { return c <= ' ' })
	return strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/").Replace(address)
}

func leadsAway(t *testing.T, address string) bool {
	t.Helper()
	read := asBrowsersRead(address)
	u, err := url.Parse(read)
	return err != nil || strings.HasPrefix(read, "//") || u.Scheme != "" || u.Host != ""
}

func TestOnlyPathsOfThisSiteAreLocal(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"/", "/admin", "/waiting", "/g/5001_40_306_Goal_1?v=abc", "/day/2026-11-14#f-5001", "/search?q=%C3%9Cber+10", "/team/40/", "/search?q=https://example.com/"} {
		require.True(t, answer.LocalPath(good), good)
	}
	for _, bad := range []string{
		"", "admin", "//evil.example", "///evil.example", `/\evil.example`, `\/evil.example`, `\\evil.example`, "/\t/evil.example", "/\n/evil.example", "/\r/evil.example",
		"\t//evil.example", " //evil.example", "\x00//evil.example", "/\x00/evil.example", "/ /evil.example", "/%09/evil.example", "/%0a/evil.example", "/%2f/evil.example", "/%2Fevil.example",
		"/%5cevil.example", "/%5C%5Cevil.example", "/%252f/evil.example", "/%2509/evil.example", "https://evil.example", "https:/evil.example", "https:evil.example", "javascript:alert(1)", "data:text/html,x", "/.//evil.example",
		"/..//evil.example", "/%2e//evil.example", "/a/..//evil.example", "/a//b", "/\u00a0/evil.example", "/\u2028/evil.example", "/\u3000/evil.example", "/\uff0fevil.example", "?x", "#x",
		"/\x7f/evil.example", "/a\x1fb", "/%zz", "//user@evil.example", "/search?q=a b", "/search?q=\t", "/search\n?q=1", "/a#\r\nSet-Cookie: a=b",
	} {
		require.False(t, answer.LocalPath(bad), "%q", bad)
	}
}

// FuzzLocalPath: what is accepted stays on this site in a browser and in Go's own redirect.
func FuzzLocalPath(f *testing.F) {
	for _, seed := range []string{"/", "/\t/evil.example", `/\evil.example`, "/a/../..//x", "/%2f%2fx", "/g/1?v=2#3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if !answer.LocalPath(address) {
			return
		}
		require.False(t, leadsAway(t, address), "%q", address)
		w := httptest.NewRecorder()
		http.Redirect(w, httptest.NewRequest(http.MethodPost, "/admin/login", nil), address, http.StatusSeeOther)
		require.False(t, leadsAway(t, w.Header().Get("Location")), "%q", w.Header().Get("Location"))
	})
}
