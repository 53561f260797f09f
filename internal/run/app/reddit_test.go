package app_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
)

func TestRedditIsAskedBesideXOrAlone(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v1/access_token" {
			_, _ = w.Write([]byte(`{"access_token": "t", "expires_in": 86400}`))
			return
		}
		_, _ = w.Write([]byte(`{"kind": "Listing", "data": {"children": []}}`))
	}))
	t.Cleanup(site.Close)
	set := map[string]string{"REDDIT_CLIENT_ID": "app", "REDDIT_CLIENT_SECRET": "secret", "REDDIT_URL": site.URL, "REDDIT_API_URL": site.URL}
	alone := opened(t, parsed(t, set))
	require.Equal(t, "reddit", alone.Source.Name())
	require.Equal(t, source.StateEmpty, found(t, alone), "no account of X is needed")

	o := away(t)
	set["X_BEARER_TOKEN"], set["X_API_URL"] = "sesame", o.api.URL
	both := opened(t, parsed(t, set))
	require.Equal(t, "xapi,reddit", both.Source.Name())
	require.Equal(t, source.StateEmpty, found(t, both))
	require.EqualValues(t, 1, o.bought.Load())
}
