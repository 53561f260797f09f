package httpx_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// through is a client of somebody else's that goes through a proxy of ours.
func through(t *testing.T, o httpx.Options, tls *httptest.Server) (*httpx.Proxy, *http.Client) {
	t.Helper()
	p, err := httpx.NewProxy(o)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	u, err := url.Parse(p.URL)
	require.NoError(t, err)
	transport := tls.Client().Transport.(*http.Transport).Clone()
	transport.Proxy = http.ProxyURL(u)
	return p, &http.Client{Transport: transport}
}

func TestAProxyLeadsToAllowedHostsOnly(t *testing.T) {
	t.Parallel()
	asked := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://169.254.169.254/secret", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "a clip")
	}
	plain, tls := httptest.NewServer(http.HandlerFunc(asked)), httptest.NewTLSServer(http.HandlerFunc(asked))
	t.Cleanup(plain.Close)
	t.Cleanup(tls.Close)
	for _, from := range []string{plain.URL, tls.URL} {
		p, client := through(t, httpx.Options{AllowHosts: []string{".127.0.0.1"}}, tls)
		resp, err := get(client, from)
		require.NoError(t, err)
		body, err := httpx.ReadBody(resp, 100)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, "a clip", string(body))
		require.NoError(t, p.Refused())

		resp, err = get(client, from+"/away")
		require.NoError(t, err)
		httpx.Drain(resp)
		require.Equal(t, http.StatusForbidden, resp.StatusCode)
		require.Equal(t, footy.ReasonForbiddenURL, footy.ReasonOf(p.Refused()))
		require.ErrorContains(t, p.Refused(), "169.254.169.254")

		for _, o := range []httpx.Options{{AllowHosts: []string{"clips.example"}}, {AllowHosts: []string{".127.0.0.1"}, DenyPrivate: true}} {
			p, client := through(t, o, tls)
			if resp, err := get(client, from); err == nil {
				httpx.Drain(resp)
				require.Equal(t, http.StatusForbidden, resp.StatusCode)
			}
			require.Error(t, p.Refused())
			require.Equal(t, footy.CodeRejected, footy.CodeOf(httpx.Fault("fetch", p.Refused())))
		}
	}
}

func TestAProxyEndsWithItsTunnels(t *testing.T) {
	t.Parallel()
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(silent.Close)
	p, err := httpx.NewProxy(httpx.Options{})
	require.NoError(t, err)
	u, err := url.Parse(p.URL)
	require.NoError(t, err)
	var dialer net.Dialer
	c, err := dialer.DialContext(t.Context(), "tcp", u.Host)
	require.NoError(t, err)
	_, err = io.WriteString(c, "CONNECT "+silent.Listener.Addr().String()+" HTTP/1.1\r\n\r\n")
	require.NoError(t, err)
	answer := make([]byte, 12)
	_, err = io.ReadFull(c, answer)
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 200", string(answer))
	p.Close()
	_, err = io.Copy(io.Discard, c)
	if err != nil { // closed, however it is called
		require.ErrorContains(t, err, "reset")
	}
	require.NoError(t, c.Close())
}
