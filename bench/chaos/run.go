package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/day"
	"github.com/found-footy/found-footy/bench/chaos/judge"
	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/proc"
)

// Options of one run of chaos.
type Options struct {
	Footy, Devstack, Teststack, Clips, Dir string
	Former                                 string // the program of the release before; faults that need it are left out where it is not there
	Seed                                   uint64
	N                                      int
	Scale                                  int    // how much faster than life the days run
	Only                                   string // "": all faults of the plan; else those of one kind, or kind and target
	Short, PlanOnly, Calm                  bool
	Without                                []string // kinds of faults that this machine cannot make
	Out                                    io.Writer
}

type runner struct {
	Options
	thrown  bool // a day that came out as calm leaves nothing behind
	starter *proc.Starter
	script  day.Script
	steps   []string
	name    func(id string) string
	calm    func() (calmDay, error) // waits for it
}

// life is how long a stretch of the day takes on a clock.
func (o Options) life(d time.Duration) time.Duration { return d / time.Duration(o.Scale) }

// calmDay is how a day comes out on which nothing goes wrong: before and after the operator's acts of its evening.
type calmDay struct {
	Day     judge.Outcome `json:"day"`
	Evening judge.Outcome `json:"evening"`
	Clips   judge.Soon    `json:"clips"` // how soon goals had one
	Reel    string        `json:"reel"`  // what it shows
}

// Run plays the calm day, and a day for each seed: the first one beside the calm day, as a day waits more than it computes. It reports
// whether all of them came out the same.
func Run(ctx context.Context, o Options) (bool, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r, err := newRunner(ctx, o)
	if err != nil {
		return false, err
	}
	if o.PlanOnly {
		for i := range o.N {
			fmt.Fprint(o.Out, r.plan(o.Seed+uint64(i))) //nolint:gosec // not negative
		}
		return true, nil
	}
	if o.Calm {
		_, err := r.calm()
		return err == nil, err
	}
	go func() { _, _ = r.calm() }()
	defer func() {
		stop()
		_, _ = r.calm() // until all that it started has ended
	}()
	began, total, failed, reasons := time.Now(), report{}, 0, ""
	for i := range o.N {
		rep, err := r.playSeed(ctx, o.Seed+uint64(i)) //nolint:gosec // idem
		if err != nil {
			return false, err
		}
		total.add(rep)
		if rep.Differences > 0 {
			failed++
		}
		for _, l := range rep.Lines {
			why, _, _ := strings.Cut(l, "\n      |")                       // without the goal's log
			reasons += fmt.Sprintf("seed %d: %s\n", o.Seed+uint64(i), why) //nolint:gosec // idem
		}
	}
	fmt.Fprintf(o.Out, "\n%d days in %s: survived %s; %d days differ\n%s", o.N, time.Since(began).Round(time.Second), total, failed, reasons)
	if len(o.Without) > 0 {
		fmt.Fprintf(o.Out, "played without %s\n", strings.Join(o.Without, ", "))
	}
	if failed == 0 && r.thrown {
		os.RemoveAll(r.Dir)
	}
	return failed == 0, nil
}

func newRunner(ctx context.Context, o Options) (*runner, error) {
	r := &runner{Options: o, starter: proc.NewStarter()}
	r.calm = sync.OnceValues(func() (calmDay, error) { return r.playCalm(ctx) })
	names := sync.OnceValue(func() func(string) string { return judge.Names(r.Clips) }) // drawn by the time that one is asked for
	r.name = func(id string) string { return names()(id) }
	return r, r.prepare(ctx)
}

func (r *runner) prepare(ctx context.Context) (err error) {
	for _, p := range []*string{&r.Footy, &r.Devstack, &r.Teststack} {
		if *p, err = filepath.Abs(*p); err != nil {
			return err
		}
		if _, err := os.Stat(*p); err != nil {
			return fmt.Errorf("%w; make build devstack teststack makes it", err)
		}
	}
	if err := r.withoutFormer(); err != nil {
		return err
	}
	if r.Clips, err = clipCache(r.Clips); err != nil {
		return err
	}
	if r.thrown = r.Dir == ""; r.thrown {
		r.Dir, err = os.MkdirTemp("", "footy-chaos-*")
	} else if r.Dir, err = filepath.Abs(r.Dir); err == nil {
		err = os.MkdirAll(r.Dir, 0o755)
	}
	if err != nil {
		return err
	}
	if r.script, err = day.Read(); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, r.Footy, "crashpoints").CombinedOutput() //nolint:gosec // the program to test is the caller's choice
	if err != nil {
		return fmt.Errorf("%s crashpoints: %w: %s", r.Footy, err, strings.TrimSpace(string(out)))
	}
	if r.steps = strings.Fields(string(out)); len(r.steps) == 0 {
		return fmt.Errorf("%s crashpoints names no step at which a kill must lose nothing", r.Footy)
	}
	return nil
}

// withoutFormer leaves out what the program of the release before is needed for, where it is not there.
func (r *runner) withoutFormer() (err error) {
	why := "-former names no program of the release before"
	if r.Former != "" {
		if r.Former, err = filepath.Abs(r.Former); err != nil {
			return err
		}
		_, err = os.Stat(r.Former)
		if err == nil {
			return nil
		}
		why = "there is no program of the release before (" + err.Error() + "); make former builds it where the clone has its commit"
	}
	r.Without = append(slices.Clone(r.Without), plan.Older, plan.Upgrade)
	fmt.Fprintf(r.Out, "without %s and %s: %s\n", plan.Older, plan.Upgrade, why)
	return nil
}

func (r *runner) plan(seed uint64) plan.Plan {
	p := plan.Make(seed, r.steps)
	if r.Short {
		p = plan.Short(seed, r.steps)
	}
	if r.Only != "" {
		p = p.Only(r.Only)
	}
	p.Faults = slices.DeleteFunc(p.Faults, func(f plan.Fault) bool { return slices.Contains(r.Without, f.Kind) })
	return p
}

// playCalm plays the day without a fault, or remembers how the same program played it before.
func (r *runner) playCalm(ctx context.Context) (calm calmDay, err error) {
	known, err := r.remembered()
	if err != nil {
		return calm, err
	}
	if b, err := os.ReadFile(known); err == nil && json.Unmarshal(b, &calm) == nil && calm.Reel != "" && !r.Calm {
		fmt.Fprintf(r.Out, "the calm day as this program played it before: %s (%s)\n", calm, known)
		return calm, nil
	}
	began := time.Now()
	p, err := r.play(ctx, "calm", plan.Plan{}, func() (calmDay, error) { return calmDay{}, nil })
	if err != nil {
		return calm, err
	}
	calm = calmDay{p.day, p.evening, p.clips, p.reel}
	fmt.Fprintf(r.Out, "the calm day: %s, in %s\n", calm, time.Since(began).Round(time.Second))
	least, most := r.script.Clips()
	lacks := append(r.lacks(calm), p.report.Lines...)
	if n := calm.Day.Clips(); n < least || n > most {
		lacks = append(lacks, fmt.Sprintf("%d clips, not %d to %d", n, least, most))
	}
	if len(lacks) > 0 {
		return calm, fmt.Errorf("the calm day is not calm: %s; see %s", strings.Join(lacks, "; "), p.dir)
	}
	b, err := json.MarshalIndent(calm, "", " ")
	if err != nil {
		return calm, err
	}
	return calm, os.WriteFile(known, b, 0o644)
}

func (c calmDay) String() string {
	return fmt.Sprintf("%d goals, %d clips, %d after the evening; %s", len(c.Day.Goals), c.Day.Clips(), c.Evening.Clips(), c.Clips)
}

// lacks are matches that came out otherwise than written in the script; a calm day that is wrong proves nothing.
func (r *runner) lacks(calm calmDay) []string {
	var out []string
	for _, f := range r.script.Fixtures {
		want := judge.Fixture{Stage: f.Expect.Stage, Score: fmt.Sprintf("%d-%d", f.Expect.Home, f.Expect.Away)}
		if got := calm.Day.Fixtures[f.ID]; got != want {
			out = append(out, fmt.Sprintf("match %d is %s, not %s", f.ID, got, want))
		}
	}
	return out
}

func (r *runner) playSeed(ctx context.Context, seed uint64) (report, error) {
	p := r.plan(seed)
	fmt.Fprintf(r.Out, "\n%s", p)
	began := time.Now()
	played, err := r.play(ctx, fmt.Sprintf("seed-%d", seed), p, r.calm)
	if err != nil {
		return report{}, err
	}
	played.report.print(r.Out, seed, time.Since(began), played.dir)
	if r.thrown && played.report.Differences == 0 {
		os.RemoveAll(played.dir)
	}
	return played.report, nil
}
