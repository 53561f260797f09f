package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/acquire"
	"github.com/found-footy/found-footy/internal/pipeline/alias"
	"github.com/found-footy/found-footy/internal/pipeline/discover"
	"github.com/found-footy/found-footy/internal/pipeline/fault"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/publish"
	"github.com/found-footy/found-footy/internal/rule/debounce"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/telemetry"
	"github.com/found-footy/found-footy/internal/validate/gate"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/worker"
)

// Notifier tells readers that something changed, in this process or in another.
type Notifier interface {
	Notify(ctx context.Context, entity string, ids ...string)
}

// Dial connects to Temporal.
func (a *App) Dial(ctx context.Context, address string) (client.Client, error) {
	e := a.Config.Engine
	o := client.Options{HostPort: address, Namespace: e.Namespace, Logger: telemetry.Temporal(a.Log)}
	if e.APIKey != "" {
		o.Credentials = client.NewAPIKeyStaticCredentials(e.APIKey)
	}
	if e.TLS || e.APIKey != "" {
		o.ConnectionOptions = client.ConnectionOptions{TLS: tlsConfig()}
	}
	c, err := client.DialContext(ctx, o)
	if err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, "connect to Temporal", "%s: %w; start it, or unset TEMPORAL_ADDRESS to use the embedded one", address, err)
	}
	return c, nil
}

// Worker polls the named queues (none: all) until ctx ends.
type Worker struct{ workers []worker.Worker }

// StartWorker registers workflows and activities and begins polling.
func (a *App) StartWorker(c client.Client, n Notifier, queues []string) (*Worker, error) {
	if len(queues) == 0 {
		queues = policy.Queues()
	}
	acts, err := a.activities(c, n)
	if err != nil {
		return nil, err
	}
	w := &Worker{}
	for _, q := range queues {
		if !slices.Contains(policy.Queues(), q) {
			return nil, footy.Errorf(footy.CodeInvalid, "start worker", "--queues: %q is no queue; known are %v", q, policy.Queues())
		}
		wk := worker.New(c, q, worker.Options{
			MaxConcurrentActivityExecutionSize: a.slots(q),
			DisableWorkflowWorker:              q != policy.QueueMain,
			WorkerStopTimeout:                  5 * time.Second,
			Interceptors:                       []interceptor.WorkerInterceptor{fault.Interceptor()},
		})
		if q == policy.QueueMain {
			pipeline.Workflows(wk)
		}
		acts.Register(wk)
		if err := wk.Start(); err != nil {
			w.Stop()
			return nil, footy.Wrap(footy.CodeUnavailable, "start worker for "+q, err)
		}
		w.workers = append(w.workers, wk)
	}
	return w, nil
}

// Stop ends all pollers; running activities get a moment.
func (w *Worker) Stop() {
	for _, wk := range w.workers {
		wk.Stop()
	}
}

// slots is how many activities of a queue run at once in this process.
func (a *App) slots(queue string) int {
	switch queue {
	case policy.QueueMedia:
		return a.mediaSlots()
	case policy.QueueVision:
		return max(a.Config.Model.Slots, 1)
	case policy.QueueSearch:
		return 4
	}
	return 30
}

func (a *App) activities(c client.Client, n Notifier) (pipeline.Activities, error) {
	cfg, scale := a.Config, a.Config.Track.TimeScale
	temp, err := os.MkdirTemp("", "footy-media-*")
	if err != nil {
		return pipeline.Activities{}, footy.Wrap(footy.CodeUnavailable, "create a directory for downloads", err)
	}
	gates := gate.Defaults()
	gates.MinDuration, gates.MaxDuration, gates.MinAspect = cfg.Media.MinDuration.Seconds(), cfg.Media.MaxDuration.Seconds(), cfg.Media.MinAspect
	votes, windows := MatchRules(cfg.Track)
	return pipeline.Activities{
		Ingest: &ingest.Activities{Store: a.Store, Blob: a.Blob, Feed: a.Feed, Notify: n, Now: time.Now, Windows: windows,
			Follow: lifecycle.Follow{Leagues: cfg.Track.Leagues, Teams: cfg.Track.Teams}, Retention: time.Duration(cfg.Track.RetentionDays) * 24 * time.Hour},
		Monitor: &monitor.Activities{Store: a.Store, Blob: a.Blob, Feed: a.Feed, Reader: a.Reader, Workflows: pipeline.Status{Client: c},
			Windows: windows, Options: votes, Grace: monitor.Graces().Scaled(scale), Notify: n, Now: time.Now},
		Alias:    &alias.Activities{Store: a.Store, Resolver: a.Aliases, Fallback: a.Names, Now: time.Now},
		Discover: &discover.Activities{Store: a.Store, Source: a.Source, Notify: n, Now: time.Now},
		Acquire: &acquire.Activities{Store: a.Store, Blob: a.Blob, Fetcher: a.Fetcher, Decoder: a.Media, Reader: a.Reader, Temporal: c,
			Gate: gates, Tolerance: cfg.Media.Tolerance, TempDir: temp, Now: time.Now},
		Publish: &publish.Activities{Store: a.Store, Blob: a.Blob, Notify: n, Now: time.Now},
	}, nil
}

// MatchRules are the numbers of the match rules that the settings ask for.
func MatchRules(t config.Track) (debounce.Options, lifecycle.Windows) {
	votes := debounce.Defaults()
	votes.Kinds, votes.ResetOnChange = kinds(t.Kinds), t.ResetOnChange
	return votes, lifecycle.Defaults().Scaled(t.TimeScale)
}

// Schedule creates or updates the two schedules and starts today's ingest if its list is missing.
func (a *App) Schedule(ctx context.Context, c client.Client) error {
	scale := a.Config.Track.TimeScale
	s := pipeline.Schedules{Monitor: a.Config.Track.MonitorInterval / time.Duration(scale), Timing: policy.Defaults().Scaled(scale), Ingest: ingest.Defaults()}
	if err := s.Ensure(ctx, c); err != nil {
		return err
	}
	if a.Config.Feed.Key == "" {
		return nil
	}
	var last ingest.LastIngest
	err := a.Store.State(ctx, ingest.StateKey, &last)
	if err != nil && !footy.IsNotFound(err) {
		return err
	}
	if last.Date == time.Now().UTC().Format(time.DateOnly) {
		return nil
	}
	return a.IngestNow(ctx, c, s.Ingest)
}

// IngestNow starts an ingest unless one runs.
func (a *App) IngestNow(ctx context.Context, c client.Client, in ingest.Input) error {
	_, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: "ingest-" + time.Now().UTC().Format("02_01_2006"), TaskQueue: policy.QueueMain,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
	}, policy.IngestWorkflow, in)
	return footy.Wrap(footy.CodeUnavailable, "start ingest", err)
}

// Serve serves h on addr until ctx ends. ready is called with the address once it listens.
func Serve(ctx context.Context, addr string, h http.Handler, ready func(addr string), closing func()) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return footy.Errorf(footy.CodeUnavailable, "serve the page", "WEB_ADDR=%s: %w; stop what uses it or choose another address", addr, err)
	}
	if ready != nil {
		ready(l.Addr().String())
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() {
		if closing != nil {
			closing()
		}
		grace, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if srv.Shutdown(grace) != nil {
			_ = srv.Close()
		}
	})
	defer stopped()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the page: %w", err)
	}
	return nil
}
