package limit

import (
	"net"
	"net/http"
	"time"
)

// Server serves with the time-outs and the count of connections that belong to these limits.
func (l *Limits) Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ConnState: l.connState,
		ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 32 << 10,
		// Each answer begins with this time; what takes longer gets more, piece by piece.
		WriteTimeout: time.Minute,
	}
}

// connState counts connections. It closes those that are too many even for a refusal.
func (l *Limits) connState(c net.Conn, state http.ConnState) {
	if state != http.StateNew && state != http.StateClosed && state != http.StateHijacked {
		return
	}
	addr := parse(c.RemoteAddr().String())
	own := !l.proxy(addr)
	addr = group(addr)
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.visitor(addr)
	if state != http.StateNew {
		v.conns--
		l.conns--
		return
	}
	v.conns++
	l.conns++
	if own && v.conns > l.opt.Bounds.ConnsMost || l.conns > l.opt.Bounds.ConnsAll {
		_ = c.Close() // its StateClosed comes, too
	}
}
