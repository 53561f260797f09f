package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

type event struct {
	name string
	data map[string]any
}

// listen opens a stream and returns its events as they come.
func (s *testServer) listen() <-chan event {
	s.T.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s.T.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.HTTP.URL+"/api/v1/stream", nil)
	require.NoError(s.T, err)
	res, err := s.HTTP.Client().Do(req)
	require.NoError(s.T, err)
	require.Equal(s.T, "text/event-stream; charset=utf-8", res.Header.Get("Content-Type"))
	out := make(chan event, 100)
	go func() {
		defer close(out)
		defer func() { _ = res.Body.Close() }()
		scan, e := bufio.NewScanner(res.Body), event{}
		for scan.Scan() {
			if v, ok := strings.CutPrefix(scan.Text(), "event: "); ok {
				e.name = v
			} else if v, ok := strings.CutPrefix(scan.Text(), "data: "); ok {
				e.data = map[string]any{}
				_ = json.Unmarshal([]byte(v), &e.data)
			} else if scan.Text() == "" && e.name != "" {
				out <- e
				e = event{}
			}
		}
	}()
	return out
}

func wait(t *testing.T, c <-chan event) (event, bool) {
	t.Helper()
	select {
	case e, ok := <-c:
		return e, ok
	case <-time.After(20 * time.Second):
		require.Fail(t, "nothing came")
		return event{}, false
	}
}

func TestStreamTellsWhatChanged(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	c := s.listen()
	e, _ := wait(t, c)
	require.Equal(t, "connected", e.name)
	s.Hub.Publish(stream.EntityFixture, "12", "13")
	late, _ := wait(t, s.listen())
	require.Contains(t, late.data, "quiet_ms", "a page that was drawn before that has missed something")
	e, _ = wait(t, c)
	require.Equal(t, "invalidate", e.name)
	require.Equal(t, map[string]any{"entity": "fixture", "ids": []any{"12", "13"}}, e.data)
	s.Web.Close()
	_, ok := wait(t, c)
	require.False(t, ok, "closing the server ends its streams")
}
