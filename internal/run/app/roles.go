package app

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/footage"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/ingest/alias"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/policy/fault"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/pipeline/upload"
	"github.com/found-footy/found-footy/internal/run/config/rules"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/worker"
)

// Worker polls the named queues (none: all) until it is stopped.
type Worker struct {
	temp    *scratch.Dir // for downloads
	workers []worker.Worker
	queues  map[string]*running // what runs of each
	slots   *modelSlots         // nil: the model is this process's alone
	runs    sync.WaitGroup      // of extras
	end     context.CancelFunc  // of these
}

// StartWorker registers workflows and activities and begins polling. Who polls the main queue takes the feed for the state just before that,
// and begins there last: a start that fails gives up no match. Only that last step can fail afterwards; before it, matches would be asked
// for by the ids of the former feed.
func (a *App) StartWorker(ctx context.Context, c client.Client, p footy.Publisher, queues []string) (*Worker, error) {
	if len(queues) == 0 {
		queues = policy.Queues()
	}
	temp, err := scratch.Open(a.Config.State.Dir)
	if err != nil {
		return nil, err
	}
	acts := a.activities(c, p, temp.Path)
	parts, err := a.parts(c, p, port.Duty{Queues: queues, TempDir: temp.Path})
	if err != nil {
		return nil, err
	}
	w := &Worker{temp: temp, queues: map[string]*running{}}
	runs, end := context.WithCancel(context.WithoutCancel(ctx))
	w.end = end
	for _, part := range parts {
		if part.Sweep != nil {
			acts.Cleanup.Also = append(acts.Cleanup.Also, part.Sweep)
		}
		if part.Footage != nil {
			acts.Cleanup.Footage, acts.Download.Footage = part.Footage, part.Footage
		}
	}
	mainLast := slices.DeleteFunc(slices.Clone(queues), func(q string) bool { return q == policy.QueueMain })
	if len(mainLast) < len(queues) {
		mainLast = append(mainLast, policy.QueueMain)
	}
	for _, q := range mainLast {
		count := &running{failed: a.failures()}
		o := a.workerOptions(count)
		o.MaxConcurrentActivityExecutionSize = a.slots(q)
		o.DisableWorkflowWorker = q != policy.QueueMain
		o.MaxConcurrentWorkflowTaskPollers = workflowPollers
		// What cannot run is failed and begun again from the ledger; blocked it would hold its goal up for ever.
		o.WorkflowPanicPolicy = worker.FailWorkflow
		o.DeadlockDetectionTimeout = policy.Stuck
		if q == policy.QueueVision && a.sharesEngine() && a.Config.Model.URL != "" {
			if w.slots, err = newModelSlots(store.NewLeases(a.Store, time.Now, a.own), a.slots(q)); err == nil {
				count.waits = w.slots.waits.Load
				o.MaxConcurrentActivityExecutionSize = 0
				o.Tuner, err = tuner(w.slots)
			}
			if err != nil {
				w.Stop()
				return nil, err
			}
		}
		wk := worker.New(c, q, o)
		if q == policy.QueueMain {
			pipeline.Workflows(wk, parts...)
			if err := a.takeFeed(ctx); err != nil {
				w.Stop()
				return nil, err
			}
		}
		acts.Register(wk, parts...)
		if err := wk.Start(); err != nil {
			w.Stop()
			return nil, footy.Wrap(footy.CodeUnavailable, "start worker for "+q, err)
		}
		w.workers, w.queues[q] = append(w.workers, wk), count
	}
	for _, part := range parts {
		if part.Run != nil {
			w.runs.Go(func() { part.Run(runs) })
		}
	}
	return w, nil
}

// workerOptions are those of each worker.
func (a *App) workerOptions(also ...interceptor.WorkerInterceptor) worker.Options {
	return worker.Options{
		WorkerStopTimeout:            a.drain(),
		MaxHeartbeatThrottleInterval: policy.BeatPause,
		Interceptors:                 append([]interceptor.WorkerInterceptor{fault.Interceptor(telemetry.Module(a.Log, "activity"))}, also...),
	}
}

// workflowPollers are how many ask for workflow tasks at once. As long as a task of a run that this process knows waits, they ask for no
// other: where 60 goals fell at once two of them, as is usual, left new Downloads waiting for minutes, and their searches did not count.
const workflowPollers = 16

// Stop ends all pollers at once; what runs is finished, as long as drain allows.
func (w *Worker) Stop() {
	var all sync.WaitGroup
	for _, wk := range w.workers {
		all.Go(wk.Stop)
	}
	w.end()
	all.Wait()
	w.runs.Wait()
	if w.slots != nil {
		w.slots.close()
	}
	w.temp.Remove()
}

// tuner has slots for activities as they come; nothing else runs beside them.
func tuner(slots worker.SlotSupplier) (worker.WorkerTuner, error) {
	fixed, err := worker.NewFixedSizeSlotSupplier(1)
	if err != nil {
		return nil, err
	}
	return worker.NewCompositeTuner(worker.CompositeTunerOptions{ActivitySlotSupplier: slots,
		WorkflowSlotSupplier: fixed, LocalActivitySlotSupplier: fixed, NexusSlotSupplier: fixed, SessionActivitySlotSupplier: fixed})
}

// drain is how long a worker that is asked to stop goes on with what it has begun: longer than it takes the engine to give to another
// what no worker finishes. With an engine of its own it ends soon: the engine ends, too, and the next start goes on.
func (a *App) drain() time.Duration {
	if !a.sharesEngine() {
		return 5 * time.Second
	}
	return pipeline.LongestHeartbeat() + 5*time.Second
}

// slots is how many activities of a queue run at once in this process.
func (a *App) slots(queue string) int {
	switch queue {
	case policy.QueueMedia:
		return runtime.GOMAXPROCS(0) + 1 // what extras do there must take no slot from the clips that goals wait for
	case policy.QueueVision:
		return max(a.Config.Model.Slots, 1)
	case policy.QueueSearch: // no more than the browser has tabs: what waits here is ordered, what waits there is not
		return max(a.Config.Browser.Tabs, 1)
	}
	return 30
}

func (a *App) activities(c client.Client, p footy.Publisher, temp string) pipeline.Activities {
	cfg, scale := a.Config, a.Config.Track.TimeScale
	votes, windows := rules.Match(cfg.Track)
	_, delays := rules.Posts(cfg.Track)
	keep := cleanup.Defaults().Scaled(scale)
	keep.Fixtures = time.Duration(cfg.Track.RetentionDays) * 24 * time.Hour
	old := &cleanup.Activities{Store: a.Store, Blob: a.Blob, Keep: keep, Now: time.Now}
	var lists *ingest.Input
	var asks feed.Feed
	if !cfg.Feed.Missing() {
		asks, lists = a.Feed, new(ingest.Defaults())
	}
	prints := new(footage.Memory)
	return pipeline.Activities{
		Cleanup: old,
		Ingest: &ingest.Activities{Store: a.Store, Feed: a.Feed, Page: p, Now: time.Now, Windows: windows,
			Follow: a.Follows.Follow, Known: a.Follows.Known, Cleanup: old, Minute: time.Minute / time.Duration(max(scale, 1)), Met: a.meet},
		Monitor: &monitor.Activities{Store: a.Store, Feed: asks, Reader: a.Reader, Status: pipeline.Status(c),
			Rules: cycle.Rules{Votes: votes, Windows: windows}, Cycle: a.Config.Track.PollEvery(), Cleanup: old, Ingest: lists, Online: a.online, Delays: delays, Page: p, Now: time.Now},
		Alias:  &alias.Activities{Store: a.Store, Resolver: a.Aliases, Fallback: a.Names, Now: time.Now},
		Search: &search.Activities{Store: a.Store, Source: a.Source, Temporal: c, Polled: pipeline.Polled(c, cfg.Engine.Namespace), Page: p, Delays: delays, Now: time.Now},
		Download: &download.Activities{Store: a.Store, Blob: a.Blob, Fetcher: a.Fetcher, Decoder: a.Media, Reader: a.Reader, Temporal: c, Prints: prints,
			Clock: cfg.Media.ByClock(), ModelFirst: cfg.Media.ModelFirst(), ClockOnly: !cfg.Media.ByModel(), TempDir: temp, Room: state.Room(cfg), Delays: delays, Now: time.Now},
		Upload: &upload.Activities{Store: a.Store, Blob: a.Blob, Page: p, Prints: prints, Delays: delays, Now: time.Now},
		Canary: &canary.Activities{Store: a.Store, Source: a.sources, Fetcher: a.Fetcher, Page: p, Now: time.Now},
	}
}

// online reports whether a way leads from this machine to the feed.
func (a *App) online(ctx context.Context) bool { return network.Online(ctx, a.Config.Feed.At()) }

// Schedule creates or updates the schedules, and starts today's ingest if its list is missing or was read for other settings, or from
// another feed by a worker that has to do with matches.
func (a *App) Schedule(ctx context.Context, c client.Client, matches bool) error {
	s := a.schedules()
	s.Monitor = a.pace(ctx)
	made, err := s.Ensure(ctx, c, time.Now())
	if err != nil {
		return err
	}
	a.logMade(made)
	if a.Config.Feed.Missing() {
		return nil
	}
	anew := false
	if matches {
		was, now, _, err := a.changesFeed(ctx)
		if err != nil {
			return err
		}
		anew = was != now
	}
	last, err := store.Fact[ingest.LastIngest](ctx, a.Store, ingest.StateKey)
	if err != nil {
		return err
	}
	if !anew && last.Date == time.Now().UTC().Format(time.DateOnly) && !a.followsOther(ctx, last) {
		return nil
	}
	_, err = ingest.StartNow(ctx, c, s.Ingest)
	return err
}

// followsOther reports whether the settings follow something else than when today's list was read.
func (a *App) followsOther(ctx context.Context, last ingest.LastIngest) bool {
	now, err := a.Follows.Follow(ctx)
	return err == nil && last.Followed != "" && last.Followed != now.String()
}
