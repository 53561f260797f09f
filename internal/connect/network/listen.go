// Package network listens where a setting says, and says in one line why something cannot be listened on or reached.
package network

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
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
