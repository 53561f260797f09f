// Package check looks at each part that the product depends on, for the health page, footy doctor and the alerts.
package check

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
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
	Hosts    hosts.Table     // of the hosts of clips; nil: there is none
	Reader   validate.Reader // nil: no model is set up
	Media    *media.Tool     // nil: this process decodes no clips
	Temporal client.Client   // nil: not connected
	Windows  lifecycle.Windows
	Log      *slog.Logger
	Online   func(context.Context) bool // whether this machine has a network; nil: it has
	Within   time.Duration              // that a look has; 0: 8 s
	Looks    []Look                     // of extras

	Seen func(health.Part) // called with what each look found; may be nil
}

// Checker looks at the parts, and remembers since when each is as it is.
type Checker struct {
	opt Options

	mu      sync.Mutex
	parts   map[string]memory
	report  health.Report          // of the last look at all of them
	cycle   time.Duration          // between two of the monitor's cycles, as its schedule has it
	counted map[int64]countedMatch // what matches' clips were proven by, by fixture; replaced, never changed

	opened *Opening // doctor's, which writes nothing; nil: of a running process
}

// memory is what a checker knows of a part between two looks.
type memory struct {
	health.Part           // as the last look found it
	asked       time.Time // when that look began
	hangs       bool      // a look has not come back
	late        int       // looks in a row that were too late
	logged      string    // the reason that is in the log with its cause
}

// New makes a Checker.
func New(o Options) *Checker {
	o.Within = cmp.Or(o.Within, 8*time.Second)
	if o.Seen == nil {
		o.Seen = func(health.Part) {}
	}
	return &Checker{opt: o, parts: map[string]memory{}}
}

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

// Health is what the last look found; Watch looks four times a minute, once while nothing is on. A request for it asks nothing of the
// parts. Only before the first look is over it looks itself, to the end: what a reader who leaves would find is kept for all.
func (c *Checker) Health(ctx context.Context) health.Report {
	c.mu.Lock()
	last := c.report
	c.mu.Unlock()
	if last.At.IsZero() {
		return c.Look(context.WithoutCancel(ctx))
	}
	last.Parts = slices.Clone(last.Parts) // a page adds to it
	return last
}

// Last is what the last look found; nothing is asked for it.
func (c *Checker) Last(context.Context) []health.Part {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.report.Parts)
}

// all looks at each part side by side.
func (c *Checker) all(ctx context.Context) []health.Part {
	looks := slices.DeleteFunc(c.looks(), func(l Look) bool { return l.Off || l.At == nil })
	ctx, cancel := context.WithTimeout(ctx, c.opt.Within)
	defer cancel()
	out := make([]health.Part, len(looks))
	var wg sync.WaitGroup
	for i, l := range looks {
		wg.Go(func() {
			out[i] = c.inTime(ctx, l)
			c.opt.Seen(out[i])
		})
	}
	wg.Wait()
	c.blameOffline(ctx, out)
	return out
}

// outside are the parts that ask the internet.
var outside = []string{health.Feed, feedPlan, health.Followed, health.Search, health.Fetch}

// blameOffline lets one part say that this machine is offline where it is; what else fails for it waits, and blames no service.
func (c *Checker) blameOffline(ctx context.Context, parts []health.Part) {
	why, remedy := network.OfflineWords, offlineRemedy
	for i := range parts {
		p := &parts[i]
		if p.State != health.StateDown && p.State != health.StateDegraded || !slices.Contains(outside, p.Name) {
			continue
		}
		if remedy != "" && (c.opt.Online == nil || c.opt.Online(context.WithoutCancel(ctx))) {
			return
		}
		p.State, p.Reason, p.Remedy = health.StateDown, why, remedy
		why, remedy = "waits until this machine is online", ""
	}
}

// offlineRemedy is what to do about a machine without a network.
const offlineRemedy = "Connect it. Everything goes on by itself."

// recall is what is known of a part.
func (c *Checker) recall(name string) memory {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.parts[name]
}

// remember changes what is known of a part.
func (c *Checker) remember(name string, change func(*memory)) memory {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.parts[name]
	change(&m)
	c.parts[name] = m
	return m
}

// inTime looks until ctx ends and a little longer. A call to a dead network disk heeds no context: its part is down then, and is not asked
// again before that call is back. One look that was late says little on a busy machine: the part stays as it was until the second.
func (c *Checker) inTime(ctx context.Context, l Look) health.Part {
	began := time.Now()
	if was := c.recall(l.Name); was.State == health.StateOK && began.Sub(was.asked) < l.Every {
		return was.Part
	}
	p, answered := c.answer(ctx, l)
	late := !answered || ctx.Err() != nil && p.State == health.StateDown
	return c.remember(l.Name, func(m *memory) {
		m.asked = began
		if m.late++; !late {
			m.late = 0
		} else if m.Name != "" && m.late < downAfter {
			return
		}
		switch {
		case !p.Since.IsZero(): // it knows better
		case m.State == p.State:
			p.Since = m.Since
		default:
			p.Since = time.Now()
		}
		m.Part = p
	}).Part
}

// answer is what a look found; not answered: that it hangs.
func (c *Checker) answer(ctx context.Context, l Look) (p health.Part, answered bool) {
	late := health.Part{Name: l.Name, Heading: l.Title, Called: l.Subject, State: health.StateDown, Reason: "no answer within " + c.opt.Within.String() + ": this machine is too busy for it, or a disk or a server hangs",
		Remedy: "If it stays so, bring back the disk or the server. It is asked again when the last call ends."}
	if c.recall(l.Name).hangs {
		return late, false
	}
	answer := make(chan health.Part, 1)
	go func() {
		p := l.words(l.At(ctx))
		c.remember(l.Name, func(m *memory) {
			m.hangs = false
			answer <- p
		})
	}()
	select {
	case p := <-answer:
		return p, true
	case <-ctx.Done():
	}
	select {
	case p := <-answer: // the error of a call that heeds its context says more
		return p, true
	case <-time.After(c.opt.Within / 4):
	}
	c.remember(l.Name, func(m *memory) {
		select {
		case p = <-answer:
			answered = true
		default:
			p, m.hangs = late, true
		}
	})
	return p, answered
}

// logCause keeps in the log what the page says in plainer words, once for each change.
func (c *Checker) logCause(p health.Part, err error) {
	if c.opt.Log == nil || c.recall(p.Name).logged == p.Reason && c.recall(p.Name).State == p.State {
		return
	}
	c.remember(p.Name, func(m *memory) { m.logged = p.Reason })
	telemetry.Module(c.opt.Log, "health").Warn(p.Name+": "+p.Reason, "action", "check", "component", p.Name, "error", err)
}
