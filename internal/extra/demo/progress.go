package demo

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// progress prints in the terminal what happens, as it happens. It reads the store like any other reader.
type progress struct {
	app  *app.App
	out  io.Writer
	seen map[string]string // what was printed last, per fixture and event
	page string            // its address
	clip bool              // it was printed beside the first clip
}

func (p *progress) run(ctx context.Context) {
	for network.Pause(ctx, 700*time.Millisecond) == nil {
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
		p.print(fmt.Sprint(f.ID), phase(f), strings.TrimRight(fmt.Sprintf("%s  %s %s", phase(f), name, scoreline(f.Score)), " "))
	}
	for _, e := range f.Events {
		st := explain.StatusOf(&e)
		p.print(e.UID+"/goal", string(e.Status())+e.Player.Name, fmt.Sprintf("%s %-11s  %s  %s %s", st.Sign, st.Line, footy.Label(e), name, scoreline(e.ScoreAfter)))
		if c := e.VisibleClips(); len(c) > 0 {
			p.print(e.UID+"/clips", fmt.Sprint(len(c)), fmt.Sprintf("🎬 %-11s  %s  %s: %s, the best seen in %s", "clip", footy.Label(e), name,
				explain.Plural(len(c), "clip", "clips"), explain.Plural(c[0].Popularity, "post", "posts")))
			if !p.clip {
				p.clip = true
				fmt.Fprintf(p.out, "\n  The first clip is there: %s\n\n", p.page)
			}
		}
	}
}

func (p *progress) print(key, is, line string) {
	if was, known := p.seen[key]; known && was == is {
		return
	}
	p.seen[key] = is
	fmt.Fprintf(p.out, "%s  %s\n", time.Now().Format("15:04:05"), line)
}

// phase is where a match is; that its goals are settled comes after its end. A match can be given up with searches open.
func phase(f footy.Fixture) string {
	open := slices.ContainsFunc(f.Events, func(e footy.Event) bool { return e.Certain() && e.Standing() && !e.DownloadComplete })
	if f.Stage == footy.StageCompleted && !open {
		return fmt.Sprintf("🏁 %-11s", "all settled")
	}
	return fmt.Sprintf("⚽ %-11s", f.Match.Status.Info().Label)
}

func scoreline(s footy.Score) string {
	if !s.Known() {
		return ""
	}
	return fmt.Sprintf("%d-%d", *s.Home, *s.Away)
}
