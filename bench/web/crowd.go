package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// crowd are the readers of the live stream.
type crowd struct {
	addr  string
	mu    sync.Mutex
	conns []net.Conn
	full  int // readers that read

	sent  time.Time // of the change under way
	notes int
	took  []time.Duration
}

func newCrowd(addr string) *crowd { return &crowd{addr: addr} }

// join adds readers and waits until each is connected.
func (c *crowd) join(ctx context.Context, n int) error {
	connected := make(chan struct{}, n)
	for range n {
		conn, err := c.dial(ctx)
		if err != nil {
			return err
		}
		go c.read(conn, connected)
	}
	for range n {
		select {
		case <-connected:
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Second):
			return fmt.Errorf("not all of %d readers were let in", n)
		}
	}
	c.full += n
	return nil
}

// ignore adds readers that ask and then read nothing.
func (c *crowd) ignore(ctx context.Context, n int) error {
	for range n {
		conn, err := c.dial(ctx)
		if err != nil {
			return err
		}
		if t, ok := conn.(*net.TCPConn); ok {
			_ = t.SetReadBuffer(1)
		}
	}
	return nil
}

func (c *crowd) dial(ctx context.Context) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.addr)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.conns = append(c.conns, conn)
	c.mu.Unlock()
	_, err = fmt.Fprintf(conn, "GET /api/v1/stream HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\n\r\n", c.addr, token)
	return conn, err
}

func (c *crowd) read(conn net.Conn, connected chan<- struct{}) {
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		switch strings.TrimSpace(lines.Text()) {
		case "event: connected":
			connected <- struct{}{}
		case "event: invalidate":
			at := time.Now()
			c.mu.Lock()
			c.took = append(c.took, at.Sub(c.sent))
			c.mu.Unlock()
		}
	}
}

// published notes that a change is being announced now.
func (c *crowd) published() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = time.Now()
	c.notes++
}

func (c *crowd) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.took, c.notes = nil, 0
}

// heard tells how long changes took to reach readers, and how many of the notes did.
func (c *crowd) heard() (p50, p99, worst time.Duration, heard, of int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	slices.Sort(c.took)
	if n := len(c.took); n > 0 {
		p50, p99, worst = c.took[n/2], c.took[n*99/100], c.took[n-1]
	}
	return p50, p99, worst, len(c.took), c.notes * c.full
}

func (c *crowd) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		_ = conn.Close()
	}
}
