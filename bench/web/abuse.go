package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const adminToken = "the operator's token of this run"

// attack is what an attacker gets to see, by status; 0 is a connection that ended without an answer.
type attack struct {
	addr  string
	mu    sync.Mutex
	seen  map[int]int
	conns []net.Conn
}

// from is an address of this machine: Linux answers to all of 127.0.0.0/8.
func from(i int) string { return fmt.Sprintf("127.1.%d.%d", i/250, i%250+1) }

func dialer(local string) *net.Dialer {
	return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(local)}}
}

func client(local string) *http.Client {
	return &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DialContext: dialer(local).DialContext, MaxIdleConnsPerHost: 32},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func (a *attack) note(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen[status]++
}

// report prints what was answered, and fails on what must never be.
func (a *attack) report(what string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var parts []string
	var wrong error
	for _, status := range slices.Sorted(maps.Keys(a.seen)) {
		parts = append(parts, fmt.Sprintf("%d: %d", status, a.seen[status]))
		if status >= 500 && status != http.StatusServiceUnavailable {
			wrong = fmt.Errorf("%s: %d answers of %d", what, a.seen[status], status)
		}
	}
	fmt.Printf("  %-58s %s\n", what, strings.Join(parts, ", "))
	a.seen = map[int]int{}
	return wrong
}

// stream asks for the live stream and keeps it, if it is let in.
func (a *attack) stream(ctx context.Context, local string) {
	conn, err := dialer(local).DialContext(ctx, "tcp", a.addr)
	if err != nil {
		a.note(0)
		return
	}
	_, _ = fmt.Fprintf(conn, "GET /api/v1/stream HTTP/1.1\r\nHost: %s\r\n\r\n", a.addr)
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	res, err := http.ReadResponse(bufio.NewReader(conn), nil) //nolint:bodyclose // its connection is kept or closed
	if err != nil {
		a.note(0)
		_ = conn.Close()
		return
	}
	a.note(res.StatusCode)
	if res.StatusCode != http.StatusOK {
		_ = conn.Close()
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.conns = append(a.conns, conn)
}

// silent asks for much and reads nothing.
func (a *attack) silent(ctx context.Context, local string) error {
	conn, err := dialer(local).DialContext(ctx, "tcp", a.addr)
	if err != nil {
		return err
	}
	if t, ok := conn.(*net.TCPConn); ok {
		_ = t.SetReadBuffer(1)
	}
	a.mu.Lock()
	a.conns = append(a.conns, conn)
	a.mu.Unlock()
	for range 20 {
		_, _ = fmt.Fprintf(conn, "GET /api/v1/fixtures?limit=500 HTTP/1.1\r\nHost: %s\r\n\r\n", a.addr) // fails where it was refused
	}
	return nil
}

func (a *attack) get(ctx context.Context, c *http.Client, path string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+a.addr+path, nil)
	if err != nil {
		return
	}
	a.send(c, req)
}

func (a *attack) send(c *http.Client, req *http.Request) {
	res, err := c.Do(req)
	if err != nil {
		if req.Context().Err() == nil {
			a.note(0)
		}
		return
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	a.note(res.StatusCode)
}

// rate asks so often a second for a while, by turns from each client.
func (a *attack) rate(ctx context.Context, perSecond int, length time.Duration, path string, clients ...*http.Client) {
	tick := time.NewTicker(time.Second / time.Duration(perSecond))
	defer tick.Stop()
	var all sync.WaitGroup
	defer all.Wait()
	for i := range int(length.Seconds() * float64(perSecond)) {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		all.Go(func() { a.get(ctx, clients[i%len(clients)], path) })
	}
}

func (a *attack) logIn(ctx context.Context, c *http.Client, token string) (session string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+a.addr+"/admin/login", strings.NewReader(url.Values{"token": {token}}.Encode()))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := c.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	a.note(res.StatusCode)
	for _, cookie := range res.Cookies() {
		session = cookie.String()
	}
	return session, nil
}

// abuse is everything at once that a page off loopback must live through.
func abuse(ctx context.Context, p *page, day string) error {
	a := &attack{addr: p.addr(), seen: map[int]int{}}
	defer func() {
		for _, c := range a.conns {
			_ = c.Close()
		}
	}()
	var most atomic.Int64
	watching, done := context.WithCancel(ctx)
	defer done()
	go watchFiles(watching, p.cmd.Process.Pid, &most)
	figures := func(err error) error {
		if err != nil {
			return err
		}
		peak, err := peakMemory(p.cmd.Process.Pid)
		fmt.Printf("  %-58s %s resident at most, %d files open at most\n", "", peak, most.Load())
		return err
	}
	fmt.Println("abuse, answers by status (0: closed without one):")
	one := "127.0.0.9"
	for range 2000 {
		a.stream(ctx, one)
	}
	if err := figures(a.report("2,000 streams from one address")); err != nil {
		return err
	}
	for i := range 2000 {
		a.stream(ctx, from(i/10))
	}
	if err := figures(a.report("2,000 streams from 200 addresses, beside them")); err != nil {
		return err
	}
	a.rate(ctx, 500, 5*time.Second, day, client(one))
	if err := figures(a.report("500 requests a second from one address, 5 s")); err != nil {
		return err
	}
	var many []*http.Client
	for i := range 500 {
		many = append(many, client(from(i)))
	}
	a.rate(ctx, 500, 5*time.Second, day, many...)
	if err := figures(a.report("500 requests a second from 500 addresses, 5 s")); err != nil {
		return err
	}
	for i := range 400 {
		if err := a.silent(ctx, from(i/4)); err != nil {
			return err
		}
	}
	a.rate(ctx, 5, 5*time.Second, day, client("127.0.0.1"))
	if err := figures(a.report("400 slow readers of 20 lists each; a reader beside them")); err != nil {
		return err
	}
	a.rate(ctx, 500, 3*time.Second, "/health", many...)
	if err := figures(a.report("GET /health 500 times a second, 3 s")); err != nil {
		return err
	}
	return figures(a.guesses(ctx))
}

// guesses tries wrong tokens while the operator signs in, from elsewhere and with a session from the same place.
func (a *attack) guesses(ctx context.Context) error {
	attacker, operator := client("127.0.0.66"), client("127.0.0.1")
	session, err := a.logIn(ctx, client("127.0.0.66"), adminToken)
	if err != nil || session == "" {
		return fmt.Errorf("the operator could not sign in before: %w", err)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for i := range 500 {
				_, _ = a.logIn(ctx, attacker, fmt.Sprint("guess ", i))
			}
		})
	}
	right := 0
	for range 20 {
		if s, err := a.logIn(ctx, operator, adminToken); err == nil && s != "" {
			right++
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+a.addr+"/admin", nil)
		if err != nil {
			return err
		}
		req.Header.Set("Cookie", session)
		a.send(attacker, req)
	}
	all.Wait()
	err = a.report("10,000 wrong log-ins, and 20 right ones from elsewhere")
	fmt.Printf("  %-58s %d of 20 right log-ins\n", "", right)
	if err == nil && right < 20 {
		err = fmt.Errorf("the operator was locked out %d times", 20-right)
	}
	return err
}

func watchFiles(ctx context.Context, pid int, most *atomic.Int64) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		if files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid)); err == nil {
			most.Store(max(most.Load(), int64(len(files))))
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

func peakMemory(pid int) (string, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			var n int
			_, err := fmt.Sscan(kb, &n)
			return fmt.Sprintf("%d MB", n>>10), err
		}
	}
	return "", fmt.Errorf("process %d does not tell its memory", pid)
}
