package browser_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
	"github.com/found-footy/found-footy/tools/devtest"
)

const token = "logged-in"

// bench is a service in front of a simulated X, with a real Chromium.
type bench struct {
	*browser.Service
	site    *xsite.Site
	url     string // of X
	opts    browser.Options
	mu      sync.Mutex
	notices []browser.Notice
	logged  bytes.Buffer
}

// Write takes the service's log.
func (b *bench) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.logged.Write(p)
}

func (b *bench) log() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.logged.String()
}

// setup starts a simulated X and a service whose cookie file holds its session.
func setup(t *testing.T, o xsite.Options, change func(*browser.Options)) *bench {
	t.Helper()
	t.Parallel()
	return setupSerial(t, o, change)
}

func setupSerial(t *testing.T, o xsite.Options, change func(*browser.Options)) *bench {
	t.Helper()
	b := &bench{}
	program := devtest.Chromium(t)
	o.Prefix, o.Sessions = "/x", []string{token}
	b.site = xsite.New(o)
	srv := httptest.NewServer(b.site)
	t.Cleanup(srv.Close)
	b.url = srv.URL + "/x"
	b.opts = browser.Options{BaseURL: b.url, Dir: t.TempDir(), Chromium: program, SearchTimeout: 30 * time.Second,
		Headless: true, Log: slog.New(slog.NewTextHandler(b, nil)), ScrollTimeout: 20 * time.Second, Notify: func(n browser.Notice) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.notices = append(b.notices, n)
		}}
	if change != nil {
		change(&b.opts)
	}
	b.bringCookies(t, token)
	b.Service = browser.New(b.opts)
	t.Cleanup(b.Close)
	return b
}

// bringCookies is what a person does with an export.
func (b *bench) bringCookies(t *testing.T, token string) {
	t.Helper()
	if token == "" {
		return
	}
	raw, err := json.Marshal([]map[string]any{
		{"name": "auth_token", "value": token, "domain": "127.0.0.1", "path": "/", "httpOnly": true, "expirationDate": time.Now().AddDate(1, 0, 0).Unix()},
		{"name": "ct0", "value": xsite.CSRF(token), "domain": "127.0.0.1", "path": "/", "expirationDate": time.Now().AddDate(1, 0, 0).Unix()},
	})
	require.NoError(t, err)
	n, err := browser.ImportCookies(raw, b.opts)
	require.NoError(t, err)
	require.Equal(t, 2, n)
}

func (b *bench) told() []browser.Notice {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]browser.Notice(nil), b.notices...)
}

// posts are n posts, one a second, newest first.
func posts(n int) []xsite.Post {
	now := time.Now().Truncate(time.Second)
	var out []xsite.Post
	for i := range n {
		at := now.Add(-time.Duration(i) * time.Second)
		out = append(out, xsite.Post{ID: snowflake.At(at, i), Author: fmt.Sprintf("fan%d", i), Text: fmt.Sprintf("goal %d", i), At: at,
			DurationMS: 9000 + i, Width: 640, Height: 360, VideoURL: "https://video.twimg.com/ext_tw_video/1/pu/vid/640x360/a.mp4"})
	}
	return out
}

func always(p []xsite.Post) func(string) []xsite.Post { return func(string) []xsite.Post { return p } }

// faultAt goes wrong at one call and at no other.
func faultAt(n int, f xsite.Fault) func(int, string, string) xsite.Fault {
	return func(call int, _, _ string) xsite.Fault {
		if call == n {
			return f
		}
		return xsite.None
	}
}

// switched is a fault that a test changes while the site runs; none at first.
type switched struct{ v atomic.Value }

func (s *switched) set(f xsite.Fault) { s.v.Store(f) }

func (s *switched) now() xsite.Fault {
	f, _ := s.v.Load().(xsite.Fault)
	return f
}

func (s *switched) fault(int, string, string) xsite.Fault { return s.now() }

// serve runs the service on a port of its own and returns its address.
func (b *bench) serve(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	return "http://" + l.Addr().String()
}
