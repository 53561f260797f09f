package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"runtime"
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

// StreamBytes is what a live stream may take, its reader's connection counted.
const StreamBytes = 16 << 10

// TestAStreamIsSmall measures the memory of this process, so it runs beside no other test.
func TestAStreamIsSmall(t *testing.T) {
	s := newTestServer(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := s.Web.HTTP(s.Web.Handler())
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	var readers []net.Conn
	open := func(n int) uint64 {
		for range n {
			c, err := net.Dial("tcp", l.Addr().String())
			require.NoError(t, err)
			readers = append(readers, c)
			_, err = fmt.Fprintf(c, "GET /api/v1/stream HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", l.Addr(), adminToken) // which no limit counts
			require.NoError(t, err)
			status, err := bufio.NewReaderSize(c, 16).ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "HTTP/1.1 200 OK\r\n", status)
		}
		require.Eventually(t, func() bool { return s.Hub.Readers() == len(readers) }, time.Minute, 10*time.Millisecond)
		runtime.GC() // stacks shrink by half each time
		runtime.GC()
		return heap()
	}
	const more = 400
	before := open(20)
	each := (int64(open(more)) - int64(before)) / more
	t.Logf("a stream takes %d bytes", each)
	require.LessOrEqual(t, each, int64(StreamBytes))
	for _, c := range readers {
		require.NoError(t, c.Close())
	}
	require.Eventually(t, func() bool { return s.Hub.Readers() == 0 }, time.Minute, 10*time.Millisecond, "who left is written to no more")
}
