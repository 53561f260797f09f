// Package mongo serves the MongoDB wire protocol from SQLite files for tests. It loses concurrent updates silently and knows
// a part of the operators only: use it sequentially, and never for data that matters.
package mongo

import (
	"context"
	"fmt"
	"log/slog"
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
	db, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: loopback.Address(port)},
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Handler:   "sqlite",
		SQLiteURL: (&url.URL{Scheme: "file", Path: dir + "/"}).String(),
	})
	if err != nil {
		return nil, unusable(dir, err)
	}
	s := &Server{done: make(chan error, 1)}
	go func() { s.done <- db.Run(ctx) }()
	// Blocks until the listener is bound.
	s.URI = db.MongoDBURI()
	return s, nil
}

func unusable(dir string, err error) error {
	return &problem.Error{Thing: "directory " + dir, What: fmt.Sprint(err), Remedy: "give a writable one with --dir", Err: err}
}

// Wait returns when the server has ended.
func (s *Server) Wait() error { return <-s.done }
