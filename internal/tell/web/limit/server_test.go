package limit_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/web/limit"
	"github.com/found-footy/found-footy/tools/devtest"
)

// serve runs a guarded handler on a real connection.
func serve(t *testing.T, change func(*limit.Options), h http.HandlerFunc) (addr string) {
	t.Helper()
	o := limit.Options{Bounds: limit.Defaults(), Now: time.Now, SignedIn: func(*http.Request) bool { return false },
		Bearer: func(*http.Request) (sent, right bool) { return false, false }, Cost: func(*http.Request) limit.Cost { return limit.Page }}
	if change != nil {
		change(&o)
	}
	limits := limit.New(o)
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	srv := limits.Server(limits.Guard(h))
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })
	return l.Addr().String()
}

func dial(t *testing.T, addr, request string) net.Conn {
	t.Helper()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	_, err = io.WriteString(c, request)
	require.NoError(t, err)
	return c
}

// answered reads an answer; 0: the connection ended without one.
func answered(t *testing.T, c net.Conn) int {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	if res.StatusCode >= 400 && res.StatusCode != http.StatusTeapot {
		require.True(t, res.Close, "a refusal of a connection ends it")
	}
	return res.StatusCode
}

func TestAReaderThatTakesNothingIsLeft(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "clip")
	require.NoError(t, os.WriteFile(file, bytes.Repeat([]byte("x"), 64<<20), 0o600)) // more than any socket buffer
	for name, send := range map[string]func(io.Writer, *os.File) error{
		"of a file":   func(w io.Writer, f *os.File) error { _, err := io.CopyN(w, f, 64<<20); return err },
		"of a memory": func(w io.Writer, _ *os.File) error { _, err := w.Write(make([]byte, 64<<20)); return err },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ended := make(chan error, 1)
			addr := serve(t, func(o *limit.Options) { o.Bounds.Patience = 50 * time.Millisecond }, func(w http.ResponseWriter, _ *http.Request) {
				f, err := os.Open(file)
				if err == nil {
					err = send(w, f)
					_ = f.Close()
				}
				ended <- err
			})
			dial(t, addr, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			select {
			case err := <-ended:
				require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			case <-time.After(30 * time.Second):
				require.Fail(t, "it still waits")
			}
		})
	}
}

func TestAReaderThatIsSlowGetsAllOfIt(t *testing.T) {
	t.Parallel()
	const size = 3*64<<10 + 17
	body := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
	file := filepath.Join(t.TempDir(), "clip")
	require.NoError(t, os.WriteFile(file, body, 0o600))
	addr := serve(t, nil, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) })
	for ranges, want := range map[string][]byte{"": body, "bytes=5-": body[5:], "bytes=70000-70001": body[70000:70002]} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+"/clip", nil)
		require.NoError(t, err)
		if ranges != "" {
			req.Header.Set("Range", ranges)
		}
		res, err := devtest.Client.Do(req)
		require.NoError(t, err)
		got, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.True(t, bytes.Equal(want, got), ranges)
	}
}

func TestABodyIsReadBeforeAnybodyWorksForIt(t *testing.T) {
	t.Parallel()
	addr := serve(t, func(o *limit.Options) { o.Bounds.BodyTime = 50 * time.Millisecond }, func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil || string(b) != "hello" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusTeapot)
	})
	const head = "POST / HTTP/1.1\r\nHost: x\r\n"
	for name, tc := range map[string]struct {
		request string
		want    int
	}{
		"whole":                      {head + "Content-Length: 5\r\n\r\nhello", http.StatusTeapot},
		"in chunks":                  {head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", http.StatusTeapot},
		"never":                      {head + "Content-Length: 5\r\n\r\nhel", http.StatusRequestTimeout},
		"too long by what it says":   {head + "Content-Length: 999999999\r\n\r\nhello", http.StatusRequestEntityTooLarge},
		"too long by what comes":     {head + "Transfer-Encoding: chunked\r\n\r\n4001\r\n" + strings.Repeat("x", 16385) + "\r\n0\r\n\r\n", http.StatusRequestEntityTooLarge},
		"headers of 80 KB before it": {head + "X: " + strings.Repeat("x", 80<<10) + "\r\n\r\n", http.StatusRequestHeaderFieldsTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, answered(t, dial(t, addr, tc.request)))
		})
	}
}

func TestConnectionsOfOneAddressAreCounted(t *testing.T) {
	t.Parallel()
	const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	addr := serve(t, func(o *limit.Options) { o.Bounds.Conns, o.Bounds.ConnsMost, o.Bounds.ConnsAll = 3, 5, 7 }, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	})
	var kept []net.Conn
	for range 3 { // each is kept alive
		c := dial(t, addr, get)
		require.Equal(t, http.StatusTeapot, answered(t, c))
		kept = append(kept, c)
	}
	silent := []net.Conn{dial(t, addr, ""), dial(t, addr, "")}
	require.Eventually(t, func() bool {
		_, err := io.WriteString(kept[0], get)
		return err == nil && answered(t, kept[0]) == http.StatusTooManyRequests
	}, time.Minute, time.Millisecond, "above three a request is refused and its connection closed")
	for _, c := range append(kept, silent...) {
		require.NoError(t, c.Close())
	}
	require.Eventually(t, func() bool {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
		if err != nil {
			return false
		}
		defer c.Close()
		_, err = fmt.Fprint(c, get)
		return err == nil && answered(t, c) == http.StatusTeapot
	}, time.Minute, 10*time.Millisecond, "those that ended count no more")
}

func TestAFloodOfConnectionsIsClosed(t *testing.T) {
	t.Parallel()
	const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	addr := serve(t, func(o *limit.Options) { o.Bounds.Conns, o.Bounds.ConnsMost = 5, 5 }, func(http.ResponseWriter, *http.Request) {})
	for range 5 {
		require.Equal(t, http.StatusOK, answered(t, dial(t, addr, get)), "kept alive")
	}
	for range 20 {
		c := dial(t, addr, "")
		_, _ = io.WriteString(c, get) // fails where it is closed already
		require.Zero(t, answered(t, c), "not even refused")
	}
}
