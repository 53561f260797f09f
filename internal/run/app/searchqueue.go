package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/found-footy/found-footy/internal/run/telemetry/meter"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/tell/publish"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"golang.org/x/sync/errgroup"
)

// RunBrowser is the search service with its figures, until ctx ends; ready gets its address. With TEMPORAL_ADDRESS it takes
// searches from the queue, too.
func RunBrowser(ctx context.Context, c config.Config, log *slog.Logger, version string, ready func(url string)) error {
	figures, err := telemetry.Listen(ctx, c.Metrics.Addr)
	if err != nil {
		return err
	}
	m := telemetry.NewMetrics(version)
	a := &App{Config: c, Log: log, Version: version, Metrics: m}
	g, ctx := errgroup.WithContext(ctx)
	defer figures.Close()
	g.Go(func() error { return figures.Serve(ctx, m, a.queueJoined) })
	serving, outlast := outlasting(ctx)
	g.Go(func() error {
		return xaccount.Serve(serving, c, log, func(url string, s *browser.Service) {
			if ready != nil {
				ready(url)
			}
			switch {
			case c.Engine.Address == "":
				telemetry.Module(log, "worker").Info("polls no queue: TEMPORAL_ADDRESS is not set; searches come over HTTP", "action", "start")
			case !slices.Contains(c.Search.Sources, "xweb"):
				telemetry.Module(log, "worker").Info("polls no queue: SOURCES leaves xweb out; searches come over HTTP", "action", "start")
			default:
				a.joins.Store(true)
				served := outlast()
				waitFor(g, func() {
					defer served()
					joinQueue(ctx, log, func() error { return a.openAndTake(ctx, s) })
				})
			}
		})
	})
	return g.Wait()
}

// joinEvery is how often a browser that found no database or no engine looks again. Searches over HTTP are served meanwhile.
const joinEvery = 5 * time.Second

// outlasting makes a context for a browser: it ends with ctx, unless outlast was called before; then it ends when served is called,
// after the searches that were begun for the queue.
func outlasting(ctx context.Context) (serving context.Context, outlast func() (served func())) {
	serving, served := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, served)
	return serving, func() func() {
		stop()
		return served
	}
}

// joinQueue takes searches from the queue until ctx ends, and tries again while the database or the engine does not answer.
func joinQueue(ctx context.Context, log *slog.Logger, take func() error) {
	said := ""
	for {
		err := take()
		if ctx.Err() != nil {
			return
		}
		if why := footy.UserMessage(err); why != said {
			said = why
			telemetry.Module(log, "worker").Warn("takes no searches from "+policy.QueueSearch+" yet: "+why, "action", "start")
		}
		if network.Pause(ctx, joinEvery) != nil {
			return
		}
	}
}

// queueJoined says that a browser which is to take searches from the queue takes none, in words for the public.
func (a *App) queueJoined(context.Context) error {
	if a.joins.Load() {
		return errors.New("takes no searches from the queue: database or workflow engine unavailable")
	}
	return nil
}

func (a *App) openAndTake(ctx context.Context, s *browser.Service) error {
	var err error
	if a.Store, err = state.OpenExistingStore(ctx, a.Config, "take searches"); err != nil {
		return err
	}
	defer a.Store.Close() //nolint:errcheck // the process ends, or tries again
	a.clients()
	if a.hostsErr != nil {
		return a.hostsErr
	}
	c, err := engine.Dial(ctx, a.Config.Engine, a.Log)
	if err != nil {
		return err
	}
	defer c.Close()
	needing, stop := context.WithCancel(ctx)
	defer stop()
	go a.needs(needing, s)
	return a.takeSearches(ctx, c, s)
}

// takeSearches polls the search queue with the account of s, until ctx ends: what this account cannot do is left to others.
func (a *App) takeSearches(ctx context.Context, c client.Client, s *browser.Service) error {
	log, slots := telemetry.Module(a.Log, "worker"), &tabSlots{service: s, tabs: max(a.Config.Browser.Tabs, 1), paid: a.paidAPI()}
	tuner, err := tuner(slots)
	if err != nil {
		return err
	}
	o := a.workerOptions()
	o.Tuner, o.DisableWorkflowWorker = tuner, true
	w := worker.New(c, policy.QueueSearch, o)
	shared := publish.NewShared(a.Store, a.Log, nil)
	found := a.BesideReddit(a.chain(ownBrowser{s}))
	pipeline.RegisterSearch(w, &search.Activities{Store: a.Store, Source: leaving{meter.Source(a.Metrics, found)}, Temporal: c, Page: shared,
		Delays: ledger.DefaultDelays().Scaled(a.Config.Track.TimeScale), Now: time.Now},
		&canary.Activities{Store: a.Store, Source: found, Fetcher: a.Fetcher, Page: shared, Now: time.Now})
	if err := w.Start(); err != nil {
		return footy.Wrap(footy.CodeUnavailable, "start worker for "+policy.QueueSearch, err)
	}
	a.joins.Store(false)
	defer func() {
		a.joins.Store(true)
		w.Stop()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseWithin)
		defer cancel()
		_ = shared.Flush(last) // of what was finished meanwhile; pages read the store when their readers come again
	}()
	log.Info(fmt.Sprintf("takes searches of %s, %d at once while its account can search", policy.QueueSearch, slots.tabs), "action", "start")
	tells := &searcher{service: s, store: a.Store, log: log, name: searcherName(a.Config.Browser.Addr)}
	defer tells.leave(ctx)
	var running sync.WaitGroup
	running.Go(func() { tells.run(ctx) })
	shared.Run(ctx)
	running.Wait()
	return nil
}

// ownBrowser searches with the browser of this process.
type ownBrowser struct{ *browser.Service }

// Name of the source.
func (ownBrowser) Name() string { return "xweb" }

// Search implements source.Source.
func (o ownBrowser) Search(ctx context.Context, q source.Query) (source.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, searchWithin)
	defer cancel()
	return o.Service.Search(ctx, q)
}

// Health implements source.Source.
func (o ownBrowser) Health(context.Context) (source.Health, error) {
	return xweb.HealthOf(o.Status()), nil
}

// Canary implements source.Prober.
func (o ownBrowser) Canary(ctx context.Context) (source.Canary, error) {
	return o.Service.Canary(ctx), nil
}

// leaving gives a search that this account cannot make back to the queue, where another may take it.
type leaving struct{ source.Source }

// Search implements source.Source.
func (l leaving) Search(ctx context.Context, q source.Query) (source.Result, error) {
	res, err := l.Source.Search(ctx, q)
	if err == nil && res.State.Waits() {
		err = fmt.Errorf("%w: %s", source.ErrNotHere, res.Detail)
	}
	return res, err
}

// tabSlots are the slots of a worker whose searches a browser makes: none while it cannot.
type tabSlots struct {
	service *browser.Service
	tabs    int
	paid    source.Source // searches where the account cannot; nil: none

	mu     sync.Mutex
	asked  time.Time // when paid was asked last
	canPay bool
}

// paidEvery is how often it is looked whether the paid API can search.
const paidEvery = 15 * time.Second

// besides reports whether the paid API can search now.
func (t *tabSlots) besides(ctx context.Context) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.paid == nil {
		return false
	}
	if time.Since(t.asked) >= paidEvery {
		h, err := t.paid.Health(ctx)
		t.asked, t.canPay = time.Now(), err == nil && h.Ready && h.BudgetLeft != 0
	}
	return t.canPay
}

// ReserveSlot implements worker.SlotSupplier.
func (t *tabSlots) ReserveSlot(ctx context.Context, _ worker.SlotReservationInfo) (*worker.SlotPermit, error) {
	p, err := t.service.Reserve(ctx, t.besides)
	if err != nil {
		return nil, err
	}
	return &worker.SlotPermit{UserData: p}, nil
}

// TryReserveSlot implements worker.SlotSupplier: no workflow here starts activities past the queue.
func (t *tabSlots) TryReserveSlot(worker.SlotReservationInfo) *worker.SlotPermit { return nil }

// MarkSlotUsed implements worker.SlotSupplier.
func (t *tabSlots) MarkSlotUsed(i worker.SlotMarkUsedInfo) {
	i.Permit().UserData.(*browser.Permit).Use()
}

// ReleaseSlot implements worker.SlotSupplier.
func (t *tabSlots) ReleaseSlot(i worker.SlotReleaseInfo) {
	i.Permit().UserData.(*browser.Permit).Release()
}

// MaxSlots implements worker.SlotSupplier.
func (t *tabSlots) MaxSlots() int { return t.tabs }
