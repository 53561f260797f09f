// Package mongo serves the MongoDB wire protocol from SQLite files for tests: FerretDB, which is given one command at a time. It knows
// a part of the operators only and refuses lists directly within lists. Never use it for data that matters.
package mongo

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"

	"github.com/FerretDB/FerretDB/ferretdb"

	"github.com/found-footy/found-footy/devstack/loopback"
	"github.com/found-footy/found-footy/devstack/problem"
)

// Options of one server.
type Options struct {
	Dir  string
	Port int
}

// Server runs until the context given to Start ends.
type Server struct {
	URI  string
	done chan error
}

// Start returns when the server accepts connections.
func Start(ctx context.Context, o Options) (*Server, error) {
	port, err := loopback.Claim(o.Port, "--port (0 for any)")
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, unusable(dir, err)
	}
	l, err := net.Listen("tcp4", loopback.Address(port))
	if err != nil {
		return nil, err
	}
	private, err := os.MkdirTemp("", "footy-mongo-") // dir may be too long for the name of a socket
	if err != nil {
		return nil, unusable(os.TempDir(), err)
	}
	socket := filepath.Join(private, "ferretdb.sock")
	db, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{Unix: socket},
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Handler:   "sqlite",
		SQLiteURL: (&url.URL{Scheme: "file", Path: dir + "/", RawQuery: "_pragma=synchronous(off)"}).String(), // not needed after a power cut
	})
	if err != nil {
		return nil, unusable(dir, err)
	}
	s := &Server{URI: "mongodb://" + l.Addr().String() + "/", done: make(chan error, 1)}
	context.AfterFunc(ctx, func() { _ = l.Close() })
	go func() {
		err := db.Run(ctx)
		_ = os.RemoveAll(private)
		s.done <- err
	}()
	_ = db.MongoDBURI() // blocks until its listener is bound
	go (&serial{to: socket}).serve(ctx, l)
	return s, nil
}

func unusable(dir string, err error) error {
	return &problem.Error{Thing: "directory " + dir, What: fmt.Sprint(err), Remedy: "give a writable one with --dir", Err: err}
}

// Wait returns when the server has ended.
func (s *Server) Wait() error { return <-s.done }
