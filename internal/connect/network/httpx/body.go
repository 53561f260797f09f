package httpx

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// ErrTooLarge says that a body exceeds what the reader accepts.
var ErrTooLarge = errors.New("body too large")

// ReadBody reads a whole body of at most max bytes; a longer one is an error, never a silent cut.
func ReadBody(r *http.Response, max int64) ([]byte, error) {
	if r.ContentLength > max {
		return nil, ErrTooLarge
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, max+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > max {
		return nil, ErrTooLarge
	}
	return data, nil
}

// Drain empties and closes a body whose content does not matter, so that its connection is used again.
func Drain(r *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, 64<<10))
	_ = r.Body.Close()
}

// Fault translates the error of an exchange that gave no response. What was forbidden stays so; all else is "could not
// look", which is never "nothing found".
func Fault(op string, err error) error {
	var e *footy.Error
	if errors.As(err, &e) {
		return footy.Wrap(e.Code, op, err)
	}
	return footy.Wrap(footy.CodeUnavailable, op, err)
}

// Timeout reports whether an exchange failed because time ran out.
func Timeout(err error) bool {
	var n net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &n) && n.Timeout()
}

// RetryAfter reads the header of that name, in seconds or as a date; 0 where there is none.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	v := h.Get("Retry-After")
	if s, err := strconv.Atoi(v); err == nil && s > 0 {
		return time.Duration(s) * time.Second
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return 0
}
