package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/bench/chaos/day"
	"github.com/found-footy/found-footy/bench/chaos/judge"
	"github.com/found-footy/found-footy/bench/chaos/plan"
	"github.com/found-footy/found-footy/bench/chaos/stage"
)

// played is a day that is over.
type played struct {
	dir          string
	day, evening judge.Outcome
	clips        judge.Soon
	reel         string
	report       report
}

// play plays one day: until all is as on the calm day, or settled where this is the calm day, or until more waiting is of
// no use. Then an operator acts, and it waits again. It asks for the calm day once all faults are over.
func (r *runner) play(ctx context.Context, name string, p plan.Plan, calm func() (calmDay, error)) (played, error) {
	out := played{dir: filepath.Join(r.Dir, name)}
	s, diary, err := r.stage(ctx, out.dir, p)
	if err != nil {
		return out, err
	}
	defer diary.Close()
	defer s.Close()
	d := &judging{runner: r, stage: s, dir: out.dir, began: s.Began, report: &out.report, patience: patience,
		site: judge.Site{Page: s.Page, S3: s.S3, Key: stage.Key, Secret: stage.Secret, Bucket: stage.Bucket}}
	ctx, stop := context.WithCancel(ctx) // a fault waits for its process, also for one that cannot start
	defer stop()
	go func() { _, _ = d.site.Reel(ctx, reelOf) }() // so that kills fall into its making; it is judged at the end
	faults := make(chan error, 1)
	go func() { faults <- s.Play(ctx) }()
	if err := s.StartWorkers(ctx); err != nil {
		return out, err
	}
	if err := <-faults; err != nil {
		return out, err
	}
	if d.calm, err = calm(); err != nil {
		return out, err
	}
	if out.day, err = d.settle(ctx, s.Began.Add(r.life(dayEnd)), d.calm.Day); err != nil {
		return out, err
	}
	out.reel = d.reel(ctx)
	if out.clips, err = d.site.Soon(ctx, out.day); err != nil {
		return out, err
	}
	if len(out.report.Lines) == 0 { // what differs already would differ again
		if err := d.operate(ctx, out.day); err != nil {
			return out, err
		}
		if out.evening, err = d.settle(ctx, time.Now().Add(r.life(eveningEnd)), d.calm.Evening); err != nil {
			return out, err
		}
	}
	d.count(out.day)
	return out, nil
}

// stage makes the day's directory and starts everything in it.
func (r *runner) stage(ctx context.Context, dir string, p plan.Plan) (_ *stage.Stage, _ *os.File, err error) {
	stage.Release(dir) // an earlier run may have been killed
	if err := os.RemoveAll(dir); err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "plan.txt"), []byte(p.String()), 0o644); err != nil {
		return nil, nil, err
	}
	diary, err := os.Create(filepath.Join(dir, "diary.txt"))
	if err != nil {
		return nil, nil, err
	}
	s, err := stage.Start(ctx, stage.Options{Footy: r.Footy, Former: r.Former, Devstack: r.Devstack, Teststack: r.Teststack, Clips: r.Clips, Dir: dir, Starter: r.starter, Scale: r.Scale, Plan: p,
		Logf: func(format string, args ...any) { fmt.Fprintf(diary, format+"\n", args...) }})
	if err != nil {
		diary.Close()
	}
	return s, diary, err
}

// remembered is the file in which the calm day of this program and this script is kept.
func (r *runner) remembered() (string, error) {
	program, err := os.ReadFile(r.Footy)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(append(program, day.JSON...), "%d", r.Scale))
	dir := filepath.Join(filepath.Dir(r.Clips), "chaos")
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+".json"), os.MkdirAll(dir, 0o755)
}
