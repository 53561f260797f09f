package network

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// NoAnswer reports that the network failed, not the server.
func NoAnswer(err error) bool {
	var failed net.Error // of a connection, a name, or a time limit
	return errors.As(err, &failed) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.EOF)
}

// Unreached shortens what gRPC says about a server that does not answer.
func Unreached(err error) string {
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

// Shorten cuts what a driver says, with everything it knows, down to the network failure in it; where there is none, to its cause.
func Shorten(err error) string {
	if op := Unreached(err); op != err.Error() {
		op, _, _ = strings.Cut(op, " }")
		return op
	}
	var e *footy.Error
	if errors.As(err, &e) && e.Err != nil {
		return e.Err.Error()
	}
	return err.Error()
}
