package web_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSigningInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	for _, back := range []string{"//evil.example", "/\t/evil.example", "/\n/evil.example", `/\evil.example`, "/%09/evil.example", "https://evil.example", "\t//evil.example", " /x"} {
		page := text(t, s.Get("/admin?back="+url.QueryEscape(back)))
		require.Contains(t, page, `name="back" value="/admin"`, "%q", back)
		res := s.post("/admin/login", url.Values{"token": {adminToken}, "back": {back}})
		require.Equal(t, "/admin", res.Header.Get("Location"), "%q", back)
	}
	res := s.post("/admin/login", url.Values{"token": {adminToken}, "back": {"/g/" + salah + "?v=abc"}})
	require.Equal(t, "/g/"+salah+"?v=abc", res.Header.Get("Location"))
}

// TestNoRequestedPathLeadsElsewhere: the router redirects to the cleaned path, and some pages to their own path or with the query they got.
func TestNoRequestedPathLeadsElsewhere(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	for _, target := range []string{
		"//evil.example/", "/\\evil.example", "/%5cevil.example/..", "/%09/evil.example", "/.//evil.example", "/x/..//evil.example", "/x/..%2f/evil.example", "/g/%2f%2fevil.example", "/g/..//evil.example",
		"http://evil.example/day/2026-11-14", "//evil.example/%2e%2e", "/day//evil.example", "/g/" + salah + "?v=//evil.example", "/v//evil.example", "/favicon.ico?//evil.example",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			c, err := net.Dial("tcp", s.HTTP.Listener.Addr().String())
			require.NoError(t, err)
			_, err = fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", method, target)
			require.NoError(t, err)
			res, err := http.ReadResponse(bufio.NewReader(c), nil)
			require.NoError(t, err, target)
			require.NoError(t, res.Body.Close())
			require.NoError(t, c.Close())
			if to := res.Header.Get("Location"); to != "" {
				require.True(t, strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") && !strings.ContainsAny(to, "\\\t\r\n"), "%s %s leads to %q", method, target, to)
			}
		}
	}
}
