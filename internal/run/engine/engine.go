// Package engine keeps the Temporal server that the product runs on: footy-devstack beside us, supervised, or one that runs elsewhere.
package engine

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
)

// Engine is the Temporal server we use: one that runs elsewhere, or our own footy-devstack kept beside us.
type Engine struct {
	Address   string
	UI        string // URL of its Web UI; "" where it has none, or is not ours
	TokenFile string // of the token that it asks for; "" if it asks for none

	opts   Options
	cancel context.CancelFunc // nil: not ours
	done   chan struct{}
	again  chan struct{} // has an element after each relaunch

	mu   sync.Mutex
	run  *devstack
	anew fault // why the next start begins a new database; "": it does not
}

// Options say where the embedded engine keeps its state.
type Options struct {
	Binary    string // "" looks beside this program, then in PATH
	StateDir  string
	Namespace string // "" is Temporal's default
	UIPort    int    // of Temporal's Web UI; 0 picks a free one, NoUI has none
	Log       *slog.Logger
	Now       func() time.Time // the time of day; nil: as this machine's clock says

	busyFor, serveWithin time.Duration // of tests; 0: as in life
}

// NoUI as UIPort starts no Web UI.
const NoUI = -1

// busyFor is how long a start waits for an engine that is just coming up or going down on the same state.
const busyFor = 20 * time.Second

// Start takes up a running devstack of this state directory or starts one. It outlives a crash of ours on
// purpose, so that a restart finds it; Stop ends it.
func Start(ctx context.Context, o Options) (*Engine, error) {
	if o.Now == nil {
		o.Now = func() time.Time { return time.Now().Round(0) } // without the reading that no setting of the clock changes
	}
	began := o.Now()
	e := &Engine{opts: o, done: make(chan struct{}), again: make(chan struct{}, 1)}
	if back := lastTime(o.StateDir).Sub(began); back > clocksDiffer {
		o.logClock(back)
		e.anew = clockAhead
	}
	ended, until := false, time.Now().Add(cmp.Or(o.busyFor, busyFor))
	for {
		var err error
		if e.run = adopt(ctx, o.StateDir); e.run != nil && (e.anew != "" || !o.fits(ctx, e.run) || o.serves(ctx, e.run) != nil) {
			e.run.end(cmp.Or(o.busyFor, stopWithin))
			e.run = nil
		}
		if e.run == nil {
			e.run, err = begin(ctx, o, 0, e.anew)
		}
		if err == nil {
			break
		}
		left := holderOf(o.StateDir)
		switch {
		case !errors.Is(err, errBusy), time.Now().After(until) && (left == nil || ended):
			if ctx.Err() == nil {
				noteFailure(o.StateDir, err)
			}
			return nil, err
		case time.Now().After(until):
			o.Log.Warn("workflow engine that was left running does not answer; ending it", "module", "engine", "action", "start", "pid", left.PID)
			left.end(0) // it does not answer
			ended = true
		}
		if network.Pause(ctx, 300*time.Millisecond) != nil {
			return nil, ctx.Err()
		}
	}
	noteFailure(o.StateDir, nil)
	e.Address, e.UI, e.TokenFile, e.anew = e.run.Address, e.run.UI, e.run.TokenFile, ""
	ctx, e.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go e.supervise(ctx)
	go e.cutLogs(ctx)
	go e.watchClock(ctx, began)
	return e, nil
}

// fits reports whether an engine that was left running is as this start wants it: closed to others, with a Web UI only where one is asked
// for, and answering, which one that is frozen does not though it takes connections.
func (o Options) fits(ctx context.Context, run *devstack) bool {
	if run.TokenFile == "" || (run.UI != "") != (o.UIPort != NoUI) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.busyFor, dialWithin))
	defer cancel()
	c, err := Dial(ctx, config.Engine{Address: run.Address, TokenFile: run.TokenFile, Namespace: o.Namespace}, o.Log)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// Relaunched has an element after each start of an engine that had died: its state may be another. It never has one where the engine is
// not ours.
func (e *Engine) Relaunched() <-chan struct{} { return e.again }

// ranWell is how long an engine runs that does not fail at once.
const ranWell = 3 * time.Minute

// diesOften is after how many such ends in a row the database is held to be why.
const diesOften = 3

// supervise starts the engine again, on the same port, when it dies; its state is on disk. One that dies soon after each start is started
// ever more rarely.
func (e *Engine) supervise(ctx context.Context) {
	defer close(e.done)
	died := 0
	for pause := time.Duration(0); ; {
		started := time.Now()
		err := e.run.wait()
		if ctx.Err() != nil {
			return
		}
		if time.Since(started) >= ranWell {
			pause, died = 0, 0
		}
		if exitCode(err) > 0 { // by itself: the number of a signal is another
			died++
		}
		if exitCode(err) == exitDamaged || died == diesOften {
			e.mu.Lock()
			e.anew = damaged
			e.mu.Unlock()
		}
		e.opts.Log.Warn("workflow engine ended; starting it again", "module", "engine", "action", "restart", "error", err, "pause", pause)
		if pause, err = e.relaunch(ctx, pause); err != nil {
			return
		}
		e.opts.Log.Info("workflow engine runs again", "module", "engine", "action", "restart")
		select {
		case e.again <- struct{}{}:
		default: // the last one was not received yet
		}
	}
}

// relaunch tries after pause until it succeeds or ctx ends, ever more rarely, and logs each reason once. It returns the next pause.
func (e *Engine) relaunch(ctx context.Context, pause time.Duration) (time.Duration, error) {
	for logged := ""; ; {
		if network.Pause(ctx, pause) != nil {
			return 0, ctx.Err()
		}
		pause = min(2*pause+time.Second, 30*time.Second)
		err := e.launch(ctx)
		if err == nil {
			return pause, nil
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if why := footy.UserMessage(err); why != logged {
			logged = why
			e.opts.Log.Error("workflow engine not started", "module", "engine", "action", "restart", "error", why)
		}
	}
}

// launch starts it as the clock has it by now: one that went back while the engine was starting had nothing to end yet.
func (e *Engine) launch(ctx context.Context) error {
	e.mu.Lock()
	anew := e.anew
	e.anew = ""
	e.mu.Unlock()
	run, err := begin(ctx, e.opts, portOf(e.Address), anew)
	e.mu.Lock()
	defer e.mu.Unlock()
	if ctx.Err() == nil {
		noteFailure(e.opts.StateDir, err)
	}
	if err != nil {
		e.anew = cmp.Or(e.anew, anew)
		return err
	}
	if e.run = run; e.anew != "" || ctx.Err() != nil { // Stop saw the run before
		run.signal(syscall.SIGKILL)
	}
	return nil
}

// Stop ends the engine, if it is ours, and waits for it.
func (e *Engine) Stop() {
	if e.cancel == nil {
		return
	}
	e.cancel()
	e.mu.Lock()
	run := e.run
	e.mu.Unlock()
	run.signal(syscall.SIGTERM)
	select {
	case <-e.done:
	case <-time.After(15 * time.Second):
		run.signal(syscall.SIGKILL)
	}
}

// Running finds the engine of ours that keeps its state in dir; nil if none runs.
func Running(ctx context.Context, dir string) *Engine {
	run := adopt(ctx, dir)
	if run == nil {
		return nil
	}
	return &Engine{Address: run.Address, UI: run.UI, TokenFile: run.TokenFile}
}

// Reached are the settings with which a client reaches this engine.
func (e *Engine) Reached(c config.Engine) config.Engine {
	if c.Address == "" {
		c.Address, c.TokenFile = e.Address, e.TokenFile
	}
	return c
}

// Kill ends the engine that was left running on dir, and waits until it is gone.
func Kill(ctx context.Context, dir string) {
	if run := adopt(ctx, dir); run != nil {
		run.signal(syscall.SIGKILL)
		_ = run.wait()
	}
}

// Find says how to reach the Temporal of these settings: the one that is set, else our own, which must run.
func Find(ctx context.Context, c config.Config) (config.Engine, error) {
	if c.Engine.Address != "" {
		return c.Engine, nil
	}
	dir := Dir(c)
	if e := Running(ctx, dir); e != nil {
		return e.Reached(c.Engine), nil
	}
	return c.Engine, footy.Errorf(footy.CodeUnavailable, "find the workflow engine", "none runs for %s; start footy up first, or set TEMPORAL_ADDRESS", dir)
}

// Dir is where our own engine keeps its state.
func Dir(c config.Config) string { return filepath.Join(c.State.Dir, "engine") }
