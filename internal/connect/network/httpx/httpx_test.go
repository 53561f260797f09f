package httpx_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

func serve(t *testing.T, h http.HandlerFunc) (address, host string) {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	u, err := url.Parse(srv.URL)
	require.NoError(t, err)
	return srv.URL, u.Host
}

func get(c *http.Client, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return c.Do(req)
}

func TestPlainClientSaysWhoItIs(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.UserAgent()) })
	resp, err := get(httpx.New(httpx.Options{UserAgent: "found-footy/test"}), address)
	require.NoError(t, err)
	body, err := httpx.ReadBody(resp, 100)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "found-footy/test", string(body))
}

func TestHostThatIsNotListedIsNotAsked(t *testing.T) {
	t.Parallel()
	asked := false
	address, _ := serve(t, func(http.ResponseWriter, *http.Request) { asked = true })
	_, err := get(httpx.New(httpx.Options{AllowHosts: []string{"video.twimg.com"}}), address)
	require.Equal(t, footy.CodeRejected, footy.CodeOf(err))
	require.Equal(t, footy.CodeRejected, footy.CodeOf(httpx.Fault("fetch", err)), "a refusal stays one across the border")
	require.False(t, asked)
}

func TestRedirectLeavesTheListNeither(t *testing.T) {
	t.Parallel()
	elsewhere, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "secret") })
	address, host := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere, http.StatusFound) })
	_, err := get(httpx.New(httpx.Options{AllowHosts: []string{host}}), address)
	require.Equal(t, footy.CodeRejected, footy.CodeOf(err))
	var e *footy.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, footy.ReasonForbiddenURL, e.Reason)
}

func TestPrivateAddressIsRefusedAtTheDial(t *testing.T) {
	t.Parallel()
	address, host := serve(t, func(http.ResponseWriter, *http.Request) {})
	_, port, _ := strings.Cut(host, ":")
	for _, u := range []string{address, "http://localhost:" + port} {
		_, err := get(httpx.New(httpx.Options{DenyPrivate: true}), u)
		require.Equal(t, footy.CodeRejected, footy.CodeOf(err), u)
	}
}

func TestOtherSchemesAreRefused(t *testing.T) {
	t.Parallel()
	for _, u := range []string{"file:///etc/passwd", "ftp://example.com/"} {
		_, err := get(httpx.New(httpx.Options{}), u)
		require.Equal(t, footy.CodeRejected, footy.CodeOf(err), u)
	}
}

func TestRedirectsEnd(t *testing.T) {
	t.Parallel()
	n := 0
	address, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { n++; http.Redirect(w, r, "/again", http.StatusFound) })
	_, err := get(httpx.New(httpx.Options{}), address)
	require.Error(t, err)
	require.LessOrEqual(t, n, 6)
}

func TestBodiesHaveALimit(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/chunked" {
			w.(http.Flusher).Flush()
		}
		_, _ = w.Write(bytes.Repeat([]byte("x"), 100))
	})
	for _, path := range []string{"/", "/chunked"} {
		for limit, ok := range map[int64]bool{99: false, 100: true} {
			resp, err := get(httpx.New(httpx.Options{}), address+path)
			require.NoError(t, err)
			data, err := httpx.ReadBody(resp, limit)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, ok, err == nil, "%s with limit %d: %v", path, limit, err)
			require.Equal(t, ok, len(data) == 100)
		}
	}
}

func TestTimeoutCoversTheBody(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	address, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush(); <-release })
	t.Cleanup(func() { close(release) })
	resp, err := get(httpx.New(httpx.Options{Timeout: 50 * time.Millisecond}), address)
	require.NoError(t, err)
	_, err = httpx.ReadBody(resp, 10)
	require.True(t, httpx.Timeout(err), "%v", err)
	require.NoError(t, resp.Body.Close())
}

func TestAStandInAnswersForEveryHost(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hosts/a.example/old":
			http.Redirect(w, r, "/new?x=1", http.StatusFound)
		case "/hosts/a.example/away":
			http.Redirect(w, r, "https://b.example/", http.StatusFound)
		case "/hosts/a.example/plain":
			http.Redirect(w, r, "http://a.example/", http.StatusFound)
		default:
			_, _ = io.WriteString(w, r.URL.RequestURI())
		}
	})
	c := httpx.New(httpx.Options{AllowHosts: []string{"a.example"}, OnlyHTTPS: true, Instead: address + "/hosts/"})
	resp, err := get(c, "https://a.example/old")
	require.NoError(t, err)
	defer httpx.Drain(resp)
	body, err := httpx.ReadBody(resp, 100)
	require.NoError(t, err)
	require.Equal(t, "/hosts/a.example/new?x=1", string(body))
	require.Equal(t, "https://a.example/new?x=1", resp.Request.URL.String())
	for _, path := range []string{"away", "plain"} {
		_, err = get(c, "https://a.example/"+path)
		require.Equal(t, footy.ReasonForbiddenURL, footy.ReasonOf(err), "the names are held to the list: %v", err)
	}
	for address, want := range map[string]bool{"https://a.example": true, "http://a.example": false, "http://127.0.0.1:80": true, "http://[::1]": true, "http://10.0.0.1": false} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		require.Equal(t, want, httpx.Secure(u), address)
	}
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	list := []string{"video.twimg.com", ".example.org", "127.0.0.1:8080"}
	for host, want := range map[string]bool{
		"video.twimg.com": true, "VIDEO.twimg.com:443": true, "video.twimg.com.": true, "evilvideo.twimg.com": false, "twimg.com": false,
		"a.example.org": true, "example.org": true, "badexample.org": false, "example.org.evil.com": false,
		"127.0.0.1:8080": true, "127.0.0.1:9090": false, "127.0.0.1": false, "": false,
	} {
		require.Equal(t, want, httpx.Allowed(host, list), host)
	}
	require.True(t, httpx.Allowed("anything", nil))
}

func TestPublic(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true,
		"127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "100.100.100.200": false,
		"0.0.0.0": false, "224.0.0.1": false, "255.255.255.255": false, "::1": false, "fe80::1": false, "fc00::1": false, "::ffff:127.0.0.1": false,
		"::ffff:10.0.0.1": false, "64:ff9b::7f00:1": false, "2002:7f00:1::": false, "::": false, "fe80::1%eth0": false,
	} {
		require.Equal(t, want, httpx.Public(netip.MustParseAddr(addr)), addr)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 7, 15, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{"": 0, "30": 30 * time.Second, "-3": 0, "soon": 0,
		"Sat, 07 Mar 2026 15:01:00 GMT": time.Minute, "Sat, 07 Mar 2026 14:01:00 GMT": 0} {
		require.Equal(t, want, httpx.RetryAfter(http.Header{"Retry-After": {value}}, now), value)
	}
}
