package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/day"
	"github.com/found-footy/found-footy/bench/chaos/judge"
	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/stage"
)

// How long the product gets once the last fault is over.
const (
	patience = 4 * time.Minute  // to come to the calm day's outcome
	quiet    = 40 * time.Second // in which nothing changes any more although nothing is under way
	hold     = 4 * time.Second  // for which an outcome must stand to be believed
)

// played is a day that is over.
type played struct {
	dir     string
	outcome judge.Outcome
	settled bool
	report  report
}

// play plays one day and waits until it is as done says.
func (r *runner) play(ctx context.Context, name string, p plan.Plan, done func(judge.Outcome) bool) (played, error) {
	out := played{dir: filepath.Join(r.Dir, name)}
	if err := os.RemoveAll(out.dir); err != nil {
		return out, err
	}
	if err := os.MkdirAll(out.dir, 0o755); err != nil {
		return out, err
	}
	if err := os.WriteFile(filepath.Join(out.dir, "plan.txt"), []byte(p.String()), 0o644); err != nil {
		return out, err
	}
	diary, err := os.Create(filepath.Join(out.dir, "diary.txt"))
	if err != nil {
		return out, err
	}
	defer diary.Close()
	s, err := stage.Start(ctx, stage.Options{Footy: r.Footy, Devstack: r.Devstack, Clips: r.Clips, Dir: out.dir, Starter: r.starter, Plan: p,
		Logf: func(format string, args ...any) { fmt.Fprintf(diary, format+"\n", args...) }})
	if err != nil {
		return out, err
	}
	defer s.Close()
	if r.name == nil {
		r.name = judge.Names(r.Clips) // drawn by now
	}
	faults := make(chan error, 1)
	go func() { faults <- s.Play(ctx) }()
	if err := s.Late(ctx); err != nil {
		return out, err
	}
	if err := <-faults; err != nil {
		return out, err
	}
	site := judge.Site{Page: s.Page, S3: s.S3, Key: stage.Key, Secret: stage.Secret, Bucket: stage.Bucket}
	if err := r.await(ctx, s, site, &out, done); err != nil {
		return out, err
	}
	return out, r.judge(ctx, s, site, &out, p)
}

// await waits until the day is as it should be, or until waiting longer is of no use.
func (r *runner) await(ctx context.Context, s *stage.Stage, site judge.Site, out *played, done func(judge.Outcome) bool) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	over := s.Began.Add(dayEnd)
	if now := time.Now(); now.After(over) {
		over = now
	}
	var doneSince time.Time
	changed := time.Now()
	last := ""
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", errDay, context.Cause(ctx))
		case <-tick.C:
		}
		now := time.Now()
		o, err := site.Look(ctx)
		if err != nil {
			if now.After(over.Add(patience)) {
				return fmt.Errorf("the page does not answer: %w", err)
			}
			continue
		}
		out.outcome = o
		if text := fmt.Sprint(o); text != last {
			last, changed = text, now
		}
		switch {
		case now.Before(over) || !done(o):
			doneSince = time.Time{}
		case doneSince.IsZero():
			doneSince = now
		case now.Sub(doneSince) >= hold:
			out.settled = true
			return nil
		}
		if now.After(over) && (o.Settled() && now.Sub(changed) > quiet && now.Sub(over) > quiet || now.After(over.Add(patience))) {
			return nil
		}
	}
}

// dayEnd is when the last match is over and the last goal's search may be.
const dayEnd = 28 * time.Minute / plan.Scale

// judge compares, and looks at what the page does not show.
func (r *runner) judge(ctx context.Context, s *stage.Stage, site judge.Site, out *played, p plan.Plan) error {
	rep := &out.report
	rep.Kills, rep.Steps, rep.Outages, rep.Others = s.Tally.Of(plan.Kill, plan.Rewind), s.Tally.Of("step"), s.Tally.Of(plan.Cut), s.Tally.Of(plan.HalfOpen, plan.Slow, plan.Reset, plan.DiskFull, plan.Outside)
	rep.Exits, rep.Skipped, rep.Unreached = s.Tally.Of("exit"), s.Tally.Skip, s.Unreached()
	objects, err := site.Objects(ctx)
	if err != nil {
		return fmt.Errorf("list the object store: %w", err)
	}
	for _, line := range append(site.Plays(ctx, out.outcome), judge.Bytes(out.outcome, objects, r.name)...) {
		rep.fail(line)
	}
	if len(r.calm.Goals) > 0 {
		for _, d := range judge.Compare(r.calm, out.outcome, r.name) {
			rep.fail(d.String() + r.story(ctx, s, site, d, out.dir))
		}
	}
	for _, line := range leftovers(s.Temp) {
		rep.fail(line)
	}
	if line := r.audit(ctx, s); line != "" {
		rep.fail(line)
	}
	return nil
}

// leftovers are downloads that a killed worker left and its successor did not clear away.
func leftovers(temp string) []string {
	dirs, err := filepath.Glob(filepath.Join(temp, "footy-media-*"))
	if err != nil || len(dirs) <= 1 { // the one that runs has its own
		return nil
	}
	return []string{fmt.Sprintf("%s: %d directories of downloads, one worker runs", temp, len(dirs))}
}

// story writes the whole log of a goal beside the process logs and returns the part that is short enough to read here.
func (r *runner) story(ctx context.Context, s *stage.Stage, site judge.Site, d judge.Difference, dir string) string {
	if d.EventID == "" {
		return ""
	}
	rows, err := site.Story(ctx, d.EventID, s.Began, r.script.Post)
	if err != nil {
		return "\n      its log cannot be read: " + err.Error()
	}
	file := filepath.Join(dir, d.EventID+".txt")
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

// audit runs footy audit where the program has it.
func (r *runner) audit(ctx context.Context, s *stage.Stage) string {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if exec.CommandContext(ctx, r.Footy, "audit", "--help").Run() != nil { //nolint:gosec // the program to test is the caller's choice
		return ""
	}
	cmd := exec.CommandContext(ctx, r.Footy, "audit", "--json") //nolint:gosec // idem
	cmd.Env, cmd.Dir = s.Env(), s.Dir
	text, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	return "footy audit: " + err.Error() + "\n" + strings.TrimSpace(string(text))
}

// remembered is the file in which the calm day of this program and this script is kept.
func (r *runner) remembered() (string, error) {
	program, err := os.ReadFile(r.Footy)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append(program, day.JSON...))
	dir := filepath.Join(filepath.Dir(r.Clips), "chaos")
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+".json"), os.MkdirAll(dir, 0o755)
}
