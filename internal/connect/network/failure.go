package network

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

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

// failure is a failure of the network in words; what it was remains to be asked for.
type failure struct {
	words string
	err   error
}

func (f failure) Error() string { return f.words }
func (f failure) Unwrap() error { return f.err }

// BrokenOff reports whether somebody was there and broke the connection off.
func BrokenOff(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// InWords says a failure of the network as people would. What it does not know stays as it is.
func InWords(err error) error {
	var name *net.DNSError
	var failed net.Error
	var words string
	switch {
	case err == nil:
		return nil
	case errors.As(err, &name) && name.IsNotFound:
		words = "there is no machine named " + name.Name
	case errors.As(err, &name):
		words = "the name " + name.Name + " cannot be looked up now"
	case errors.Is(err, syscall.ECONNREFUSED):
		words = "nothing listens at that address"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		words = "no way leads to that machine"
	case BrokenOff(err):
		words = "it broke the connection off"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &failed) && failed.Timeout():
		words = "it took too long"
	default:
		return err
	}
	return failure{words, err}
}
