// Package network listens where a setting says, and says in one line why something cannot be listened on or reached.
package network

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Listen listens on addr, which setting names. op is what for, as "serve the page".
func Listen(ctx context.Context, op, setting, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err == nil {
		return l, nil
	}
	thing := setting + "=" + addr
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, footy.Errorf(footy.CodeConflict, op, "%s is in use by another program; stop that one or choose another address", thing)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, footy.Errorf(footy.CodeInvalid, op, "%s is no address of this machine; choose one of its own, like 127.0.0.1:8080", thing)
	case errors.Is(err, syscall.EACCES):
		return nil, footy.Errorf(footy.CodeInvalid, op, "%s is not for this user to listen on; choose a port above 1023", thing)
	}
	return nil, footy.Errorf(footy.CodeInvalid, op, "%s: %w; choose another address, like 127.0.0.1:8080", thing, err)
}

// Reachable is the address to ask at where addr is one to listen on.
func Reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// Serve serves on l until ctx ends; closing, if not nil, lets go of streams that would never end by themselves.
func Serve(ctx context.Context, l net.Listener, srv *http.Server, closing func()) error {
	ended := make(chan struct{})
	context.AfterFunc(ctx, func() {
		defer close(ended)
		if closing != nil {
			closing()
		}
		grace, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if srv.Shutdown(grace) != nil {
			_ = srv.Close()
		}
	})
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	<-ended
	return nil
}

// NoAnswer reports that the network failed, not the server.
func NoAnswer(err error) bool {
	var failed net.Error // of a connection, a name, or a time limit
	return errors.As(err, &failed) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.EOF)
}

// Shorten cuts what a driver or gRPC says, with everything it knows, down to the network failure in it; where there is none, to its cause.
func Shorten(err error) string {
	var op *net.OpError
	var e *footy.Error
	text := err.Error()
	if errors.As(err, &op) {
		text = op.Error()
	}
	switch i := strings.LastIndex(text, "dial tcp"); {
	case i >= 0:
		text, _, _ = strings.Cut(text[i:], " }")
		return strings.Trim(text, `"`)
	case op != nil:
	case strings.Contains(text, "context deadline exceeded"):
		return "no answer in time"
	case errors.As(err, &e) && e.Err != nil:
		return e.Err.Error()
	}
	return strings.TrimPrefix(text, "failed reaching server: ")
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

// awaitEvery is how often it is looked whether something late has come.
const awaitEvery = time.Second

// Await asks for something outside until it is there, and logs once why it waits, and that it has come. What is wrong in
// another way than by not being there, or not answering, ends it at once.
func Await(ctx context.Context, log *slog.Logger, what string, ask func() error) error {
	said := footy.Code("")
	for {
		err := ask()
		switch code := footy.CodeOf(err); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil && said != "":
			log.Info(what+" has come", "action", "start")
			return nil
		case err == nil:
			return nil
		case code != footy.CodeUnavailable && code != footy.CodeNotFound:
			return err
		case code != said:
			said = code
			log.Warn("waits for "+what+": "+footy.UserMessage(err), "action", "start")
		}
		if err := Pause(ctx, awaitEvery); err != nil {
			return err
		}
	}
}

// Pause waits for so long, or until ctx ends, which is its error.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
