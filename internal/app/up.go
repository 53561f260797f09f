package app

import (
	"context"
	"crypto/tls"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/pipeline/operate"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/web"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"
)

// Roles of one process.
type Roles struct {
	Worker bool
	Web    bool
	Queues []string // of the worker; none: all
	// Ready is called once everything runs.
	Ready func(Ready)
	// Hub, if not nil, is called with every announcement of this process.
	Watch func(hub *web.Hub)
}

// Ready tells where things are.
type Ready struct {
	Page     string // URL
	Temporal string
	UI       string // URL of the Temporal Web UI; "" where it is somebody else's
	Client   client.Client
}

// Run runs the roles until ctx ends. An engine of our own is started first and stopped last.
func (a *App) Run(ctx context.Context, r Roles) error {
	engine := &Engine{Address: a.Config.Engine.Address}
	if r.Worker && engine.Address == "" {
		var err error
		engine, err = StartEngine(ctx, EngineOptions{Binary: a.Config.Program.Devstack, StateDir: filepath.Join(a.Config.State.Dir, "engine"),
			UIPort: a.Config.Engine.UIPort, Log: a.Log})
		if err != nil {
			return err
		}
		defer engine.Stop()
	}
	var c client.Client
	if engine.Address != "" {
		var err error
		if c, err = a.Dial(ctx, engine.Address); err != nil {
			return err
		}
		defer c.Close()
	}
	g, ctx := errgroup.WithContext(ctx)
	notify := a.RemoteNotifier()
	listening := make(chan string, 1)
	if r.Web {
		page, err := a.page(c)
		if err != nil {
			return err
		}
		notify = hubNotifier{page.Hub()}
		if r.Watch != nil {
			r.Watch(page.Hub())
		}
		g.Go(func() error {
			return Serve(ctx, a.Config.Web.Addr, page.Handler(), func(addr string) { listening <- "http://" + addr }, page.Close)
		})
	} else {
		listening <- ""
	}
	if r.Worker {
		if err := a.work(ctx, g, c, notify, r.Queues); err != nil {
			return err
		}
	}
	select {
	case addr := <-listening:
		if r.Ready != nil {
			r.Ready(Ready{Page: addr, Temporal: engine.Address, UI: engine.UI, Client: c})
		}
	case <-ctx.Done():
	}
	return g.Wait()
}

func (a *App) work(ctx context.Context, g *errgroup.Group, c client.Client, n Notifier, queues []string) error {
	if err := a.Schedule(ctx, c); err != nil {
		return err
	}
	w, err := a.StartWorker(c, n, queues)
	if err != nil {
		return err
	}
	g.Go(func() error {
		<-ctx.Done()
		w.Stop()
		return nil
	})
	return nil
}

func tlsConfig() *tls.Config { return &tls.Config{MinVersion: tls.VersionTLS12} }

func (a *App) page(c client.Client) (*web.Server, error) {
	op := &operate.Operator{Store: a.Store, Blob: a.Blob, Temporal: c, Timing: policy.Defaults().Scaled(a.Config.Track.TimeScale), Notify: silent{}, Now: time.Now}
	page, err := web.New(web.Options{
		Commands: op, Store: a.Store, Blob: a.Blob, Health: &health{app: a, temporal: c, since: map[string]change{}}, AdminToken: a.Config.Web.AdminToken,
		NotifyToken: a.Config.Web.NotifyToken, BaseURL: a.Config.Web.PublicURL, Version: a.Version, Logger: a.Log, Scale: a.Config.Track.TimeScale,
	})
	if err == nil {
		op.Notify = hubNotifier{page.Hub()}
	}
	return page, err
}
