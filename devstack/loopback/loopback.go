// Package loopback finds ports on 127.0.0.1; no role of this program ever listens anywhere else.
package loopback

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"syscall"

	"github.com/found-footy/found-footy/devstack/problem"
)

// Host is the only address served.
const Host = "127.0.0.1"

// Address joins the loopback host and a port.
func Address(port int) string { return net.JoinHostPort(Host, strconv.Itoa(port)) }

// Ports are picked below Linux's range for outgoing connections. Inside it, a client that keeps dialling a server that was
// killed can connect to itself, and then holds the very port the server wants back.
const lowest, highest = 15000, 32000

// Free returns n distinct free ports, none of them in avoid.
func Free(n int, avoid ...int) ([]int, error) {
	ports := make([]int, 0, n)
	var last error
	for range 100 * n {
		if len(ports) == n {
			break
		}
		port := lowest + rand.IntN(highest-lowest)
		if slices.Contains(ports, port) || slices.Contains(avoid, port) {
			continue
		}
		l, err := net.Listen("tcp4", Address(port))
		if err != nil {
			last = err
			continue
		}
		_ = l.Close()
		ports = append(ports, port)
	}
	if len(ports) < n {
		return nil, fmt.Errorf("find %d free ports on %s: %w", n, Host, last)
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
