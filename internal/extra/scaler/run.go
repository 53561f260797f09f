package scaler

import (
	"context"
	"log/slog"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/extra/scaler/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/run/telemetry"
)

// Run starts and stops copies of workers and browsers until ctx ends, or says what it would do. It serves its figures, and whether
// it can look, where METRICS_ADDR says.
func Run(ctx context.Context, c config.Config, log *slog.Logger, version string, dryRun bool) error {
	own := config.Own[Settings](c)
	const op = "start the scaler"
	if c.Engine.Address == "" {
		return footy.Errorf(footy.CodeInvalid, op, "TEMPORAL_ADDRESS is not set: an engine of its own has no other workers; set it to the Temporal of the workers")
	}
	docker := NewDocker(own.Socket)
	if _, err := docker.Containers(ctx, own.Project, Worker, false); err != nil {
		return footy.Errorf(footy.CodeUnavailable, op, "DOCKER_SOCKET=%s: %w; start Docker, or let this user use it", own.Socket, err)
	}
	metrics := telemetry.NewMetrics(version)
	if err := state.Await(ctx, c, telemetry.Module(log, "app"), metrics); err != nil {
		return err
	}
	s, err := state.OpenExistingStore(ctx, c, "scale")
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // nothing was written
	t, err := engine.Connect(c.Engine, log)
	if err != nil {
		return err
	}
	defer t.Close()
	figures, err := telemetry.Listen(ctx, c.Metrics.Addr)
	if err != nil {
		return err
	}
	log = telemetry.Module(log, "scaler")
	scales := New(Options{Docker: docker, Project: own.Project, Look: load{s, t, c.Engine}.look, Every: own.Every, Grace: policy.StopGrace,
		Rule:   rule.Options{Min: own.Min, Max: own.Max, Up: own.Up, Down: own.Down, Cooldown: own.Cooldown},
		DryRun: dryRun, Log: log, Now: time.Now})
	log.Info("scales workers and browsers of the compose project "+own.Project, "action", "start", "dry_run", dryRun)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return figures.Serve(ctx, metrics, scales.Ready) })
	g.Go(func() error {
		scales.Run(ctx)
		return nil
	})
	return g.Wait()
}

// load is what there is to do.
type load struct {
	store    store.Store
	temporal client.Client
	engine   config.Engine
}

// look asks engine and database.
func (l load) look(ctx context.Context) (rule.Seen, error) {
	var out rule.Seen
	if err := engine.Answers(ctx, l.temporal, l.engine); err != nil {
		return out, err
	}
	for _, of := range []struct {
		queue string
		kind  enums.TaskQueueType
	}{{policy.QueueMain, pipeline.WorkflowTasks}, {policy.QueueMain, pipeline.ActivityTasks}, {policy.QueueMedia, pipeline.ActivityTasks}} {
		q, err := pipeline.Ask(ctx, l.temporal, l.engine.Namespace, of.queue, of.kind)
		if err != nil {
			return out, err
		}
		out.Waiting += q.Waiting
		out.Oldest = max(out.Oldest, q.Oldest)
	}
	under, err := l.temporal.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: l.engine.Namespace,
		Query: "WorkflowType = '" + download.Workflow.Name() + "' AND ExecutionStatus = 'Running'"})
	if err != nil {
		return out, footy.Wrap(footy.CodeUnavailable, "ask what runs", err)
	}
	out.Working = under.GetCount() > 0
	now := time.Now()
	open, err := l.store.List(ctx, store.FixtureQuery{Open: true})
	if err != nil {
		return out, err
	}
	for _, f := range open {
		for _, e := range f.Events {
			if e.Round.TakenUp() && !e.DownloadComplete && !e.Removed {
				out.Goals++
			}
		}
	}
	out.Searching = out.Goals > 0
	near, err := l.store.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageStaging, footy.StageActive}, From: now.Add(-4 * time.Hour), To: now.Add(time.Hour)})
	for _, f := range near {
		out.Kickoffs = append(out.Kickoffs, f.Match.Kickoff)
	}
	return out, err
}
