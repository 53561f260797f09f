package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

// TestServeForLoad serves a day of 200 fixtures on LOAD_ADDR (and the same bytes from a bare handler on the next port)
// for LOAD_FOR, changing a fixture each second, with 500 readers of the stream and one that reads nothing. Point a load
// tool at it; scripts/load does.
func TestServeForLoad(t *testing.T) {
	addr := os.Getenv("LOAD_ADDR")
	if addr == "" {
		t.Skip("LOAD_ADDR is not set")
	}
	length, err := time.ParseDuration(os.Getenv("LOAD_FOR"))
	require.NoError(t, err)
	s := newTestServer(t)
	s.crowd()
	l, err := net.Listen("tcp", addr)
	require.NoError(t, err)
	server := &http.Server{Handler: s.Web.Handler(), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(l) }()
	host, port, _ := net.SplitHostPort(addr)
	var n int
	_, _ = fmt.Sscan(port, &n)
	res := s.Do(http.MethodGet, dayPath, nil, "Accept-Encoding", "gzip")
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	header := res.Header
	bare := &http.Server{Addr: fmt.Sprintf("%s:%d", host, n+1), ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for k, v := range header {
			w.Header()[k] = v
		}
		_, _ = w.Write(body)
	})}
	go func() { _ = bare.ListenAndServe() }()
	t.Logf("day page: %d bytes compressed", len(body))

	before := heap()
	var notes atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var group sync.WaitGroup
	for range 500 {
		group.Go(func() { read(ctx, addr, &notes) })
	}
	stuck, err := net.Dial("tcp", addr) // reads nothing, ever
	require.NoError(t, err)
	defer func() { _ = stuck.Close() }()
	_, _ = fmt.Fprintf(stuck, "GET /api/v1/stream HTTP/1.1\r\nHost: x\r\n\r\n")
	require.Eventually(t, func() bool { return s.Hub.Readers() == 501 }, time.Minute, 10*time.Millisecond)
	t.Logf("memory of a reader, both ends: %d bytes", (heap()-before)/501)

	published, end := int64(0), time.Now().Add(length)
	var worst time.Duration
	for i := 0; time.Now().Before(end); i++ {
		sent := notes.Load()
		s.Update(int64(7000+i%200), func(f *footy.Fixture) { f.Score = footy.ScoreOf(1+i, 1) })
		published++
		began := time.Now()
		for notes.Load() < sent+500 && time.Since(began) < 10*time.Second {
			<-time.After(time.Millisecond)
		}
		worst = max(worst, time.Since(began))
		<-time.After(time.Until(began.Add(time.Second)))
	}
	t.Logf("%d changes; the slowest reached all 500 readers after %v; readers now %d, dropped %d", published, worst, s.Hub.Readers(), s.Hub.Dropped())
	require.Equal(t, published*500, notes.Load(), "every reader heard of every change")
	cancel()
	_ = server.Close()
	_ = bare.Close()
	group.Wait()
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

func read(ctx context.Context, addr string, notes *atomic.Int64) {
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/api/v1/stream", nil)
	res, err := (&http.Transport{}).RoundTrip(req)
	if err != nil {
		return
	}
	defer func() { _ = res.Body.Close() }()
	scan := bufio.NewScanner(res.Body)
	for scan.Scan() {
		if strings.HasPrefix(scan.Text(), "event: invalidate") {
			notes.Add(1)
		}
	}
}
