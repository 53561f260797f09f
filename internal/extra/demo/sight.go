package demo

import (
	"context"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

// watcher looks at the page as a person does, for what a day's manners want to be seen. A mode that ends does so when it was seen what
// it does, as a model is exchanged once a person has read that it is blind: how late a machine is with that is no part of the day.
type watcher struct {
	page   string
	client *http.Client
	world  *world.World
	while  map[string]world.Seen
	over   map[string]bool // modes that were looked at for the last time
	next   time.Time
}

const lookEvery = 3 * time.Second

// watch keeps up the modes that end. It must be asked before the first of them does.
func watch(w *world.World) *watcher {
	e := &watcher{client: httpx.New(httpx.Options{Timeout: 10 * time.Second}), world: w, while: map[string]world.Seen{}, over: map[string]bool{}}
	for _, m := range e.ending() {
		if w.Status().ProductMinutes >= m.From+m.Minutes {
			e.over[m.Mode.Mode] = true // while an earlier run of this day looked
			continue
		}
		w.KeepUp(m.Mode.Mode)
	}
	return e
}

// ending are the modes that end when they were seen, and have not yet.
func (w *watcher) ending() []script.Manner {
	return slices.DeleteFunc(w.world.Script().Played(), func(m script.Manner) bool { return m.While == nil || m.Minutes == 0 || w.over[m.Mode.Mode] })
}

func (w *watcher) letGo(m script.Manner) {
	w.over[m.Mode.Mode] = true
	w.world.LetGo(m.Mode.Mode)
}

// look looks at the modes that hold now: at health every few seconds, at everything once one is to end.
func (w *watcher) look(ctx context.Context, minute float64, collect func() (world.Outcome, error)) {
	for _, m := range w.world.Script().Played() {
		name := m.Mode.Mode
		if m.While == nil || w.over[name] || minute < m.From {
			continue
		}
		ends := m.Minutes > 0 && minute >= m.From+m.Minutes
		if !ends && time.Now().Before(w.next) {
			continue
		}
		seen := w.while[name]
		seen.Health = merged(seen.Health, w.health(ctx))
		w.while[name] = seen
		if !ends {
			continue
		}
		o, err := collect()
		if err != nil {
			continue // the next tick will do
		}
		w.fill(ctx, &seen, o)
		w.while[name] = seen
		if len(world.Unseen(w.world.Script(), m, seen, o)) == 0 {
			w.letGo(m)
		}
	}
	if time.Now().After(w.next) {
		w.next = time.Now().Add(lookEvery)
	}
}

// report adds to an outcome what was seen, at the end of the day that of modes which hold all day.
func (w *watcher) report(ctx context.Context, o *world.Outcome) {
	manners := w.world.Script().Played()
	if len(manners) == 0 {
		return
	}
	o.End.Health = w.health(ctx)
	w.fill(ctx, &o.End, *o)
	o.While = map[string]world.Seen{}
	for _, m := range manners {
		name := m.Mode.Mode
		seen := w.while[name]
		if m.Minutes == 0 {
			seen.Health = merged(seen.Health, o.End.Health)
			seen.Waiting, seen.Waits, seen.Goals, seen.Pages = o.End.Waiting, o.End.Waits, o.End.Goals, o.End.Pages
		}
		o.While[name] = seen
	}
}

func merged(all, now []world.PartSeen) []world.PartSeen {
	for _, p := range now {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

func (w *watcher) health(ctx context.Context) []world.PartSeen {
	var r health.Report
	if err := json.Unmarshal(w.get(ctx, "/api/v1/health"), &r); err != nil {
		return nil // what does not answer says nothing
	}
	var out []world.PartSeen
	for _, p := range r.Parts {
		out = append(out, world.PartSeen{Part: p.Name, State: string(p.State), Reason: p.Reason, Remedy: p.Remedy})
	}
	return out
}

// fill adds what waits, and the page of every goal that stands.
func (w *watcher) fill(ctx context.Context, seen *world.Seen, o world.Outcome) {
	var waiting struct {
		Causes []struct {
			Cause    string   `json:"cause"`
			Count    int      `json:"count"`
			EventIDs []string `json:"event_ids"`
		} `json:"causes"`
	}
	_ = json.Unmarshal(w.get(ctx, "/api/v1/waiting"), &waiting) // what does not answer says nothing
	seen.Goals, seen.Waiting, seen.Waits, seen.Pages = o.Goals, map[string]int{}, map[string]bool{}, map[string]string{}
	for _, c := range waiting.Causes {
		seen.Waiting[c.Cause] = c.Count
		for _, id := range c.EventIDs {
			seen.Waits[id] = true
		}
	}
	for _, g := range o.Goals {
		if !g.Removed {
			seen.Pages[g.EventID] = textOf(w.get(ctx, footy.GoalPath(g.EventID)))
		}
	}
}

func (w *watcher) get(ctx context.Context, path string) []byte {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(w.page, "/")+path, http.NoBody)
	if err != nil {
		return nil
	}
	_, body, err := httpx.Read(w.client, req, 8<<20) //nolint:bodyclose // it closes it
	if err != nil {
		return nil
	}
	return body
}

var (
	tags   = regexp.MustCompile(`<[^>]*>`)
	blanks = regexp.MustCompile(`\s+`)
)

func textOf(page []byte) string {
	return blanks.ReplaceAllString(html.UnescapeString(string(tags.ReplaceAll(page, nil))), " ")
}
