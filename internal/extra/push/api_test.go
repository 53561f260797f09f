package push_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/extra/push"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
)

func TestDevicesRegisterThroughTheAPI(t *testing.T) {
	t.Parallel()
	p := newPusher(t)
	s := webtest.New(t, p.options)
	var given struct{ Key string }
	require.NoError(t, json.Unmarshal([]byte(webtest.Text(t, s.Get("/api/v1/push"))), &given))
	key := given.Key
	require.Len(t, key, 87, "65 bytes in base64url")
	d := p.server.Browser()
	post := func(path string, body any, header ...string) *http.Response {
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		return s.Do(http.MethodPost, "/api/v1/push/"+path, raw, append(header, "Content-Type", "application/json")...)
	}
	device := map[string]any{"endpoint": d.Endpoint, "keys": map[string]string{"p256dh": d.P256dh, "auth": d.Auth}, "wish": push.Wish{Filter: news.Filter{All: true}, Goals: true, Zone: "Europe/Berlin"}}
	devices := func() int {
		n, err := p.push.Devices(t.Context())
		require.NoError(t, err)
		return n
	}
	res := post("device", device, "Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusForbidden, res.StatusCode, "another site registers nobody")
	require.Zero(t, devices())
	require.Equal(t, http.StatusOK, post("device", device).StatusCode)
	require.Equal(t, 1, devices())
	require.Equal(t, http.StatusOK, post("test", map[string]string{"endpoint": d.Endpoint}).StatusCode)
	require.Len(t, d.Messages(), 2, "that it is on, and the test")
	device["endpoint"] = "https://10.0.0.1/x"
	res = post("device", device)
	require.Equal(t, http.StatusBadRequest, res.StatusCode)
	require.Contains(t, webtest.Text(t, res), "PUSH_HOSTS")
	require.Equal(t, http.StatusOK, post("forget", map[string]string{"endpoint": d.Endpoint}).StatusCode)
	require.Zero(t, devices())
}
