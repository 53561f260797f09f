package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/judge"
	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/stage"
)

// How long the product gets once the last fault is over.
const (
	patience = 4 * time.Minute   // to come to the calm day's outcome
	quiet    = 150 * time.Second // in which nothing changes any more although nothing is under way; a lost post is looked for after two minutes
	hold     = 4 * time.Second   // for which an outcome must stand to be believed
	sweeping = 30 * time.Second  // for bytes that nothing refers to any more
)

const (
	dayEnd     = 54 * time.Minute // of the day: when the last match is over and the last goal's search may be
	eveningEnd = 20 * time.Minute // idem: what a second search round takes at least
)

var errDay = errors.New("the day was broken off")

// judging looks at one day from outside.
type judging struct {
	*runner
	stage  *stage.Stage // nil: the product runs in containers
	site   judge.Site
	dir    string
	began  time.Time
	report *report
	calm   calmDay // that it is compared with; the zero value: none
	// patience is how long the product gets once the last fault is over.
	patience time.Duration
}

// settle waits until the product shows what the calm day showed; where nothing is known of that, until nothing is under
// way. Not before a moment: a day that is not over only looks settled. What differs at the end goes to the report.
func (d *judging) settle(ctx context.Context, from time.Time, calm judge.Outcome) (judge.Outcome, error) {
	done := judge.Outcome.Settled
	if len(calm.Goals) > 0 {
		done = func(o judge.Outcome) bool { return len(judge.Compare(calm, o, d.name)) == 0 }
	}
	o, err := d.await(ctx, from, func(o judge.Outcome) bool { return done(o) && len(d.posted(o)) == 0 })
	if err != nil {
		return o, err
	}
	o, lines, err := d.bytes(ctx, o)
	if err != nil {
		return o, err
	}
	if len(calm.Goals) > 0 {
		for _, diff := range judge.Compare(calm, o, d.name) {
			d.report.fail(diff.String() + d.story(ctx, diff))
		}
	} else if !o.Settled() {
		d.report.fail("something is still under way")
	}
	for _, line := range append(lines, d.posted(o)...) {
		d.report.fail(line)
	}
	for _, line := range leftovers(d.stage.Temp, d.stage.Workers()) {
		d.report.fail(line)
	}
	if line := d.audit(ctx); line != "" {
		d.report.fail(line)
	}
	return o, nil
}

// posted lists what is wrong with the posts of ours. An outage of the service may cost the post that is under way, and the one that is tried
// while it lasts.
func (d *judging) posted(o judge.Outcome) []string {
	if putBack(d.stage.Plan) {
		return nil
	}
	cutOff := d.stage.Ends(plan.Web)
	for _, f := range d.stage.Plan.Faults {
		if f.Target == plan.Posts {
			cutOff += 2
		}
	}
	return o.Posted(cutOff)
}

// look sees what the page shows and, where the product can post, what is posted.
func (d *judging) look(ctx context.Context) (judge.Outcome, error) {
	o, err := d.site.Look(ctx)
	if d.stage != nil && !putBack(d.stage.Plan) {
		o.Place(d.stage.Posts())
	}
	return o, err
}

// reelOf is a match that is over early and has one goal: its reel is asked for all day long.
const reelOf = 1300107

// reel is what the reel of that match shows in the end.
func (d *judging) reel(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, d.patience)
	defer cancel()
	shows, err := d.site.Reel(ctx, reelOf)
	switch {
	case err != nil:
		d.report.fail(err.Error())
	case d.calm.Reel != "" && shows != d.calm.Reel:
		d.report.fail(fmt.Sprintf("the reel of match %d\n      expected  %s\n      got       %s", reelOf, d.calm.Reel, shows))
	}
	return shows
}

func (d *judging) await(ctx context.Context, from time.Time, done func(judge.Outcome) bool) (judge.Outcome, error) {
	if now := time.Now(); now.After(from) {
		from = now
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	var out judge.Outcome
	var doneSince time.Time
	changed, last := time.Now(), ""
	for {
		select {
		case <-ctx.Done():
			return out, fmt.Errorf("%w: %w", errDay, context.Cause(ctx))
		case <-tick.C:
		}
		now := time.Now()
		o, err := d.look(ctx)
		if err != nil {
			if now.After(from.Add(d.patience)) {
				return out, fmt.Errorf("the page does not answer: %w", err)
			}
			continue
		}
		out = o
		if text := fmt.Sprint(o); text != last {
			last, changed = text, now
		}
		switch {
		case now.Before(from) || !done(o):
			doneSince = time.Time{}
		case doneSince.IsZero():
			doneSince = now
		case now.Sub(doneSince) >= hold:
			return out, nil
		}
		if now.After(from) && d.spent(now.Sub(from), now.Sub(changed), o.Settled()) {
			return out, nil
		}
	}
}

// spent reports whether more waiting is of no use, so long after the day and after the last change. On a machine that stood still a clip may come in the
// last moment, and all that follows from it: its post is edited a minute after the one before.
func (d *judging) spent(over, unchanged time.Duration, settled bool) bool {
	if settled && min(over, unchanged) > quiet {
		return true
	}
	return min(over, unchanged) > d.patience || over > 3*d.patience
}

// bytes compares clips and object store until they agree, for retired bytes go a little later than the clip.
func (d *judging) bytes(ctx context.Context, o judge.Outcome) (judge.Outcome, []string, error) {
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	putBackByHand := d.stage != nil && byHand(d.stage.Plan) // in containers no database is
	for until := time.Now().Add(sweeping); ; {
		objects, err := d.site.Objects(ctx)
		if err != nil {
			return o, nil, fmt.Errorf("list the object store: %w", err)
		}
		lines := append(d.site.Plays(ctx, o), judge.Bytes(o, objects, d.name, putBackByHand)...)
		if len(lines) == 0 || time.Now().After(until) {
			return o, lines, nil
		}
		select {
		case <-ctx.Done():
			return o, nil, fmt.Errorf("%w: %w", errDay, context.Cause(ctx))
		case <-tick.C:
		}
		if now, err := d.look(ctx); err == nil {
			o = now
		}
	}
}

// operate lets an operator take down one clip and search again for one goal: always the same ones.
func (d *judging) operate(ctx context.Context, o judge.Outcome) error {
	const takenDown, searched = "1300103 Goal B. Lindqvist 1-0", "1300112 Goal J. Whitcombe 0-1"
	g := o.Goals[takenDown]
	if len(g.Clips) == 0 {
		return fmt.Errorf("%s has no clip to take down", takenDown)
	}
	if err := d.site.Act(ctx, stage.AdminToken, g.EventID, "take-down", g.Clips[0].ID); err != nil {
		return err
	}
	return d.site.Act(ctx, stage.AdminToken, o.Goals[searched].EventID, "search-again", "")
}

// count notes the faults of the day and the messages that were sent.
func (d *judging) count(o judge.Outcome) {
	t, rep := d.stage.Tally, d.report
	if !putBack(d.stage.Plan) {
		for _, line := range judge.Pushed(o, d.stage.Pushed(), d.stage.Ends(plan.Web)) {
			rep.fail(line)
		}
	}
	sent, again := d.stage.Messages()
	for _, line := range wrongNews(d.stage.Plan, len(d.calm.Day.Goals), sent, again, t.Of("step", plan.Kill) > 0) {
		rep.fail(line)
	}
	rep.Kills, rep.Steps, rep.Outages = t.Of(plan.Kill, plan.Rewind), t.Of("step"), t.Of(plan.Cut)
	rep.Others = t.Of(plan.HalfOpen, plan.Slow, plan.Reset, plan.DiskFull, plan.Outside, plan.Restore, plan.Lost, plan.Freeze, plan.Clock)
	if n := t.Of(stage.Operator); n > 0 {
		rep.note("the engine got a new database, as docs/troubleshooting.md tells an operator after its clock was ahead: %d times", n)
	}
	rep.Exits, rep.Unreached = t.Of("exit"), d.stage.Unreached()
	rep.floor(d.stage.Plan)
}

// putBack reports whether the database comes back as it was. What must be posted or pushed is unknown then.
func putBack(p plan.Plan) bool {
	return len(p.Only(plan.Restore).Faults) > 0 || byHand(p)
}

// byHand reports whether the database was put back without its objects, as one does with the tools of PostgreSQL.
func byHand(p plan.Plan) bool { return len(p.Only(plan.Rewind+" "+plan.State).Faults) > 0 }

// wrongNews are messages that were lost, or came again, without a reason. Goals scored before a restore are not reported after it,
// for it may have been done; a database that was put back by hand does not know that it was.
func wrongNews(p plan.Plan, goals, sent, again int, killed bool) (out []string) {
	if restored := len(p.Only(plan.Restore).Faults) > 0; sent < goals && !restored {
		out = append(out, fmt.Sprintf("%d messages for %d goals", sent, goals))
	}
	// Parts that fail and work again may have the same words; a goal comes twice only from a page that was killed.
	if again > 0 && !killed && !byHand(p) {
		out = append(out, fmt.Sprintf("%d messages came twice", again))
	}
	return out
}

// leftovers are downloads that a killed worker left and its successor did not clear away.
func leftovers(temp string, workers int) []string {
	dirs, err := filepath.Glob(filepath.Join(temp, "footy-media-*"))
	if err != nil || len(dirs) <= workers { // each has its own
		return nil
	}
	return []string{fmt.Sprintf("%s: %d directories of downloads, workers: %d", temp, len(dirs), workers)}
}

// story writes the whole log of a goal beside the process logs and returns the part that is short enough to read here.
func (d *judging) story(ctx context.Context, diff judge.Difference) string {
	if diff.EventID == "" {
		return ""
	}
	rows, err := d.site.Story(ctx, diff.EventID, d.began, d.script.Post)
	if err != nil {
		return "\n      its log cannot be read: " + err.Error()
	}
	file := filepath.Join(d.dir, diff.EventID+".txt")
	if err := os.WriteFile(file, []byte(strings.Join(rows, "\n")+"\n"), 0o644); err != nil {
		return "\n      its log cannot be kept: " + err.Error()
	}
	var about []string
	for _, row := range rows {
		if strings.Contains(row, "[") && !strings.Contains(row, " candidate ") { // what became of its posts
			about = append(about, "\n      | "+row)
		}
	}
	return strings.Join(about, "") + "\n      | all of it: " + file
}

// audit runs footy audit; one that cannot run is a difference as one that finds something.
func (d *judging) audit(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, d.Footy, "audit", "--json") //nolint:gosec // the program to test is the caller's choice
	cmd.Env, cmd.Dir = d.stage.Env(), d.stage.Dir
	text, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	return "footy audit: " + err.Error() + "\n" + strings.TrimSpace(string(text))
}
