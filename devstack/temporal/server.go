package temporal

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/metrics"
	"go.temporal.io/server/common/primitives"
	server "go.temporal.io/server/temporal"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/found-footy/found-footy/devstack/loopback"
)

// stopLimit bounds a clean stop. Cutting it short loses nothing: the database survives kill -9.
const stopLimit = 15 * time.Second

// Server is a running Temporal server.
type Server struct {
	Address string // of the frontend
	UI      string // URL, empty without UI

	db      string
	lock    *lock
	server  server.Server
	ui      *http.Server
	logOpen *atomic.Bool
	quiet   bool // the log is shut outside of normal operation
	stopped chan struct{}
	damage  chan error
}

// Start returns when the frontend (and the UI, if any) answers. On error nothing is left running or locked.
func Start(ctx context.Context, o Options) (_ *Server, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.DB, err = filepath.Abs(o.DB); err != nil {
		return nil, diskProblem(o.DB, err)
	}
	token, err := openDoor(o.TokenFile)
	if err != nil {
		return nil, err
	}
	if err := prepareDir(filepath.Dir(o.DB)); err != nil {
		return nil, err
	}
	s := &Server{db: o.DB, stopped: make(chan struct{}), damage: make(chan error, 1)}
	defer func() {
		if err != nil {
			s.Stop()
		}
	}()
	if s.lock, err = lockDB(o.DB); err != nil {
		return nil, err
	}
	p, uiPort, err := claimPorts(o, s.lock.lastPort)
	if err != nil {
		return nil, err
	}
	s.lock.write(p.frontend)
	if err := prepareDB(o.DB); err != nil {
		return nil, err
	}
	sql := sqlConfig(o.DB)
	if err := createNamespace(sql, o.Namespace, o.Retention); err != nil {
		return nil, unusable(o.DB, err)
	}
	if err := s.startServer(o, sql, p, token); err != nil {
		return nil, unusable(o.DB, err)
	}
	s.Address = loopback.Address(p.frontend)
	if err := s.answer(token.send(ctx), o); err != nil {
		return nil, unusable(o.DB, err)
	}
	if uiPort != NoUI {
		if s.ui, err = startUI(s.Address, uiPort, token, o); err != nil {
			return nil, err
		}
		s.UI = "http://" + s.ui.Addr
	}
	s.logOpen.Store(true)
	if o.Warn != nil {
		go watchDisk(filepath.Dir(o.DB), s.stopped, o.Warn)
	}
	return s, nil
}

func claimPorts(o Options, lastPort int) (p ports, ui int, err error) {
	if p.frontend, err = claimFrontend(o.Port, lastPort); err != nil {
		return p, 0, err
	}
	if ui, err = claimUI(o); err != nil {
		return p, 0, err
	}
	free, err := loopback.Free(4, p.frontend, ui)
	if err != nil {
		return p, 0, err
	}
	p.inside, p.history, p.matching, p.worker = free[0], free[1], free[2], free[3]
	return p, ui, nil
}

func claimFrontend(port, lastPort int) (int, error) {
	const flag = "--port (0 for any)"
	if port == 0 && lastPort != 0 {
		if again, err := loopback.Claim(lastPort, flag); err == nil {
			return again, nil
		}
	}
	return loopback.Claim(port, flag)
}

func (s *Server) startServer(o Options, sql *config.SQL, p ports, token door) error {
	logger, open := newLogger(o.LogLevel, s.damage)
	s.logOpen, s.quiet = open, !open.Load()
	keys, err := newInside()
	if err != nil {
		return err
	}
	srv, err := server.NewServer(
		server.ForServices(slices.Concat(server.DefaultServices, []string{string(primitives.InternalFrontendService)})),
		server.WithConfig(serverConfig(sql, p)),
		server.WithStaticHosts(p.hosts()),
		server.WithDynamicConfigClient(dynamicConfig()),
		server.WithLogger(logger),
		server.WithTLSConfigFactory(keys),
		server.WithAuthorizer(token),
		server.WithClaimMapper(func(*config.Config) authorization.ClaimMapper { return token }),
		server.WithCustomMetricsHandler(metrics.NoopMetricsHandler),
	)
	if err != nil {
		return fmt.Errorf("build the Temporal server: %w", err)
	}
	s.server = srv
	if err := srv.Start(); err != nil {
		return fmt.Errorf("start the Temporal server: %w", err)
	}
	return nil
}

// answer waits until a client's first real call succeeds.
func (s *Server) answer(ctx context.Context, o Options) error {
	conn, err := grpc.NewClient(s.Address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return fmt.Errorf("connect to %s: %w", s.Address, err)
	}
	defer conn.Close()
	client := workflowservice.NewWorkflowServiceClient(conn)
	return poll(ctx, func() error { return raiseRetention(ctx, client, o.Namespace, o.Retention) })
}

// Run returns when ctx ends, or what is wrong with the database that the server cannot read any more.
func (s *Server) Run(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.damage:
		return diskProblem(s.db, err)
	}
}

// Stop ends everything within stopLimit and releases the database; it may be called on a half-started server.
func (s *Server) Stop() {
	close(s.stopped)
	if s.quiet {
		s.logOpen.Store(false)
	}
	if s.ui != nil {
		_ = s.ui.Close()
	}
	if s.server != nil {
		done := make(chan struct{})
		go func() { defer close(done); _ = s.server.Stop() }()
		select {
		case <-done:
			fold(s.db)
		case <-time.After(stopLimit):
		}
	}
	if s.lock != nil {
		_ = s.lock.file.Close()
	}
}

// poll retries try until it succeeds or ctx ends, and then reports what was wrong last.
func poll(ctx context.Context, try func() error) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}
