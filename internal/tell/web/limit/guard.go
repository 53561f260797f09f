package limit

import (
	"bytes"
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
		if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" { // they do no work, and whoever asks them must hear the truth
			next.ServeHTTP(w, r)
			return
		}
		who, end, err := l.begin(r, l.cost(r))
		if err == nil {
			defer end()
			err = l.readBody(w, r)
		}
		if err != nil {
			refuse(w, r, err)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/stream") {
			end() // it counts as a stream; ending twice does nothing
		}
		p := &patient{ResponseWriter: w, to: http.NewResponseController(w), patience: l.opt.Bounds.Patience, status: http.StatusOK}
		inner := r.WithContext(context.WithValue(r.Context(), visitorKey{}, who))
		defer func() { r.Pattern = inner.Pattern }() // which metrics read
		next.ServeHTTP(p, inner)
		if p.status == http.StatusUnauthorized && l.logsIn(r) {
			l.guessed(r)
		}
	})
}

// readBody reads the whole body before anybody works for it: one that comes a byte at a time holds up nothing else.
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
	_, _ = io.WriteString(w, no.Message+"\n")
}

// patient gives up on a reader that takes nothing for a while. The time is for each piece, not for the whole: a clip may take minutes on
// a train.
type patient struct {
	http.ResponseWriter
	to       *http.ResponseController
	patience time.Duration
	status   int
}

// piece is what must be taken within the patience: 3 KB a second are slower than any line that plays video.
const piece = 64 << 10

// WriteHeader implements http.ResponseWriter.
func (p *patient) WriteHeader(status int) {
	p.status = status
	p.wait()
	p.ResponseWriter.WriteHeader(status)
}

func (p *patient) wait() { _ = p.to.SetWriteDeadline(time.Now().Add(p.patience)) } // not supported by recorders in tests

// Write implements http.ResponseWriter.
func (p *patient) Write(b []byte) (n int, err error) {
	for {
		p.wait()
		m, err := p.ResponseWriter.Write(b[:min(piece, len(b))])
		n, b = n+m, b[m:]
		if err != nil || len(b) == 0 {
			return n, err
		}
	}
}

// ReadFrom keeps sendfile, by which clips are sent.
func (p *patient) ReadFrom(src io.Reader) (n int64, err error) {
	left := int64(-1) // no end but the source's
	if whole, ok := src.(*io.LimitedReader); ok {
		src, left = whole.R, whole.N
		defer func() { whole.N -= n }()
	}
	for left != 0 {
		p.wait()
		want := int64(piece)
		if left > 0 {
			want = min(want, left)
		}
		m, err := io.Copy(p.ResponseWriter, &io.LimitedReader{R: src, N: want})
		n += m
		if left > 0 {
			left -= m
		}
		if err != nil || m < want {
			return n, err
		}
	}
	return n, nil
}

// Unwrap lets http.ResponseController through.
func (p *patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }
