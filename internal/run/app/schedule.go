package app

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/run/config/rules"
	"github.com/found-footy/found-footy/internal/run/engine"
	"go.temporal.io/sdk/client"
)

const (
	keepEvery  = time.Minute
	keepAgain  = 5 * time.Second // after a look that failed: the engine is coming up, or its database was lost
	keepWithin = 30 * time.Second
	unserved   = 3 * time.Minute // after which the engine is held to be at fault
)

// schedules are the clocks of the product as the settings want them.
func (a *App) schedules() pipeline.Schedules {
	scale := a.Config.Track.TimeScale
	return pipeline.Schedules{Monitor: a.Config.Track.MonitorInterval / time.Duration(scale), Timing: policy.Defaults().Scaled(scale), Ingest: ingest.Defaults(),
		Canary: canary.Every / time.Duration(scale), Look: canary.Defaults().Scaled(scale), OwnClock: !a.sharesEngine()}
}

// pace is how often the monitor's schedule acts: more rarely while nothing is live or near. keepSchedules moves it,
// long before a match that comes near begins; days that are compressed to less go at one pace.
func (a *App) pace(ctx context.Context) time.Duration {
	every := a.schedules().Monitor
	_, w := rules.Match(a.Config.Track)
	if w.IdlePoll <= max(every, keepEvery) {
		return every
	}
	idle, err := monitor.Idle(ctx, a.Store, w, time.Now())
	if err != nil || !idle { // a database that is away is no reason to look more rarely
		return every
	}
	return w.IdlePoll
}

// needs keeps the browser open for matches only, until ctx ends.
func (a *App) needs(ctx context.Context, s *browser.Service) {
	_, w := rules.Match(a.Config.Track)
	for network.Pause(ctx, keepEvery) == nil {
		near, err := monitor.Near(ctx, a.Store, w, time.Now())
		s.Need(ctx, err != nil || near) // nor is it one to close the browser
	}
}

// meet has keepSchedules look now: a match that was named, or came with a list, may be live.
func (a *App) meet() {
	select {
	case a.met <- struct{}{}:
	default:
	}
}

// keepSchedules looks every minute, or once a cycle where cycles are rarer, after each start of the engine and after each ingest, whether the
// schedules are there, until ctx ends: an engine that lost its database has none, and nothing is polled without them.
func (a *App) keepSchedules(ctx context.Context, c client.Client, run *engine.Engine) {
	s, logged, served := a.schedules(), "", time.Now()
	for pause := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-run.Relaunched():
			served = time.Now()
		case <-a.met:
		case <-time.After(pause):
		}
		look, cancel := context.WithTimeout(ctx, keepWithin)
		s.Monitor = a.pace(look)
		made, err := s.Keep(look, c, time.Now())
		cancel()
		a.logMade(made)
		pause = max(keepEvery, s.Monitor)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			logged, served = "", time.Now()
			continue
		}
		pause = keepAgain
		if !engine.Unserved(err) {
			served = time.Now()
		} else if time.Since(served) > unserved {
			served = time.Now()
			run.Restart()
		}
		if why := footy.UserMessage(err); why != logged { // once, not every few seconds
			logged = why
			a.Log.Warn("schedules not looked at: "+why, "module", "engine", "action", "schedule")
		}
	}
}

func (a *App) logMade(made []string) {
	for _, m := range made {
		a.Log.Warn("schedule made anew: "+m, "module", "engine", "action", "schedule")
	}
}
