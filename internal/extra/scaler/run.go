package scaler

import (
	"context"
	"log/slog"
	"strconv"
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
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/port/command"
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

// Extra is what the scaler adds.
func Extra() port.Extra {
	return port.Extra{
		Name:     "scaler",
		Settings: &config.Group{Title: "Scaler (footy scaler)", New: func() any { return &Settings{} }, Check: contradictions},
		Commands: []port.Command{{Name: "scaler", Help: "Start and stop workers and browsers of a compose project as there is work.", Run: &Cmd{}}},
	}
}

// Settings is how many workers and browsers footy scaler keeps running.
type Settings struct {
	Min      int           `env:"MIN_INSTANCES" envDefault:"2" min:"1" max:"64" doc:"Workers, and browsers, that always run." like:"2"`
	Max      int           `env:"MAX_INSTANCES" envDefault:"8" min:"1" max:"64" doc:"Workers, and browsers, at most." like:"8"`
	Up       int           `env:"SCALE_UP_THRESHOLD" test:"true" envDefault:"5" min:"1" max:"1000" doc:"One worker more above this many waiting tasks for each." like:"5"`
	Down     int           `env:"SCALE_DOWN_THRESHOLD" test:"true" envDefault:"2" min:"0" max:"1000" doc:"One fewer below this many, while no work runs." like:"2"`
	Every    time.Duration `env:"CHECK_INTERVAL" test:"true" envDefault:"30s" min:"5s" max:"10m" doc:"Time between two looks." like:"30s"`
	Cooldown time.Duration `env:"SCALE_COOLDOWN" test:"true" envDefault:"60s" min:"0s" max:"1h" doc:"Time between two changes of one service." like:"60s"`
	Socket   string        `env:"DOCKER_SOCKET" test:"true" envDefault:"/var/run/docker.sock" doc:"Unix socket of the Docker engine. Anybody who can use it has the rights of root on that machine." like:"/var/run/docker.sock"`
	Project  string        `env:"COMPOSE_PROJECT_NAME" envDefault:"found-footy" doc:"Compose project whose containers are scaled; no other is touched." like:"found-footy"`
}

func contradictions(_ config.Config, own any) (out config.Problems) {
	s := own.(*Settings) //nolint:forcetypeassert // made by New
	if s.Min > s.Max {
		out = append(out, config.Problem{Setting: "MIN_INSTANCES", Value: strconv.Itoa(s.Min), Why: "is above MAX_INSTANCES=" + strconv.Itoa(s.Max), Remedy: "lower it or raise MAX_INSTANCES"})
	}
	if s.Down >= s.Up {
		out = append(out, config.Problem{Setting: "SCALE_DOWN_THRESHOLD", Value: strconv.Itoa(s.Down), Why: "is not below SCALE_UP_THRESHOLD=" + strconv.Itoa(s.Up), Remedy: "lower it or raise SCALE_UP_THRESHOLD"})
	}
	return out
}

// Cmd is footy scaler.
type Cmd struct {
	DryRun bool `help:"Say what would be done, and do nothing."`
}

// Run scales the workers and browsers of a compose project.
func (s Cmd) Run(ctx context.Context, p command.Process) error {
	return Run(ctx, p.Config, p.Serving().Log, p.Version, s.DryRun)
}
