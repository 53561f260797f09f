package postgres_test

import (
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/tools/devtest"
)

// proxy is the network between an adapter and its server. It can be cut at any message, and kept silent.
type proxy struct {
	url string
	to  string

	mu     sync.Mutex
	count  int // of the messages of the adapter that may still pass; negative: all
	late   bool
	down   bool // after the cut nobody comes through
	silent chan struct{}
	open   map[net.Conn]bool
}

// between starts a proxy before a server.
func between(t *testing.T, server *devtest.Postgres) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{to: "127.0.0.1:" + server.Port, count: -1, open: map[net.Conn]bool{}}
	p.url = as(t, server.URL, func(u *url.URL) { u.Host = l.Addr().String() })
	t.Cleanup(func() {
		l.Close()
		p.cut()
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(c)
		}
	}()
	return p
}

// cutAt has the network fail at the message after n more: before the server has it or, late, after it was carried out. Then it stays
// down, or is there for new connections.
func (p *proxy) cutAt(n int, late, down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count, p.late, p.down = n, late, down
}

// up mends the network.
func (p *proxy) up() { p.cutAt(-1, false, false) }

// silence lets nothing through and closes nothing, until the test ends.
func (p *proxy) silence(t *testing.T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.silent = make(chan struct{})
	t.Cleanup(func() { close(p.silent) })
}

// pass says what becomes of a message of the adapter.
func (p *proxy) pass() (forward, answer bool, wait chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.count > 0:
		p.count--
	case p.count == 0 && p.late:
		p.count = -1
		return true, false, p.silent
	case p.count == 0:
		p.count = -1
		return false, false, p.silent
	}
	return true, true, p.silent
}

func (p *proxy) serve(c net.Conn) {
	p.mu.Lock()
	down := p.down && p.count < 0 // the cut was
	p.mu.Unlock()
	s, err := net.Dial("tcp", p.to)
	if err != nil || down {
		c.Close()
		return
	}
	p.mu.Lock()
	p.open[c], p.open[s] = true, true
	p.mu.Unlock()
	answers := make(chan struct{}, 1)
	var muted sync.Mutex // held while the answer to the last message must not arrive
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, err := s.Read(buf)
			select {
			case answers <- struct{}{}:
			default:
			}
			muted.Lock()
			if err == nil {
				_, err = c.Write(buf[:n])
			}
			muted.Unlock()
			if err != nil {
				c.Close()
				return
			}
		}
	}()
	buf := make([]byte, 1<<16)
	for {
		n, err := c.Read(buf)
		if err != nil {
			s.Close()
			return
		}
		forward, answer, wait := p.pass()
		if wait != nil {
			<-wait
		}
		if !answer {
			muted.Lock() // for good: this connection is over
		}
		if forward && !answer {
			select {
			case <-answers: // to an earlier message
			default:
			}
		}
		if forward {
			_, _ = s.Write(buf[:n])
		}
		if !answer {
			if forward {
				<-answers
			}
			p.cut()
			muted.Unlock()
			return
		}
	}
}

// cut closes every connection.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		c.Close()
	}
	clear(p.open)
}
