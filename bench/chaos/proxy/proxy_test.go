package proxy_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/proxy"
)

func TestTroubleBeginsAndEnds(t *testing.T) {
	t.Parallel()
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) }))
	defer up.Close()
	p := proxy.New()
	defer p.Close()
	at, err := p.Add(t.Context(), "up", strings.TrimPrefix(up.URL, "http://"))
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	ask := func(patience time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at, nil)
		require.NoError(t, err)
		res, err := client.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		_, err = io.ReadAll(res.Body)
		return err
	}
	require.NoError(t, ask(time.Minute))
	for name, begin := range map[string]func() (func() error, error){
		"cut":       func() (func() error, error) { return p.Cut("up") },
		"half-open": func() (func() error, error) { return p.Poison("up", proxy.HalfOpen) },
		"slow":      func() (func() error, error) { return p.Poison("up", proxy.Slow) },
		"reset":     func() (func() error, error) { return p.Poison("up", proxy.Reset) },
	} {
		end, err := begin()
		require.NoError(t, err, name)
		require.Error(t, ask(700*time.Millisecond), name)
		require.NoError(t, end(), name)
		require.Eventually(t, func() bool { return ask(10*time.Second) == nil }, time.Minute, 50*time.Millisecond, name)
	}
	_, err = p.Cut("nobody")
	require.Error(t, err)
}
