package app

import (
	"errors"
	"io/fs"
	"net"
	"strings"
	"syscall"

	"github.com/found-footy/found-footy/internal/footy"
)

// Plain says an error for people: without the codes that are meant for programs.
func Plain(err error) string {
	var e *footy.Error
	if errors.As(err, &e) && e.Error() == err.Error() && e.Err != nil && e.Op != "" && (e.Reason == "" || !refused(e.Code)) {
		return e.Op + ": " + Plain(e.Err)
	}
	return err.Error()
}

// refused: its reason says something that the cause does not.
func refused(c footy.Code) bool { return c == footy.CodeRejected || c == footy.CodeGeoBlocked }

// cause drops the call and the path from an error whose reader has them already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// notListening says why addr, which setting names, cannot be listened on.
func notListening(setting, addr string, err error) error {
	op := "serve the page"
	if setting == "BROWSER_ADDR" {
		op = "serve searches"
	}
	thing := setting + "=" + addr
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return footy.Errorf(footy.CodeConflict, op, "%s is in use by another program; stop that one or choose another address", thing)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return footy.Errorf(footy.CodeInvalid, op, "%s is no address of this machine; choose one of its own, like 127.0.0.1:8080", thing)
	case errors.Is(err, syscall.EACCES):
		return footy.Errorf(footy.CodeInvalid, op, "%s is not for this user to listen on; choose a port above 1023", thing)
	}
	return footy.Errorf(footy.CodeInvalid, op, "%s: %w; choose another address, like 127.0.0.1:8080", thing, err)
}

// unreached shortens what gRPC says about a server that does not answer.
func unreached(err error) string {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Error()
	}
	text := err.Error()
	if i := strings.LastIndex(text, "dial tcp"); i >= 0 {
		return strings.Trim(text[i:], `"`)
	}
	text = strings.TrimPrefix(text, "failed reaching server: ")
	if strings.Contains(text, "context deadline exceeded") {
		return "no answer in time"
	}
	return text
}

// firstReason is the innermost network failure of a driver that explains it with everything it knows, else all of it.
func firstReason(err error) string {
	if op := unreached(err); op != err.Error() {
		op, _, _ = strings.Cut(op, " }")
		return op
	}
	var e *footy.Error
	if errors.As(err, &e) && e.Err != nil {
		return e.Err.Error()
	}
	return err.Error()
}
