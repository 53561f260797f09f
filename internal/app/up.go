package app

import (
	"context"
	"crypto/tls"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/notify"
	"github.com/found-footy/found-footy/internal/operator"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/web"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"
)

// Roles of one process.
type Roles struct {
	Worker  bool
	Web     bool
	Browser bool     // the search service, once there is an account of X
	Queues  []string // of the worker; none: all
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

// Run runs the roles until ctx ends. What can be refused is refused before anything is started; an engine of our own
// is started first and stopped last.
func (a *App) Run(ctx context.Context, r Roles) error {
	if r.Worker && a.Config.Engine.Address == "" && a.claim == nil {
		var err error
		if a.claim, err = claimState(ctx, a.Config.State.Dir); err != nil {
			return err
		}
		defer a.claim.release()
	}
	if err := a.prepare(ctx, r); err != nil {
		return err
	}
	var listener net.Listener
	if r.Web {
		var err error
		if listener, err = new(net.ListenConfig).Listen(ctx, "tcp", a.Config.Web.Addr); err != nil {
			return notListening("WEB_ADDR", a.Config.Web.Addr, err)
		}
		defer listener.Close() // closed by Serve already, unless something else failed
	}
	figures, err := metricsListener(ctx, a.Config)
	if err != nil {
		return err
	}
	if figures != nil {
		defer figures.Close() // idem
	}
	searches := a.searches
	if searches == nil && a.searchesHere(r) && a.account()() {
		var err error
		if searches, err = listenBrowser(ctx, a.Config); err != nil {
			return err
		}
	}
	if searches != nil {
		defer searches.Close() // idem
	}
	engine, err := a.engine(ctx, r)
	if err != nil {
		return err
	}
	defer engine.Stop()
	var c client.Client
	if engine.Address != "" {
		if c, err = a.Dial(ctx, engine.Address); err != nil {
			return err
		}
		defer c.Close()
	}
	g, running := errgroup.WithContext(ctx)
	if figures != nil {
		g.Go(func() error { return Serve(running, figures, metricsOnly(a.Metrics, a.Store.Ping), nil) })
	}
	if a.searchesHere(r) {
		g.Go(func() error { return a.browse(running, searches) })
	}
	if err := a.start(running, g, r, c, listener); err != nil {
		if ctx.Err() != nil { // told to stop in the middle of it; that is no failure
			err = ctx.Err()
		}
		g.Go(func() error { return err }) // which ends the others, too
		return g.Wait()
	}
	if r.Ready != nil {
		at := Ready{Temporal: engine.Address, UI: engine.UI, Client: c}
		if listener != nil {
			at.Page = "http://" + listener.Addr().String()
		}
		r.Ready(at)
	}
	return g.Wait()
}

// prepare refuses what could only fail later, clip by clip.
func (a *App) prepare(ctx context.Context, r Roles) error {
	if r.Web { // which is who tells people
		if _, err := a.notifier(nil); err != nil {
			return err
		}
	}
	if !r.Worker {
		return nil
	}
	for _, q := range r.Queues {
		if !slices.Contains(policy.Queues(), q) {
			return footy.Errorf(footy.CodeInvalid, "start worker", "--queues: %q is no queue; known are %s", q, strings.Join(policy.Queues(), ", "))
		}
	}
	if len(r.Queues) > 0 && !slices.Contains(r.Queues, policy.QueueMedia) {
		return nil
	}
	return a.programs(ctx)
}

// engine is the one that was set, else our own; a page alone looks whether one runs beside it.
func (a *App) engine(ctx context.Context, r Roles) (*Engine, error) {
	if a.Config.Engine.Address != "" {
		return &Engine{Address: a.Config.Engine.Address}, nil
	}
	dir := filepath.Join(a.Config.State.Dir, "engine")
	if r.Worker {
		return StartEngine(ctx, EngineOptions{Binary: a.Config.Program.Devstack, StateDir: dir, UIPort: a.Config.Engine.UIPort, Log: a.Log})
	}
	if run := adopt(ctx, dir); run != nil {
		return &Engine{Address: run.Address, UI: run.UI}, nil
	}
	return &Engine{}, nil
}

func (a *App) start(ctx context.Context, g *errgroup.Group, r Roles, c client.Client, l net.Listener) error {
	notify := a.RemoteNotifier(ctx)
	h := &health{app: a, temporal: c, since: map[string]change{}}
	if r.Web {
		n, err := a.notifier(h)
		if err != nil {
			return err
		}
		page, err := a.page(c, h, n)
		if err != nil {
			return err
		}
		if n != nil {
			tell(ctx, g, n, page.Hub())
		}
		notify = both{hubNotifier{page.Hub()}, notify}
		if r.Watch != nil {
			r.Watch(page.Hub())
		}
		g.Go(func() error { return Serve(ctx, l, a.withMetrics(page.Handler()), page.Close) })
	}
	if r.Worker {
		if err := a.Schedule(ctx, c); err != nil {
			return err
		}
		w, err := a.StartWorker(c, notify, r.Queues)
		if err != nil {
			return err
		}
		g.Go(func() error {
			<-ctx.Done()
			w.Stop()
			return nil
		})
	}
	if r.Worker && a.Config.Backup.Dir != "" {
		g.Go(func() error {
			a.backUpDaily(ctx)
			return nil
		})
	}
	g.Go(func() error {
		h.watch(ctx)
		return nil
	})
	return nil
}

func tlsConfig() *tls.Config { return &tls.Config{MinVersion: tls.VersionTLS12} }

func (a *App) page(c client.Client, h *health, n *notify.Notifier) (*web.Server, error) {
	op := &operator.Operator{Store: a.Store, Blob: a.Blob, Temporal: c, Timing: policy.Defaults().Scaled(a.Config.Track.TimeScale), Notify: silent{}, Now: time.Now}
	o := web.Options{
		Commands: op, Store: a.Store, Blob: a.Blob, Health: h, AdminToken: a.Config.Web.AdminToken,
		NotifyToken: a.Config.Web.NotifyToken, BaseURL: a.Config.Web.PublicURL, Logger: a.Log, Timing: a.pageTiming(),
		Observe: a.seen(), Logos: a.badges(), Addr: a.Config.Web.Addr, NoEngine: c == nil,
	}
	if n != nil {
		o.Notifications = n
	}
	page, err := web.New(o)
	if err == nil {
		a.readers(page)
		op.Notify = hubNotifier{page.Hub()}
	}
	return page, err
}
