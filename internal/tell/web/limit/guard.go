package limit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

// Guard lets through what is within the limits. Refusals are one line each: a page with pictures for everybody who asks too much would
// be what they want.
func (l *Limits) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, p := time.Now(), &writer{ResponseWriter: w, to: http.NewResponseController(w), patience: l.opt.Bounds.Patience, status: http.StatusOK}
		if l.opt.Observe != nil {
			defer func() { l.opt.Observe(cmp.Or(r.Pattern, "none"), p.status, time.Since(began)) }() // of a stream, once it has begun
		}
		if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" { // they do no work, and their callers need the true state
			next.ServeHTTP(p, r)
			return
		}
		who, end, err := l.begin(r, l.cost(r))
		if err == nil {
			defer end()
			err = l.readBody(w, r)
		}
		if err != nil {
			refuse(p, r, err)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/stream") {
			end() // it counts as a stream; ending twice does nothing
		}
		inner := r.WithContext(context.WithValue(r.Context(), visitorKey{}, who))
		defer func() { r.Pattern = inner.Pattern }() // which Observe gets
		next.ServeHTTP(p, inner)
		if p.status == http.StatusUnauthorized && l.logsIn(r) {
			l.guessed(r)
		}
	})
}

// readBody reads the whole body before any work for it: one that comes a byte at a time holds up nothing else.
func (l *Limits) readBody(w http.ResponseWriter, r *http.Request) error {
	if r.Body == nil || r.ContentLength == 0 {
		return nil
	}
	most := l.opt.Bounds.Body
	if l.opt.SetsUp != nil && strings.HasPrefix(r.URL.Path, "/setup/") && l.opt.SetsUp(r) {
		most = max(most, l.opt.Bounds.SetupBody)
	}
	tooLarge := &answer.Error{Status: http.StatusRequestEntityTooLarge, Code: footy.CodeInvalid, Close: true, Message: "the body is too large"}
	if r.ContentLength > most {
		return tooLarge
	}
	to := http.NewResponseController(w)
	_ = to.SetReadDeadline(time.Now().Add(l.opt.Bounds.BodyTime)) // not supported by recorders in tests
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var large *http.MaxBytesError
	var late net.Error
	switch {
	case errors.As(err, &large):
		return tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &late) && late.Timeout():
		return &answer.Error{Status: http.StatusRequestTimeout, Code: footy.CodeInvalid, Close: true, Message: "the body did not come in time"}
	case err != nil:
		return &answer.Error{Status: http.StatusBadRequest, Code: footy.CodeInvalid, Close: true, Message: "the body broke off"}
	}
	_ = to.SetReadDeadline(time.Time{})
	r.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

func refuse(w http.ResponseWriter, r *http.Request, err error) {
	no, _ := answer.ErrorOf(err)
	answer.RetryAfter(w.Header(), err)
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if no.Close {
		h.Set("Connection", "close")
	}
	if strings.HasPrefix(r.URL.Path, "/api/") {
		no.WriteJSON(w, r)
		return
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(no.Status)
	_, _ = io.WriteString(w, no.Error()+"\n")
}

// writer gives up on a reader that takes nothing for a while, and remembers the status. The time is for each piece that is written, not for
// the whole: a clip may take minutes on a train.
type writer struct {
	http.ResponseWriter
	to       *http.ResponseController
	patience time.Duration
	status   int
}

// WriteHeader implements http.ResponseWriter.
func (w *writer) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *writer) Write(b []byte) (int, error) {
	_ = w.to.SetWriteDeadline(time.Now().Add(w.patience)) // not supported by recorders in tests
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController through.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

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
