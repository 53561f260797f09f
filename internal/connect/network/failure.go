package network

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
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

// OfflineWords is said wherever it is this machine that has no network.
const OfflineWords = "this machine is offline"

// Offline reports that a call failed for want of a network: no way leads out of this machine, or nothing looks up names for it. A name of
// one word is one of the house, whose own look-up may be down.
func Offline(err error) bool {
	var name *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &name):
		return !name.IsNotFound && strings.Contains(strings.Trim(name.Name, "."), ".")
	case errors.Is(err, syscall.ENETUNREACH) && errors.As(err, &op):
		to, ok := op.Addr.(*net.TCPAddr)
		if udp, is := op.Addr.(*net.UDPAddr); is {
			to, ok = &net.TCPAddr{IP: udp.IP}, true
		}
		return !ok || to.IP.To4() != nil // many a machine that is online has no IPv6
	}
	return false
}

// Online reports whether a way leads from here to an address ("https://host/path"): its name is looked up, and it is sent nothing.
func Online(ctx context.Context, address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return true
	}
	c, err := new(net.Dialer).DialContext(ctx, "udp", net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "443")))
	if err == nil {
		_ = c.Close()
	}
	return !Offline(err)
}

// InWords says a failure of the network as people would. What it does not know stays as it is.
func InWords(err error) error {
	var name *net.DNSError
	var failed net.Error
	var words string
	var said failure
	switch {
	case err == nil, errors.As(err, &said):
		return err
	case Offline(err):
		words = OfflineWords
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
