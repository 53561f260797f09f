package app

import (
	"context"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"
)

// sharesEngine reports whether other processes may take tasks of the same queues: an engine of its own a process has for itself.
func (a *App) sharesEngine() bool { return a.Config.Engine.Address != "" }

// leftToOthers are the queues that the worker of this process leaves, each with the reason. footy up does everything itself, and what
// it cannot do waits and says so; but where others may search, only its browser takes searches, while its account can.
func (a *App) leftToOthers(r Roles, look *check.Checker) map[string]string {
	switch {
	case !r.Browser:
		return look.Unserved()
	case a.sharesEngine() && a.ownsSearchService(r) && (a.hasAccount() || a.paidAPI() == nil):
		return map[string]string{policy.QueueSearch: "the browser of this process takes searches, once somebody has logged in to X here"}
	}
	return nil
}

// work polls the queues that were named, or those that this process can serve, until ctx ends. drained is called once nothing runs any more.
func (a *App) work(ctx context.Context, g *errgroup.Group, c client.Client, p footy.Publisher, named []string, cannot map[string]string, drained func()) error {
	log := telemetry.Module(a.Log, "worker")
	queues, left := split(named, cannot)
	w, err := a.StartWorker(ctx, c, p, queues)
	if err != nil {
		return err
	}
	a.worker.Store(w)
	log.Info("takes tasks of "+strings.Join(queues, ", "), "action", "start")
	for _, q := range policy.Queues() {
		switch why := cannot[q]; {
		case why != "" && slices.Contains(queues, q):
			log.Warn("takes tasks of "+q+" and can only let them wait: "+why, "action", "start")
		case slices.Contains(left, q):
			log.Info("leaves "+q+" to other workers: "+why, "action", "start")
		}
	}
	waitFor(g, func() {
		defer drained()
		<-ctx.Done()
		log.Info("takes no more tasks and finishes what it has begun", "action", "stop")
		w.Stop()
	})
	return nil
}

// split says which queues to poll, and which to leave: never one that a person named.
func split(named []string, unserved map[string]string) (queues, left []string) {
	if len(named) > 0 {
		return named, nil
	}
	for _, q := range policy.Queues() {
		if _, cannot := unserved[q]; cannot {
			left = append(left, q)
		} else {
			queues = append(queues, q)
		}
	}
	return queues, left
}
