package engine

import (
	"context"
	"github.com/found-footy/found-footy/internal/connect/network"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	clockEvery   = 3 * time.Second
	clocksDiffer = 2 * time.Minute // as schedules are made anew for it
)

// watchClock begins an engine anew once a clock that was ahead is right again. The engine stands still until the time it has read comes,
// also after a restart: its database keeps how far its timers were. The clock may be set while nothing runs, too: the next start goes by the
// times of the files.
func (e *Engine) watchClock(ctx context.Context, latest time.Time) {
	for network.Pause(ctx, clockEvery) == nil {
		now := e.opts.Now()
		if back := latest.Sub(now); back > clocksDiffer {
			latest = now
			e.opts.logClock(back)
			e.beginAnew(clockAhead)
		} else if back < 0 {
			latest = now
		}
	}
}

func (o Options) logClock(back time.Duration) {
	o.Log.Warn("this machine's clock went back; the workflow engine would stand still until the former time and begins a new database",
		"module", "engine", "action", "clock", "by", back.Round(time.Second).String())
}

func (e *Engine) beginAnew(why fault) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.anew = why
	e.run.signal(syscall.SIGKILL)
}

// lastTime is the latest time that an engine of ours has seen, as far as its files say; zero if there are none.
func lastTime(dir string) (latest time.Time) {
	for _, end := range []string{"", "-wal"} {
		if info, err := os.Stat(filepath.Join(dir, database+end)); err == nil && info.ModTime().After(latest) {
			latest = info.ModTime()
		}
	}
	return latest
}
