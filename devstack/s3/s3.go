// Package s3 serves a directory as a real S3 server (signatures, multipart, ranges), so that the S3 adapter is tested against
// the protocol and not against a mock. It changes the working directory of the process: one server per process.
package s3

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"

	"github.com/found-footy/found-footy/devstack/loopback"
	"github.com/found-footy/found-footy/devstack/problem"
)

// Region is reported to clients; theirs must match, because it is part of every signature.
const Region = "us-east-1"

// Options of one server.
type Options struct {
	Root      string // objects go to Root/data, their metadata to Root/meta
	Port      int
	AccessKey string
	SecretKey string
	Buckets   []string // created when missing
}

// Server runs until the context given to Start ends.
type Server struct {
	Address string
	done    chan error
}

// Start returns when the server answers signed requests and the buckets exist.
func Start(ctx context.Context, o Options) (*Server, error) {
	if o.AccessKey == "" || o.SecretKey == "" {
		return nil, &problem.Error{Thing: "--access-key, --secret-key", What: "must not be empty", Code: problem.Usage}
	}
	port, err := loopback.Claim(o.Port, "--port (0 for any)")
	if err != nil {
		return nil, err
	}
	backend, err := open(o.Root)
	if err != nil {
		return nil, err
	}
	s := &Server{Address: loopback.Address(port), done: make(chan error, 1)}
	go func() {
		s.done <- embedgw.RunVersityGW(ctx, backend, &embedgw.Config{
			RootUserAccess: o.AccessKey, RootUserSecret: o.SecretKey, Region: Region,
			Ports:          []string{s.Address},
			MaxConnections: 4096, MaxRequests: 2048, MultipartMaxParts: 10000,
			Quiet: true, KeepAlive: true,
		})
	}()
	if err := s.answer(ctx, o); err != nil {
		return nil, err
	}
	return s, nil
}

// open keeps metadata in side files instead of extended attributes: those are missing on many small file systems.
func open(root string) (*posix.Posix, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	data, side := filepath.Join(root, "data"), filepath.Join(root, "meta")
	for _, dir := range []string{data, side} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, unusable(root, err)
		}
	}
	store, err := meta.NewSideCar(side)
	if err != nil {
		return nil, unusable(root, err)
	}
	backend, err := posix.New(data, store, posix.PosixOpts{
		SideCarDir:          side,
		NewDirPerm:          0o755,
		CopyObjectThreshold: 5 << 30, // unset means zero here: every copy would be refused
	})
	if err != nil {
		return nil, unusable(root, err)
	}
	return backend, nil
}

func unusable(root string, err error) error {
	return &problem.Error{Thing: "directory " + root, What: err.Error(), Remedy: "give a writable one with --root", Err: err}
}

// answer makes the buckets through the front door, which proves that signed requests work.
func (s *Server) answer(ctx context.Context, o Options) error {
	c := newClient(s.Address, o.AccessKey, o.SecretKey)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		err := c.probe(ctx)
		if err == nil {
			break
		}
		select {
		case failed := <-s.done:
			return fmt.Errorf("serve %s on %s: %w", o.Root, s.Address, errors.Join(failed, err))
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", s.Address, err)
		case <-tick.C:
		}
	}
	for _, bucket := range o.Buckets {
		if err := c.create(ctx, bucket); err != nil {
			return &problem.Error{Thing: "bucket " + bucket, What: err.Error(), Remedy: "check --bucket", Err: err}
		}
	}
	return nil
}

// Wait returns when the server has ended.
func (s *Server) Wait() error { return <-s.done }
