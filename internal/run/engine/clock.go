package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

const (
	clockEvery   = time.Second
	clocksDiffer = 2 * time.Minute // as schedules are made anew for it
)

// watchClock begins an engine anew once a clock that was ahead is right again. The engine stands still until the time it has read comes,
// also after a restart: its database keeps how far its timers were. Nothing is lost with that one, the ledger begins all workflows again.
func (e *Engine) watchClock(ctx context.Context, latest time.Time) {
	for wait(ctx, clockEvery) == nil {
		now := e.opts.Now()
		if back := latest.Sub(now); back > clocksDiffer {
			latest = now
			e.opts.Log.Warn("this machine's clock went back; the workflow engine would stand still until the former time and begins a new database",
				"module", "engine", "action", "clock", "by", back.Round(time.Second).String())
			e.beginAnew()
		} else if back < 0 {
			latest = now
		}
	}
}

func (e *Engine) beginAnew() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.anew = true
	e.run.signal(syscall.SIGKILL)
}

// setAside moves the database away, over the one before, if the next start is to begin a new one.
func (e *Engine) setAside() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.anew {
		return nil
	}
	db := filepath.Join(e.opts.StateDir, database)
	for _, end := range []string{"", "-wal", "-shm"} { // what SQLite appends
		if err := os.Rename(db+end, db+".aside"+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return footy.Errorf(footy.CodeUnavailable, "set the engine's database aside", "%w; move %s away yourself", err, e.opts.StateDir)
		}
	}
	e.anew = false
	return nil
}
