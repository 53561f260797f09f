package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	clockEvery   = time.Second
	clockNoted   = time.Minute
	clocksDiffer = 2 * time.Minute // as schedules are made anew for it
)

// watchClock begins an engine anew once a clock that was ahead is right again. The engine stands still until the time it has read comes,
// also after a restart: its database keeps how far its timers were. The next start reads the note of the time: the clock may be set while
// nothing runs.
func (e *Engine) watchClock(ctx context.Context, latest time.Time) {
	var noted time.Time
	for wait(ctx, clockEvery) == nil {
		now := e.opts.Now()
		if back := latest.Sub(now); back > clocksDiffer {
			latest = now
			e.opts.logClock(back)
			e.beginAnew(clockAhead)
		} else if back < 0 {
			latest = now
		}
		if latest.Sub(noted).Abs() >= clockNoted && os.WriteFile(clockNote(e.opts.StateDir), []byte(latest.UTC().Format(time.RFC3339)+"\n"), 0o600) == nil {
			noted = latest // a disk that is full now has room later
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

func clockNote(dir string) string { return filepath.Join(dir, "clock") }

// lastTime is the latest time that an engine of ours has seen, as far as its files say; zero if there are none.
func lastTime(dir string) (latest time.Time) {
	if b, err := os.ReadFile(clockNote(dir)); err == nil {
		latest, _ = time.Parse(time.RFC3339, strings.TrimSpace(string(b)))
	}
	for _, end := range []string{"", "-wal"} {
		if info, err := os.Stat(filepath.Join(dir, database+end)); err == nil && info.ModTime().After(latest) {
			latest = info.ModTime()
		}
	}
	return latest
}
