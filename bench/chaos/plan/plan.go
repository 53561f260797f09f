// Package plan decides what goes wrong on a day: a function of a seed and nothing else, so that a day that failed can be
// played again.
package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Processes that are killed, and what lies behind a proxy.
const (
	Worker = "worker"
	Second = "worker-2" // another worker beside the first, on some days
	Web    = "web"
	World  = "world"
	Engine = "engine"
	S3     = "s3"
	Model  = "model"
	Feed   = "feed"
	CDN    = "cdn"
	Search = "search"
	State  = "state" // the product's database
	Posts  = "posts" // where goals are posted
)

// Kinds of faults.
const (
	Kill     = "kill"      // kill -9, and a start after For
	Rewind   = "rewind"    // engine or database come back as they were For ago; bucket and the other one go on
	Restore  = "restore"   // footy backup, and For later footy restore; the engine's files stay
	Older    = "older"     // worker and page are started by the release before, which must refuse the database; then by this one again
	Upgrade  = "upgrade"   // the release before plays the day until then
	Lost     = "lost"      // the engine is killed and its files are deleted
	Freeze   = "freeze"    // SIGSTOP, and SIGCONT after For
	Clock    = "clock"     // Target is a step of the clocks of product and engine, taken back after For
	Cut      = "cut"       // connections are refused and open ones end
	HalfOpen = "half-open" // connections stay open and nothing comes through
	Slow     = "slow"      // a second and a half, 30 KB a second
	Reset    = "reset"     // each connection is reset once something was sent
	DiskFull = "disk-full"
	Outside  = "outside" // Target is a fault of the simulated world
)

// Fault is one thing that goes wrong, counted from the moment the world began.
type Fault struct {
	At, For time.Duration
	Kind    string
	Target  string
	Clip    string // the only one that an outside fault befalls, as match/goal/kind; "" = all
}

func (f Fault) String() string {
	only := ""
	if f.Clip != "" {
		only = ", " + f.Clip + " only"
	}
	return fmt.Sprintf("%5.1f s  %-9s %-14s for %.1f s%s", f.At.Seconds(), f.Kind, f.Target, f.For.Seconds(), only)
}

// Steps that clocks make, in the day's time.
const (
	Ahead = "ahead" // two hours
	Back  = "back"  // ten minutes
)

// Step is how far clocks are set, as it passes on a clock.
func (f Fault) Step() time.Duration {
	if f.Target == Back {
		return -hour / 6
	}
	return 2 * hour
}

// Plan is what goes wrong on one day.
type Plan struct {
	Seed uint64
	// Start is when the worker is first started: late means goals stand already.
	Start  time.Duration
	Second bool // there are two workers
	Faults []Fault
	// Steps are where a worker kills itself, and WebSteps where the page does: at each once, as name or name:n for the
	// n-th passing since its start.
	Steps, WebSteps []string
}

// hour of the day being played, as it passes on a clock.
const hour = time.Hour / Scale

// Scale is how much faster than life the day runs.
const Scale = 30

// busy is the stretch in which goals are scored, searched for and shown.
const (
	busyFrom = 3 * time.Second
	busyTo   = 50 * time.Second
)

// outage is longer than any activity may try, at any scale: a restart of another's server.
const outage = 75 * time.Second

// onPage are the steps that the page's process passes; the worker passes all others.
var onPage = []string{"tombstone-written", "bytes-deleted", "round-committed", "notification-sent",
	"posting-intended", "posting-sent", "posting-edited", "posting-deleted"}

// Make makes the plan of a seed. steps are the named steps that the program knows, in any number.
func Make(seed uint64, steps []string) Plan {
	m := newMaker(seed)
	if seed%4 == 3 {
		m.plan.Start = m.between(8*time.Second, 20*time.Second)
	}
	m.lasting(seed)
	for range 2 + m.rnd.IntN(3) {
		m.kill(Worker)
	}
	if m.plan.Second = seed%3 == 2; m.plan.Second {
		m.kill(Second)
	}
	for _, p := range []string{Web, World, Engine, S3} {
		m.kill(p)
	}
	near := []string{S3, Engine, Model, Feed, CDN, Search, Posts}
	m.rnd.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
	for _, target := range near[:4] {
		m.add(Cut, target, m.between(8*time.Second, 14*time.Second))
	}
	if seed%4 == 0 {
		m.add(Cut, S3, outage)
	} else {
		m.add(Cut, near[m.rnd.IntN(len(near))], m.between(25*time.Second, 35*time.Second))
	}
	for _, kind := range []string{HalfOpen, HalfOpen, Slow, Slow, Reset} {
		m.add(kind, near[m.rnd.IntN(len(near))], m.between(6*time.Second, 12*time.Second))
	}
	if m.rnd.IntN(2) == 0 {
		m.add(DiskFull, "state", m.between(6*time.Second, 12*time.Second))
	}
	if m.rnd.IntN(2) == 0 {
		m.add(Rewind, Engine, m.between(2*time.Second, 6*time.Second))
	}
	models := []string{"model_down", "model_slow", "model_blind", "model_context", "model_junk"}
	m.add(Outside, models[m.rnd.IntN(len(models))], m.between(10*time.Second, 20*time.Second))
	m.oneClip(models[m.rnd.IntN(len(models))])
	m.add(Outside, "cdn_refused", 5*time.Minute/Scale)
	switch seed % 5 {
	case 0:
		m.add(Outside, "x_logged_out", hour)
	case 1, 2:
		m.add(Outside, "x_rate_limited", m.between(15*time.Second, 30*time.Second))
	default:
		m.add(Outside, "fetch_refused", m.between(10*time.Second, 20*time.Second))
	}
	m.steps(steps, 6)
	return m.done()
}

// lasting adds one of what operators do, and of what lasts a minute and longer. It comes first, so that it has room in the busy time.
func (m *maker) lasting(seed uint64) {
	switch seed % 9 {
	case 0:
		m.add(Restore, State, 30*time.Second)
	case 1:
		m.add(Lost, Engine, time.Second)
	case 2:
		m.add(Clock, Ahead, time.Minute)
	case 3:
		m.add(Clock, Back, time.Minute)
	case 4:
		m.add(Rewind, State, hour)
	case 5:
		m.add(HalfOpen, S3, time.Minute)
	case 6:
		m.add(Freeze, Engine, time.Minute)
	case 7:
		m.add(Older, State, time.Second)
	case 8:
		m.add(Upgrade, State, time.Second)
	}
}

// Has reports whether a kind of fault is planned.
func (p Plan) Has(kind string) bool {
	return slices.ContainsFunc(p.Faults, func(f Fault) bool { return f.Kind == kind })
}

// Only is the plan with the faults of one kind, or of one kind and target as in "rewind state", and with no step.
func (p Plan) Only(what string) Plan {
	other := func(f Fault) bool { return f.Kind != what && f.Kind+" "+f.Target != what }
	return Plan{Seed: p.Seed, Faults: slices.DeleteFunc(slices.Clone(p.Faults), other)}
}

// Short is the plan with each kind of fault once, for every change.
func Short(seed uint64, steps []string) Plan {
	m := newMaker(seed)
	for _, p := range []string{Worker, Web, World, Engine, S3} {
		m.kill(p)
	}
	for _, target := range []string{S3, Engine, Model, Feed, CDN, Search, Posts} {
		m.add(Cut, target, m.between(8*time.Second, 10*time.Second))
	}
	m.add(HalfOpen, S3, 8*time.Second)
	m.add(HalfOpen, Engine, 8*time.Second)
	m.add(Slow, CDN, 8*time.Second)
	m.add(Reset, Model, 6*time.Second)
	m.add(DiskFull, "state", 8*time.Second)
	m.add(Rewind, Engine, 3*time.Second)
	m.add(Older, State, time.Second)
	for _, f := range []string{"model_down", "model_slow", "model_blind", "model_context", "model_junk", "x_logged_out", "x_rate_limited", "fetch_refused",
		"cdn_refused", "feed_down"} {
		m.add(Outside, f, m.between(6*time.Second, 8*time.Second))
	}
	m.oneClip("model_junk")
	m.steps(steps, len(steps))
	return m.done()
}

type maker struct {
	rnd  *rand.Rand
	plan Plan
}

func newMaker(seed uint64) *maker {
	return &maker{rnd: rand.New(rand.NewPCG(seed, 0x0f007)), plan: Plan{Seed: seed}} //nolint:gosec // a plan must be repeatable, not secret
}

func (m *maker) between(lo, hi time.Duration) time.Duration {
	return (lo + time.Duration(m.rnd.Int64N(int64(hi-lo)))).Round(100 * time.Millisecond)
}

func (m *maker) kill(process string) {
	m.add(Kill, process, m.between(300*time.Millisecond, 3*time.Second))
}

// add places a fault at random where nothing else troubles its target; after the busy time where it finds no room.
func (m *maker) add(kind, target string, length time.Duration) {
	f, from := Fault{For: length, Kind: kind, Target: target}, busyFrom
	switch target {
	case Worker, Second, Engine, Feed, "feed_down": // a match that is over when it is first listed is not followed: nothing delays a late start further
		from += m.plan.Start
	}
	f.At = m.between(from, busyTo)
	for range 20 {
		if !m.clashes(f) {
			break
		}
		f.At = m.between(from, busyTo)
	}
	for m.clashes(f) {
		f.At += time.Second
	}
	m.plan.Faults = append(m.plan.Faults, f)
}

// Clips that a fault may befall alone.
var Clips = []string{"1300103/own/master", "1300102/hat3/small", "1300108/returns/master", "1300112/one/watermarked"}

// oneClip makes the model fail on one clip for most of the day, while it does well on all others.
func (m *maker) oneClip(fault string) {
	m.plan.Faults = append(m.plan.Faults, Fault{At: busyFrom, For: time.Minute, Kind: Outside, Target: fault, Clip: Clips[m.rnd.IntN(len(Clips))]})
}

// clashes: two faults of one target at once would hide one another, and the end of one would end both.
func (m *maker) clashes(f Fault) bool {
	const apart = time.Second
	return slices.ContainsFunc(m.plan.Faults, func(o Fault) bool {
		return o.lane() == f.lane() && f.At < o.At+o.For+apart && o.At < f.At+f.For+apart
	})
}

var onProcess = []string{Kill, Rewind, Restore, Older, Upgrade, Lost, Freeze}

// lane is what two faults must not trouble at the same time.
func (f Fault) lane() string {
	switch {
	case slices.Contains(onProcess, f.Kind):
		return "process " + f.Target
	case f.Kind == Clock:
		return f.Kind
	case f.Clip != "":
		return "clip " + f.Clip
	case f.Kind == Outside:
		return "outside " + strings.SplitN(f.Target, "_", 2)[0]
	}
	return "proxy " + f.Target
}

// often are the steps that are passed many times on a day.
var often = []string{"poll-stored", "search-answered", "posts-taken", "download-started", "registered", "fetched", "staged", "judged", "handed-over", "bytes-moved", "saved"}

// steps takes n of the named steps, so that consecutive seeds pass through all of them.
func (m *maker) steps(names []string, n int) {
	for i := range min(n, len(names)) {
		name := names[(int(m.plan.Seed%1000)*n+i)%len(names)]
		step := name
		if slices.Contains(often, name) {
			step += fmt.Sprintf(":%d", 1+m.rnd.IntN(4))
		}
		if slices.Contains(onPage, name) {
			m.plan.WebSteps = append(m.plan.WebSteps, step)
		} else {
			m.plan.Steps = append(m.plan.Steps, step)
		}
	}
}

func (m *maker) done() Plan {
	slices.SortStableFunc(m.plan.Faults, func(a, b Fault) int { return int(a.At - b.At) })
	return m.plan
}

func (p Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d", p.Seed)
	if p.Start > 0 {
		fmt.Fprintf(&b, ", the worker first starts after %.1f s", p.Start.Seconds())
	}
	if p.Second {
		b.WriteString(", two workers")
	}
	b.WriteString("\n")
	for _, f := range p.Faults {
		fmt.Fprintln(&b, "  "+f.String())
	}
	if len(p.Steps)+len(p.WebSteps) > 0 {
		fmt.Fprintf(&b, "  the worker kills itself at %s; the page at %s\n", listed(p.Steps), listed(p.WebSteps))
	}
	return b.String()
}

func listed(names []string) string {
	if len(names) == 0 {
		return "no step"
	}
	return strings.Join(names, ", ")
}
