package demo

import (
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/world"
)

// TooSlow is what is said of a machine that was late.
var TooSlow = tooSlow

// Watcher looks at a page for tests.
type Watcher struct{ w *watcher }

// Watch looks at a page while a world runs.
func Watch(w *world.World, page string) Watcher {
	e := watch(w)
	e.page = page
	return Watcher{e}
}

// Look looks once.
func (w Watcher) Look(ctx context.Context, minute float64, collect func() (world.Outcome, error)) {
	w.w.look(ctx, minute, collect)
}

// Holding reports whether a mode waits for being seen.
func (w Watcher) Holding() bool { return len(w.w.ending()) > 0 }

// Advanced reports which of some standings, one after the other, are further than all before: goals open, things unmet, posts judged.
func Advanced(all ...[3]int) (out []bool) {
	var s standing
	for _, n := range all {
		out = append(out, s.advanced(standing{n[0], n[1], n[2]}))
	}
	return out
}

// Patience is with a state that cannot be read.
func Patience(grace time.Duration) func(error, time.Time) error {
	p := patience{grace: grace}
	return p.spent
}

// ScaleOf is how much faster than life a day is played.
var ScaleOf = scaleOf

// GraceOf is how long a day goes on without news.
var GraceOf = graceOf
