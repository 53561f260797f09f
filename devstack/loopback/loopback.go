// Package loopback finds ports on 127.0.0.1; no role of this program ever listens anywhere else.
package loopback

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	"github.com/found-footy/found-footy/devstack/problem"
)

// Host is the only address served.
const Host = "127.0.0.1"

// Address joins the loopback host and a port.
func Address(port int) string { return net.JoinHostPort(Host, strconv.Itoa(port)) }

// Free returns n distinct free ports. They are held together before any is released, so that they cannot coincide.
func Free(n int) ([]int, error) {
	ports := make([]int, 0, n)
	for range n {
		l, err := net.Listen("tcp4", Address(0))
		if err != nil {
			return nil, fmt.Errorf("find a free port on %s: %w", Host, err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// Claim returns port if it can be listened on, a free one for 0, and a problem that names flag otherwise.
func Claim(port int, flag string) (int, error) {
	if port == 0 {
		ports, err := Free(1)
		if err != nil {
			return 0, err
		}
		return ports[0], nil
	}
	l, err := net.Listen("tcp4", Address(port))
	if err != nil {
		return 0, taken(port, flag, err)
	}
	return port, l.Close()
}

func taken(port int, flag string, err error) error {
	p := &problem.Error{
		Thing:  "port " + strconv.Itoa(port),
		What:   err.Error(),
		Remedy: "choose another with " + flag,
		Err:    err,
	}
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		p.What = "already in use on " + Host
		p.Remedy = "stop the program that uses it or choose another with " + flag
	case errors.Is(err, syscall.EACCES):
		p.What = "this user may not listen on it"
	}
	return p
}
