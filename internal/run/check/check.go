// Package check looks at each part that the product depends on, for the health page, footy doctor and the alerts.
package check

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/found-footy/found-footy/internal/tell/health"
	"go.temporal.io/sdk/client"
)

// Options are the things to look at.
type Options struct {
	Config   config.Config
	Store    store.Store // nil: cannot be opened
	Blob     blob.Store
	Feed     feed.Feed
	Follows  *follow.Following
	Source   source.Source
	Reader   validate.Reader // nil: no model is set up
	Media    *media.Tool     // nil: this process decodes no clips
	Temporal client.Client   // nil: not connected
	Windows  lifecycle.Windows
	Log      *slog.Logger

	Seen      func(health.Part)                                  // called with what each look found; nil: nobody
	SeenQueue func(queue string, tasks, secondsOfOldest float64) // idem, of each task queue
	SeenList  func(day time.Time)                                // idem, the newest day whose list of matches was read on that day
}

// Checker looks at the parts, and remembers since when each is as it is.
type Checker struct {
	opt Options

	mu     sync.Mutex
	since  map[string]change
	last   map[string]health.Part // what the latest looks found
	report health.Report          // of the last look at all of them
	logged map[string]string      // the reason in the log with its cause, by part

	programsStarted time.Time              // when ffmpeg and ffprobe were started last
	counted         map[int64]countedMatch // what matches' clips were proven by, by fixture; replaced, never changed
}

type change struct {
	state health.State
	at    time.Time
}

// New makes a Checker.
func New(o Options) *Checker {
	if o.Seen == nil {
		o.Seen = func(health.Part) {}
	}
	if o.SeenQueue == nil {
		o.SeenQueue = func(string, float64, float64) {}
	}
	if o.SeenList == nil {
		o.SeenList = func(time.Time) {}
	}
	return &Checker{opt: o, since: map[string]change{}, last: map[string]health.Part{}, logged: map[string]string{}}
}

type look func(context.Context) health.Part

// Look looks at all parts side by side, each within a few seconds.
func (c *Checker) Look(ctx context.Context) health.Report {
	out := health.Report{At: time.Now(), Parts: c.all(ctx)}
	out.State = health.Worst(out.Parts)
	c.mu.Lock()
	defer c.mu.Unlock()
	if ctx.Err() == nil || c.report.At.IsZero() {
		c.report = out
	}
	return out
}

// Health is what the last look found; Watch looks four times a minute. Whoever asks a page for it, and however often, asks nothing of the
// parts. Only before the first look is over it looks itself.
func (c *Checker) Health(ctx context.Context) health.Report {
	c.mu.Lock()
	last := c.report
	c.mu.Unlock()
	if last.At.IsZero() {
		return c.Look(ctx)
	}
	last.Parts = slices.Clone(last.Parts) // a page adds to it
	return last
}

// Last is what the last looks found; nothing is asked for it.
func (c *Checker) Last(context.Context) []health.Part {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Values(c.last))
}

// all looks at each part side by side, at the backups where they are set up. Page and alerts have no list of their own: a part
// that only the page looks at is told to nobody else.
func (c *Checker) all(ctx context.Context) []health.Part {
	looks := []look{c.engine, c.database, c.clips, c.feed, c.search, c.fetch, c.model, c.proof, c.ledger}
	if c.opt.Media != nil {
		looks = append(looks, c.programs)
	}
	if c.opt.Config.Backup.Dir != "" {
		looks = append(looks, c.Backup)
	}
	ctx, cancel := context.WithTimeout(ctx, 8*time.Second)
	defer cancel()
	out := make([]health.Part, len(looks))
	var wg sync.WaitGroup
	for i, at := range looks {
		wg.Go(func() {
			out[i] = c.remember(at(ctx))
			c.opt.Seen(out[i])
		})
	}
	wg.Wait()
	return out
}

// remember keeps what a look found, and since when the part has been in its state.
func (c *Checker) remember(p health.Part) health.Part {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch old, ok := c.since[p.Name]; {
	case !p.Since.IsZero(): // it knows better
	case ok && old.state == p.State:
		p.Since = old.at
	default:
		p.Since = time.Now()
	}
	c.since[p.Name] = change{p.State, p.Since}
	c.last[p.Name] = p
	return p
}

// logCause keeps in the log what the page says in plainer words, once for each change.
func (c *Checker) logCause(p health.Part, err error) {
	if c.opt.Log == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.logged[p.Name] == p.Reason && c.since[p.Name].state == p.State {
		return
	}
	c.logged[p.Name] = p.Reason
	telemetry.Module(c.opt.Log, "health").Warn(p.Name+": "+p.Reason, "action", "check", "component", p.Name, "error", err)
}
