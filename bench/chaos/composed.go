package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/compose"
	"github.com/found-footy/found-footy/bench/chaos/judge"
)

// composed is one day played by the containers of deploy/docker-compose.yml.
type composed struct {
	*runner
	*compose.Composition
	plan   composedDay
	diary  *os.File // what was done, and when
	began  time.Time
	report report

	healthy, clip time.Duration // where it is only started: until then
}

// composedDay is how a day of the composition is played.
type composedDay struct {
	name    string
	over    []string // files of deploy/test that are laid over deploy/docker-compose.yml
	workers int      // at its beginning
	pages   int
	alone   bool // one account
	scaled  bool // the scaler begins with one worker and one browser; else there are as many workers as asked for and both browsers
	faults  []fault
}

// composedScale is slower than the days on processes: two Chromiums search beside everything else.
const composedScale = 10

// RunComposed plays the calm day on processes, then two on containers: one without a fault, one with a scaler and each fault. It reports
// whether they came out the same.
func RunComposed(ctx context.Context, o Options, deploy string, workers, pages int) (bool, error) {
	r, err := newRunner(ctx, o)
	if err != nil {
		return false, err
	}
	calm, err := r.calm()
	if err != nil || o.Calm {
		return err == nil, err
	}
	same := true
	over := []string{"images", "test"}
	days := []composedDay{{name: "calm", over: over, workers: workers, pages: pages},
		{name: "faults", over: over, workers: 1, pages: pages, scaled: true, faults: faults()}}
	if o.Short {
		days = days[1:]
	}
	for _, d := range days {
		began := time.Now()
		c, err := r.playComposed(ctx, filepath.Join(r.Dir, "compose-"+d.name), deploy, d, calm)
		if err != nil {
			return false, fmt.Errorf("%w; see %s", err, r.Dir)
		}
		same = same && c.report.Differences == 0
		c.print(time.Since(began))
	}
	if same && r.thrown {
		os.RemoveAll(r.Dir)
	} else {
		fmt.Fprintln(o.Out, "logs of all containers: "+r.Dir)
	}
	return same, nil
}

// RunSmoke starts one of each container on the programs of this machine, and reports whether all are healthy and a goal got a clip.
func RunSmoke(ctx context.Context, o Options, deploy string) (bool, error) {
	r, err := newRunner(ctx, o)
	if err != nil {
		return false, err
	}
	began, dir := time.Now(), filepath.Join(r.Dir, "compose-smoke")
	c, err := r.compose(ctx, dir, deploy, composedDay{name: "smoke", over: []string{"smoke"}, workers: 1, pages: 1, alone: true})
	if err != nil {
		return false, err
	}
	if err := errors.Join(c.smoke(ctx), c.down(dir)); err != nil {
		return false, fmt.Errorf("%w; see %s", err, r.Dir)
	}
	for _, line := range append(c.report.Notes, c.report.Lines...) {
		fmt.Fprintln(o.Out, line)
	}
	if c.report.Differences > 0 {
		fmt.Fprintln(o.Out, "logs of all containers: "+r.Dir)
		return false, nil
	}
	fmt.Fprintf(o.Out, "containers: all healthy after %s, a clip that plays after %s, %s in all\n", c.healthy.Round(time.Second), c.clip.Round(time.Second), time.Since(began).Round(time.Second))
	if r.thrown {
		os.RemoveAll(r.Dir)
	}
	return true, nil
}

// smoke starts everything and looks until a goal has a clip that plays.
func (c *composed) smoke(ctx context.Context) error {
	began := time.Now()
	if err := c.up(ctx); err != nil {
		return err
	}
	c.healthy = time.Since(began)
	return c.firstClip(ctx, began)
}

// firstClip looks until a goal has a clip that plays.
func (c *composed) firstClip(ctx context.Context, began time.Time) error {
	site, err := c.site(ctx)
	if err != nil {
		return err
	}
	d := &judging{runner: c.runner, began: c.began, report: &c.report, site: site, patience: healthyWithin}
	o, err := d.await(ctx, c.began, func(o judge.Outcome) bool { return o.Clips() > 0 })
	if err != nil {
		return err
	}
	c.clip = time.Since(began)
	if o.Clips() == 0 {
		c.report.fail("no goal got a clip")
	}
	lines := site.Plays(ctx, o)
	if len(lines) > 0 { // a better copy may have taken its place since that look
		if o, err = d.look(ctx); err != nil {
			return err
		}
		lines = site.Plays(ctx, o)
	}
	for _, line := range append(lines, c.troubles(ctx)...) {
		c.report.fail(line)
	}
	return nil
}

// print says how the day came out; what it bore it survived only where nothing differs.
func (c *composed) print(took time.Duration) {
	verdict, bore := "as one process", "survived"
	if n := c.report.Differences; n > 0 {
		verdict, bore = fmt.Sprintf("%d DIFFERENCES", n), "was made to bear"
	}
	fmt.Fprintf(c.Out, "containers, %s: %s, in %s\n", c.plan.name, verdict, took.Round(time.Second))
	for _, f := range c.plan.faults {
		fmt.Fprintf(c.Out, "    %s: %s\n", bore, f.what)
	}
	for _, line := range append(c.report.Notes, c.report.Lines...) {
		fmt.Fprintln(c.Out, "    "+line)
	}
}

func (r *runner) playComposed(ctx context.Context, dir, deploy string, plan composedDay, calm calmDay) (_ *composed, err error) {
	c, err := r.compose(ctx, dir, deploy, plan)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.down(dir)) }()
	if err := c.up(ctx); err != nil {
		return nil, err
	}
	seen := c.watch(ctx)
	defer seen.stop()
	ended := make(chan error, 1)
	go func() { ended <- c.bear(ctx) }()
	site, err := c.site(ctx)
	if err != nil {
		return nil, err
	}
	if err := <-ended; err != nil {
		return nil, err
	}
	d := &judging{runner: r, dir: dir, began: c.began, report: &c.report, site: site, patience: containersPatience}
	o, err := d.await(ctx, c.began.Add(r.life(dayEnd)), func(o judge.Outcome) bool { return len(judge.Compare(calm.Day, o, r.name)) == 0 })
	if err != nil {
		return nil, err
	}
	o, lines, err := d.bytes(ctx, o)
	if err != nil {
		return nil, err
	}
	for _, diff := range judge.Compare(calm.Day, o, r.name) {
		c.report.fail(diff.String() + d.story(ctx, diff))
	}
	soon, err := site.Soon(ctx, o)
	if err != nil {
		return nil, err
	}
	c.report.note("%s; one process: %s", soon, calm.Clips)
	if plan.scaled {
		c.scaled(ctx)
	}
	seen.stop()
	seen.tell(&c.report)
	for _, line := range append(lines, c.troubles(ctx)...) {
		c.report.fail(line)
	}
	return c, c.pagesAgree(ctx, o)
}

// pagesAgree looks at what the other pages show, and lets one audit everything.
func (c *composed) pagesAgree(ctx context.Context, o judge.Outcome) error {
	shown, err := c.pages(ctx)
	if err != nil {
		return err
	}
	for _, page := range shown {
		other, err := judge.Site{Page: page}.Look(ctx)
		if err != nil {
			c.report.fail(page + ": " + err.Error())
			continue
		}
		for _, diff := range judge.Compare(o, other, c.name) {
			c.report.fail(page + " shows something else: " + diff.String())
		}
	}
	if text, err := c.Compose(ctx, "exec", "-T", "web", "footy", "audit", "--json"); err != nil {
		c.report.fail("footy audit: " + text)
	}
	return nil
}

// containersPatience is longer than that of processes: images read their files from a slower disk, and all of it shares the cores.
const containersPatience = 8 * time.Minute

// healthyWithin is generous: the machine may be busy.
const healthyWithin = 4 * time.Minute
