package app_test

import (
	"net/url"
	"testing"

	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/stretchr/testify/require"
)

func TestWhereViewersGetClips(t *testing.T) {
	t.Parallel()
	at := func(vars map[string]string, as string) (origin, address string) {
		t.Helper()
		set := map[string]string{"S3_ENDPOINT": "http://objects:8333", "S3_ACCESS_KEY": "key", "S3_SECRET_KEY": "secret"}
		for k, v := range vars {
			set[k] = v
		}
		c, err := config.Parse(set)
		require.NoError(t, err)
		where, err := app.ClipsElsewhere(c)
		require.NoError(t, err)
		if where == nil {
			return "", ""
		}
		address, err = where.Address(t.Context(), "clips/1/a b.mp4", as)
		require.NoError(t, err)
		return where.Origin, address
	}
	origin, _ := at(nil, "")
	require.Empty(t, origin, "the page passes bytes on itself")

	origin, address := at(map[string]string{"S3_PUBLIC_URL": "https://clips.example.org/"}, "")
	require.Equal(t, "https://clips.example.org", origin)
	u, err := url.Parse(address)
	require.NoError(t, err)
	require.Equal(t, "https://clips.example.org/footy-videos/clips/1/a b.mp4", u.Scheme+"://"+u.Host+u.Path)
	require.Equal(t, "21600", u.Query().Get("X-Amz-Expires"))
	require.NotContains(t, address, "secret")

	cdn := map[string]string{"S3_PUBLIC_URL": "https://cdn.example.org/footy", "S3_PUBLIC_SIGNED": "false"}
	origin, address = at(cdn, "")
	require.Equal(t, "https://cdn.example.org", origin)
	require.Equal(t, "https://cdn.example.org/footy/clips/1/a%20b.mp4", address)
	_, address = at(cdn, "goal.mp4")
	require.Empty(t, address, "a CDN gives a file no name: the page does it itself")

	for want, vars := range map[string]map[string]string{
		`S3_PUBLIC_URL="https://clips.example.org" is where viewers reach an object store, and none is set`:        {"S3_PUBLIC_URL": "https://clips.example.org"},
		`S3_PUBLIC_URL="https://clips.example.org/footy" has a path, which a signature does not allow: leave /foo`: {"S3_PUBLIC_URL": "https://clips.example.org/footy", "S3_ENDPOINT": "o:1", "S3_ACCESS_KEY": "k", "S3_SECRET_KEY": "s"},
	} {
		_, err := config.Parse(vars)
		require.ErrorContains(t, err, want)
	}
}
