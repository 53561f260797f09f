package app

import (
	"context"
	"errors"
	"io"
	"net"
	"os/exec"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/telemetry"
	"github.com/found-footy/found-footy/internal/web"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
)

// health asks everything the product depends on; doctor and the health page show the same answers.
type health struct {
	app      *App
	temporal client.Client // nil: not connected

	mu    sync.Mutex
	since map[string]change
	last  map[string]web.Component // what the latest looks found

	logged map[string]string // of components whose cause is in the log: the words the page has for it
}

type change struct {
	state web.State
	at    time.Time
}

// Health asks all components side by side, each within a few seconds.
func (h *health) Health(ctx context.Context) web.Health {
	out := web.Health{At: time.Now(), Parts: h.all(ctx, h.parts(h.engine, h.state, h.clips, h.feed, h.search, h.fetch, h.model, h.ledger, h.programs)...)}
	out.State = web.Worst(out.Parts)
	return out
}

// parts adds to checks those of what is set up only where somebody wants it.
func (h *health) parts(checks ...func(context.Context) web.Component) []func(context.Context) web.Component {
	if h.app.Config.Backup.Dir != "" {
		checks = append(checks, h.backup)
	}
	return checks
}

func (h *health) all(ctx context.Context, checks ...func(context.Context) web.Component) []web.Component {
	ctx, cancel := context.WithTimeout(ctx, 8*time.Second)
	defer cancel()
	out := make([]web.Component, len(checks))
	var wg sync.WaitGroup
	for i, check := range checks {
		wg.Go(func() {
			out[i] = h.remember(check(ctx))
			h.app.gauge(out[i])
			h.keep(out[i])
		})
	}
	wg.Wait()
	return out
}

// remember notes since when a component has been in its state.
func (h *health) remember(c web.Component) web.Component {
	if !c.Since.IsZero() {
		return c // it knows better
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if old, ok := h.since[c.Name]; !ok || old.state != c.State {
		h.since[c.Name] = change{c.State, time.Now()}
	}
	c.Since = h.since[c.Name].at
	return c
}

func (h *health) engine(ctx context.Context) web.Component {
	c := web.Component{Name: "engine", State: web.StateOK, Facts: map[string]any{}}
	if h.temporal == nil {
		c.State, c.Reason, c.Remedy = web.StateMissing, "this process is not connected to Temporal", "Set TEMPORAL_ADDRESS to show schedules and queues here."
		return c
	}
	d, err := h.temporal.ScheduleClient().GetHandle(ctx, policy.ScheduleMonitor).Describe(ctx)
	var none *serviceerror.NotFound
	if errors.As(err, &none) {
		c.State, c.Reason, c.Remedy = web.StateDegraded, "nobody has set up the monitor's schedule yet", "Start a worker: footy worker or footy up."
		return c
	}
	if err != nil {
		c.State, c.Reason, c.Remedy = web.StateDown, "Temporal does not answer: "+unreached(err), "Start Temporal again; everything goes on where it was."
		return c
	}
	if n := h.queues(ctx); n >= 0 {
		c.Facts["tasks_waiting"] = int(n)
	}
	if n := len(d.Info.RecentActions); n > 0 {
		last := d.Info.RecentActions[n-1]
		lag := time.Since(last.ActualTime)
		c.Facts["last_cycle_seconds_ago"] = int(lag.Seconds())
		if lag > 2*time.Minute+2*h.app.Config.Track.MonitorInterval {
			c.State, c.Reason, c.Remedy = web.StateDegraded, "no monitor cycle for "+lag.Round(time.Second).String(), "Is a worker running? Start one with footy worker or footy up."
		}
	}
	return c
}

func (h *health) state(ctx context.Context) web.Component {
	c := web.Component{Name: "state", State: web.StateOK}
	if err := h.app.Store.Ping(ctx); err != nil {
		c.State, c.Reason, c.Remedy = web.StateDown, Plain(err), "Bring the database back; goals wait for it."
		return c
	}
	if free, ok := room(h.app.Config.State.Dir); ok {
		c.Facts = map[string]any{"bytes_free": int64(free >> 20 << 20)} //nolint:gosec // no disk is that large; whole megabytes, so that looking changes little
	}
	if bad := h.app.Store.Damaged(); len(bad) > 0 {
		c.State, c.Reason, c.Remedy = web.StateDegraded, damage(bad), damageRemedy(bad)
	}
	if full := short(h.app.Config.State.Dir, roomToRun); full != "" {
		c.State, c.Reason, c.Remedy = web.StateDown, full, "Free some space; nothing written before is lost, and everything goes on when there is room."
	}
	return c
}

func (h *health) clips(ctx context.Context) web.Component {
	c := web.Component{Name: "clips", State: web.StateOK}
	err := h.app.Blob.Ping(ctx)
	if err == nil {
		return c
	}
	at := h.app.Config.S3.Endpoint
	switch c.State = web.StateDown; {
	case at == "": // a directory says itself what is wrong with it
		c.Reason, c.Remedy = Plain(err), "Make room on the disk, or let this user write there; goals wait for it."
		return c
	case footy.CodeOf(err) == footy.CodeAuthRequired:
		c.Reason, c.Remedy = "the object store at "+at+" refuses us", "Correct S3_ACCESS_KEY, S3_SECRET_KEY and S3_REGION, and what the key may do. Clips wait for it."
	case noAnswer(err):
		c.Reason, c.Remedy = "the object store at "+at+" does not answer", "Start it again, or correct S3_ENDPOINT and S3_SECURE. Clips wait for it; nothing is lost."
	default:
		c.Reason, c.Remedy = "the object store at "+at+" takes no file", "Look into its log and at the room on its disk. Clips wait for it; nothing is lost."
	}
	h.raw(c, err)
	return c
}

// raw keeps in the log what the page says in plainer words, once for each change.
func (h *health) raw(c web.Component, err error) {
	if h.app.Log == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.logged == nil {
		h.logged = map[string]string{}
	}
	if h.logged[c.Name] == c.Reason && h.since[c.Name].state == c.State {
		return
	}
	h.logged[c.Name] = c.Reason
	telemetry.Module(h.app.Log, "health").Warn(c.Name+": "+c.Reason, "action", "check", "component", c.Name, "error", err)
}

// noAnswer: the network failed, not the server.
func noAnswer(err error) bool {
	var failed net.Error // of a connection, a name, or a time limit
	return errors.As(err, &failed) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.EOF)
}

func (h *health) programs(ctx context.Context) web.Component {
	c := web.Component{Name: "ffmpeg", State: web.StateOK}
	if why := h.app.lacksProgram(ctx); why != "" {
		c.State, c.Reason, c.Remedy = web.StateDown, why, "I"+installFFmpeg[1:]+"."
	}
	return c
}

const installFFmpeg = "install ffmpeg (Debian: apt-get install ffmpeg, macOS: brew install ffmpeg), or set FFMPEG and FFPROBE"

// programs refuses to work without what every clip needs.
func (a *App) programs(ctx context.Context) error {
	if why := a.lacksProgram(ctx); why != "" {
		return footy.Errorf(footy.CodeUnavailable, "start worker", "%s; %s", why, installFFmpeg)
	}
	return nil
}

// lacksProgram says which program is not there or does not start; "" if all do.
func (a *App) lacksProgram(ctx context.Context) string {
	p := a.Config.Program
	for _, set := range [][2]string{{"FFMPEG", p.FFmpeg}, {"FFPROBE", p.FFprobe}} {
		if _, err := exec.LookPath(set[1]); err != nil {
			return set[0] + "=" + set[1] + " is not installed"
		}
	}
	if err := a.Media.Check(ctx); err != nil {
		return Plain(err)
	}
	return ""
}
