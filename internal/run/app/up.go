package app

import (
	"context"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/operator"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config/rules"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/publish"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/limit"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"
)

// Roles of one process.
type Roles struct {
	Worker  bool
	Web     bool
	Browser bool     // the search service, once there is an account of X
	Queues  []string // of the worker; none: all
	SetUp   *SetUp   // nil: no page changes settings
	// Ready is called once everything runs.
	Ready func(Ready)
}

// hasMatches reports whether the worker has to do with matches.
func (r Roles) hasMatches() bool {
	return len(r.Queues) == 0 || slices.Contains(r.Queues, policy.QueueMain)
}

// Ready is where things are.
type Ready struct {
	Page     string // URL
	Temporal string
	UI       string // URL of the Temporal Web UI; "" where it is foreign
	SetUp    string // URL of the page that asks for what is needed; "" once something is set
	Code     string // opens it from another machine
	Client   client.Client
}

// Run runs the roles until ctx ends. What can be refused is refused before anything is started; an engine of our own
// is started first and stopped last.
func (a *App) Run(ctx context.Context, r Roles) error {
	if r.Worker && a.Config.Engine.Address == "" && a.Lock == nil {
		var err error
		if a.Lock, err = engine.LockState(ctx, a.Config.State.Dir); err != nil {
			return err
		}
		defer a.Lock.Release()
	}
	a.setup = r.SetUp != nil && (r.SetUp.alone || r.SetUp.Wanted(a.Config))
	if err := a.checkStart(ctx, r); footy.CodeOf(err) == footy.CodeCorrupt && r.Web {
		a.Log.Error("the database is corrupt; only the page is started", "module", "app", "action", "start", "error", err)
		r.Worker, r.Browser = false, false // the page says what to do
	} else if err != nil {
		return err
	}
	var listener net.Listener
	if r.Web {
		var err error
		if listener, err = network.Listen(ctx, "serve the page", "WEB_ADDR", a.Config.Web.Addr); err != nil {
			return err
		}
		defer listener.Close() // closed by Serve already, unless something else failed
	}
	figures, err := telemetry.Listen(ctx, a.Config.Metrics.Addr)
	if err != nil {
		return err
	}
	defer figures.Close()
	var searches net.Listener
	if a.ownsSearchService(r) && a.hasAccount() {
		if searches, err = xaccount.Listen(ctx, a.Config); err != nil {
			return err
		}
		defer searches.Close() // idem
	}
	run, err := a.engine(ctx, r)
	if err != nil {
		return err
	}
	defer run.Stop()
	c, err := a.temporal(ctx, run)
	if err != nil {
		return err
	}
	if c != nil {
		defer c.Close()
	}
	g, running := errgroup.WithContext(ctx)
	g.Go(func() error { return figures.Serve(running, a.Metrics, a.readiness(r, c)) })
	if a.ownsSearchService(r) {
		serving, outlast := outlasting(running)
		g.Go(func() error {
			return xaccount.ServeOnceLoggedIn(serving, a.Config, a.Log, searches, a.hasAccount, func(s *browser.Service) {
				go a.needs(running, s)
				if a.sharesEngine() {
					served := outlast()
					waitFor(g, func() {
						defer served()
						joinQueue(running, a.Log, func() error { return a.takeSearches(running, c, s) })
					})
				}
			})
		})
	}
	if err := a.startRoles(running, g, r, c, listener); err != nil {
		if ctx.Err() != nil { // asked to stop in the middle of it; that is no failure
			err = ctx.Err()
		}
		g.Go(func() error { return err }) // which ends the others, too
		return g.Wait()
	}
	if r.Worker {
		waitFor(g, func() { a.keepSchedules(running, c, run) })
	}
	if r.SetUp != nil && !a.setup {
		r.SetUp.Started()
	}
	if r.Ready != nil {
		at := Ready{Temporal: run.Address, UI: run.UI, Client: c}
		if listener != nil {
			at.Page = "http://" + network.Reachable(listener.Addr().String())
			if a.setup {
				at.SetUp, at.Code = at.Page+"/setup", r.SetUp.Code()
			}
		}
		r.Ready(at)
	}
	return g.Wait()
}

// waitFor has the group wait for what cannot fail.
func waitFor(g *errgroup.Group, do func()) {
	g.Go(func() error {
		do()
		return nil
	})
}

// checkStart refuses what could only fail later, clip by clip.
func (a *App) checkStart(ctx context.Context, r Roles) error {
	if r.Web {
		if _, err := a.tellers(a.core()); err != nil {
			return err
		}
	}
	if !r.Worker {
		return a.lookUpFollowed(ctx, false)
	}
	if err := a.Store.CheckState(ctx); err != nil {
		return err
	}
	if r.hasMatches() {
		if _, _, _, err := a.changesFeed(ctx); err != nil {
			return err
		}
	}
	if err := a.lookUpFollowed(ctx, true); err != nil {
		return err
	}
	for _, q := range r.Queues {
		if !slices.Contains(policy.Queues(), q) {
			return footy.Errorf(footy.CodeInvalid, "start worker", "--queues: %q is no queue; known are %s", q, strings.Join(policy.Queues(), ", "))
		}
	}
	if len(r.Queues) > 0 && !slices.Contains(r.Queues, policy.QueueMedia) {
		return nil
	}
	if why := check.MissingProgram(ctx, a.Config.Program, a.Media); why != "" {
		return footy.Errorf(footy.CodeUnavailable, "start worker", "%s; %s", why, check.InstallFFmpeg)
	}
	return nil
}

// ownsSearchService reports whether this process should own the search service.
func (a *App) ownsSearchService(r Roles) bool {
	return r.Browser && a.Config.Search.ServiceURL == "" && slices.Contains(a.Config.Search.Sources, "xweb")
}

// engine is the one that was set, else our own; a page alone looks whether one runs beside it.
func (a *App) engine(ctx context.Context, r Roles) (*engine.Engine, error) {
	if a.Config.Engine.Address != "" {
		return &engine.Engine{Address: a.Config.Engine.Address}, nil
	}
	dir := engine.Dir(a.Config)
	if r.Worker {
		return engine.Start(ctx, engine.Options{Binary: a.Config.Program.Devstack, StateDir: dir, UIPort: a.Config.Engine.UIPort, Namespace: a.Config.Engine.Namespace, Log: a.Log})
	}
	if run := engine.Running(ctx, dir); run != nil {
		return run, nil
	}
	return &engine.Engine{}, nil
}

// temporal is a client of the engine. Ours answers by now; an external one may start later: callers wait.
func (a *App) temporal(ctx context.Context, run *engine.Engine) (client.Client, error) {
	switch {
	case run.Address == "":
		return nil, nil //nolint:nilnil // a page without an engine is of use, too
	case a.sharesEngine():
		return engine.Connect(run.Reached(a.Config.Engine), a.Log)
	}
	return engine.Dial(ctx, run.Reached(a.Config.Engine), a.Log)
}

func (a *App) startRoles(ctx context.Context, g *errgroup.Group, r Roles, c client.Client, l net.Listener) (err error) {
	// Readers hear of what a worker finishes after it was asked to stop.
	telling, drained := context.WithCancel(context.WithoutCancel(ctx))
	defer func() {
		if err != nil || !r.Worker {
			context.AfterFunc(ctx, drained)
		}
	}()
	var hub *stream.Hub
	if r.Web {
		hub = stream.NewHub()
	}
	readers := publish.NewShared(a.Store, a.Log, hub)
	waitFor(g, func() { readers.Run(telling) })
	tool := a.Media
	if !r.Worker {
		tool = nil // the worker that decodes clips may be on another machine
	}
	look := a.checker(c, tool)
	if r.Web {
		core := a.core()
		core.Temporal, core.Page, core.Health, core.Hold = c, readers, look.Last, a.leases.Hold
		tellers, err := a.tellers(core)
		if err != nil {
			return err
		}
		page, err := a.newPage(core, look, teller.Testable(tellers), hub, r.SetUp)
		if err != nil {
			return err
		}
		tellers = append(tellers, page.Tellers()...)
		every := publish.Followed
		if r.Worker && !a.sharesEngine() {
			every = publish.FollowedAlone
		}
		waitFor(g, func() { a.runTellers(ctx, tellers, hub) })
		waitFor(g, func() { readers.Follow(ctx, every) })
		g.Go(func() error { return network.Serve(ctx, l, page.HTTP(a.withMetrics(page.Handler())), page.Close) })
	}
	waitFor(g, func() { look.Watch(ctx) })
	if a.sharesEngine() { // what was started above is there meanwhile
		await := func() error { return engine.Await(ctx, c, a.Config.Engine, a.Log) }
		if !r.Worker { // a page shows what there is, and only says it
			waitFor(g, func() { _ = await() })
		} else if err := await(); err != nil {
			return err
		}
	}
	if r.Worker {
		if err := a.Schedule(ctx, c, r.hasMatches()); err != nil {
			return err
		}
		if err := a.work(ctx, g, c, readers, r.Queues, a.leftToOthers(r, look), drained); err != nil {
			return err
		}
	}
	return nil
}

// pageTiming is the engine's rhythm for the page.
func (a *App) pageTiming() explain.Timing {
	scale := max(a.Config.Track.TimeScale, 1)
	votes, _ := rules.Match(a.Config.Track)
	timing := policy.Defaults().Scaled(scale)
	return explain.Timing{
		Round: timing.Limits(), Every: timing.SearchEvery, Poll: a.Config.Track.PollEvery(), Minute: votes.Minute,
		Votes: votes.Sightings, RemovedKept: cleanup.Defaults().Scaled(scale).Removed,
		LongestPause: ledger.DefaultDelays().Scaled(scale).Longest, LateAfter: 5 * time.Minute / time.Duration(scale), Floor: timing.SearchFloor,
	}
}

func (a *App) newPage(core port.Core, look *check.Checker, n []teller.Teller, hub *stream.Hub, s *SetUp) (*web.Server, error) {
	op := &operator.Operator{Store: a.Store, Blob: a.Blob, Temporal: core.Temporal, Timing: policy.Defaults().Scaled(a.Config.Track.TimeScale), Page: core.Page, Now: time.Now}
	o := web.Options{
		Commands: op, Store: a.Store, Blob: a.Blob, Hub: hub, Health: look, AdminToken: a.Config.Web.AdminToken,
		BaseURL: a.Config.Web.PublicURL, Logger: a.Log, Timing: a.pageTiming(),
		Observe: a.observePage(), Logos: a.badges(), Addr: a.Config.Web.Addr, NoEngine: core.Temporal == nil,
		Hosts: a.Config.Web.Hosts, Notifications: n,
		Kept: time.Duration(a.Config.Track.RetentionDays) * 24 * time.Hour, Objective: objective,
	}
	for _, e := range a.Extras {
		if e.Page != nil {
			o.Parts = append(o.Parts, func(lent web.Lent) (web.Part, error) { return e.Page(core, lent) })
		}
	}
	var err error
	if o.Proxies, err = limit.ParseProxies(a.Config.Web.Proxies); err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "read WEB_PROXIES", "%w", err)
	}
	if o.Elsewhere, err = elsewhere(a.Config.S3); err != nil {
		return nil, err
	}
	if s != nil {
		if err := a.show(s, &o); err != nil {
			return nil, err
		}
	}
	a.streamFigures(hub)
	return web.New(o)
}
