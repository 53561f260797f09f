// Package port finds ports for what comes back where it was: processes and proxies that are down for a while.
package port

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Above these, systems take what outgoing connections and listeners without a wish get: sooner or later one of those would sit where something
// wants to come back.
const first, last = 20000, 32000

var given sync.Map // none is given twice

// Free is an address on this machine at which nothing listens, and which this process gave out only once.
func Free(ctx context.Context) (string, error) {
	var err error
	for range 100 {
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(first+rand.IntN(last-first)))
		if _, twice := given.LoadOrStore(address, true); twice {
			continue
		}
		var l net.Listener
		if l, err = new(net.ListenConfig).Listen(ctx, "tcp", address); err == nil {
			return address, l.Close()
		}
	}
	return "", fmt.Errorf("no port between %d and %d is free: %w", first, last, err)
}
