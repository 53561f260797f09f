package app

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

// progress tells in the terminal what happens, as it happens. It reads the store like any other reader.
type progress struct {
	app  *App
	out  io.Writer
	seen map[string]string // what was said last, per fixture and event
}

func (p *progress) run(ctx context.Context) {
	tick := time.NewTicker(700 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		fixtures, err := p.app.Store.List(ctx, store.FixtureQuery{})
		if err != nil {
			continue // the next look will do; the product itself reports what is wrong
		}
		for _, f := range fixtures {
			p.fixture(f)
		}
	}
}

func (p *progress) fixture(f footy.Fixture) {
	name := f.Teams.Home.Name + " - " + f.Teams.Away.Name
	if f.Stage != footy.StageStaging {
		p.say(fmt.Sprint(f.ID), phase(f), func(was, is string) string { return fmt.Sprintf("%-9s %s %s", is, name, scoreline(f.Goals)) })
	}
	for _, e := range f.Events {
		p.say(e.UID+"/goal", string(e.Status())+e.Player.Name, func(was, _ string) string {
			return fmt.Sprintf("%s %s  %s  %s %s", mark(e), label(e), footy.Label(e), name, scoreline(e.ScoreAfter))
		})
		n := len(e.VisibleClips())
		if n > 0 {
			p.say(e.UID+"/clips", fmt.Sprint(n), func(_, is string) string {
				return fmt.Sprintf("🎬 clip      %s  %s: %s clip(s), best seen in %d posts", footy.Label(e), name, is, e.VisibleClips()[0].Popularity)
			})
		}
	}
}

// say prints a line when what is known under key has changed.
func (p *progress) say(key, is string, line func(was, is string) string) {
	was, known := p.seen[key]
	if known && was == is {
		return
	}
	p.seen[key] = is
	fmt.Fprintf(p.out, "%s  %s\n", time.Now().Format("15:04:05"), line(was, is))
}

func phase(f footy.Fixture) string {
	if f.Stage == footy.StageCompleted {
		return "🏁 " + f.Match.Status.Code
	}
	return "⚽ " + f.Match.Status.Code
}

func mark(e footy.Event) string {
	return map[footy.EventStatus]string{footy.StatusValidating: "✨", footy.StatusExtracting: "🔎", footy.StatusWatching: "👀",
		footy.StatusComplete: "✅", footy.StatusRemoved: "🚫"}[e.Status()]
}

func label(e footy.Event) string { return fmt.Sprintf("%-10s", e.Status()) }

func scoreline(s footy.Score) string {
	if !s.Known() {
		return ""
	}
	return fmt.Sprintf("%d-%d", *s.Home, *s.Away)
}
