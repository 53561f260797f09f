package stage

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// told is somebody outside whom the page tells of goals.
type told struct {
	url    string
	server *http.Server
	mu     sync.Mutex
	times  map[string]int
}

func listen(ctx context.Context) (*told, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t := &told{url: "http://" + l.Addr().String() + "/told", times: map[string]int{}}
	t.server = &http.Server{Handler: t, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = t.server.Serve(l) }() // always ends with ErrServerClosed
	return t, nil
}

func (t *told) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(io.LimitReader(r.Body, 1<<16))
	if err != nil {
		return // it comes again
	}
	t.mu.Lock()
	t.times[string(b)]++
	t.mu.Unlock()
}

func (t *told) close() {
	if t != nil {
		_ = t.server.Close() // nobody is to be told any more
	}
}

// Told counts the messages that people got, and how many of them came again.
func (s *Stage) Told() (messages, again int) {
	s.told.mu.Lock()
	defer s.told.mu.Unlock()
	for _, n := range s.told.times {
		messages++
		again += n - 1
	}
	return messages, again
}
