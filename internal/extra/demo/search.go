package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/canary"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/telemetry/meter"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

// demoSearch lets a real Chromium search the simulated X for the goals of some matches, as it would search the real one.
// The other goals are searched through the contract of the search service: a demo should play on a small machine too.
type demoSearch struct {
	source.Source // the product's own: with the browser
	contract      source.Source
	matches       map[string]string // by fixture id
	noBrowser     string            // why there is none
	out           io.Writer

	mu    sync.Mutex
	goals map[string]bool // that Chromium searched for
	late  sync.Once       // it did not answer
}

// redditAlone is who searches on a day with nothing configured.
const redditAlone = "Reddit's public list"

// maxWait is what a browser on a busy machine may take; past it the contract answers, and the day goes on.
const maxWait = 20 * time.Second

// search points cfg at a browser of the demo's own where Chromium is installed.
func (d *Demo) search(ctx context.Context, cfg *config.Config, w *world.World) (*demoSearch, error) {
	s := &demoSearch{out: d.Err, goals: map[string]bool{}, matches: map[string]string{}}
	if w.Script().WithNothing() {
		s.noBrowser = redditAlone
		return s, nil
	}
	if !xaccount.HasChromium(d.Config) {
		s.noBrowser = "Chromium is not installed; make chromium does it"
		return s, nil
	}
	s.chooseMatches(w.Script())
	cfg.Browser = config.Browser{Dir: filepath.Join(cfg.State.Dir, "browser"), URL: w.URL() + "/x", Tabs: 4,
		Budget: d.Config.Browser.Budget}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0") // a free port
	if err != nil {
		return nil, err
	}
	cfg.Browser.Addr, cfg.Search.ServiceURL = l.Addr().String(), ""
	_, err = browser.ImportCookies(w.Cookies(), xaccount.ServiceOptions(*cfg, d.Log))
	return s, errors.Join(err, l.Close())
}

// chooseMatches takes the first matches with two goals, or as near to that as there are.
func (s *demoSearch) chooseMatches(day *script.Script) {
	goals := func(f script.Fixture) (n int) {
		for _, e := range f.Events {
			if len(e.Posts) > 0 {
				n++
			}
		}
		return n
	}
	all := slices.DeleteFunc(slices.Clone(day.Fixtures), func(f script.Fixture) bool { return goals(f) == 0 })
	slices.SortStableFunc(all, func(a, b script.Fixture) int {
		return cmp.Compare(max(goals(a)-2, 2-goals(a)), max(goals(b)-2, 2-goals(b)))
	})
	for _, f := range all[:min(2, len(all))] {
		s.matches[strconv.Itoa(f.ID)] = day.Team(f.Home).Name + " - " + day.Team(f.Away).Name
	}
}

// install makes a search with it. contract is where the world serves the search service's contract.
func (s *demoSearch) install(a *app.App, contract string) {
	s.contract = meter.Source(a.Metrics, a.BesideReddit(app.SearchService(contract, "")))
	if s.noBrowser != "" {
		return // the settings point there already
	}
	s.Source, a.Source = a.Source, s
}

// Search implements source.Source.
func (s *demoSearch) Search(ctx context.Context, q source.Query) (source.Result, error) {
	match, ok := s.matches[q.Group]
	if !ok {
		return s.contract.Search(ctx, q)
	}
	bounded, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	res, err := s.Source.Search(bounded, q)
	if err == nil && res.State != source.StateTimeout && res.State != source.StateLoginRequired {
		s.count(match, q, res)
		return res, nil
	}
	if ctx.Err() == nil {
		s.late.Do(func() {
			fmt.Fprintf(s.out, "%s  🌐 Chromium did not answer in time; the search contract takes this one\n", time.Now().Format("15:04:05"))
		})
	}
	return s.contract.Search(ctx, q)
}

// count prints each goal's first search; the floor of its searches is what one goal has to itself.
func (s *demoSearch) count(match string, q source.Query, res source.Result) {
	if res.State == source.StateNotNow {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	goal := q.Group + q.Since.String()
	if !s.goals[goal] {
		s.goals[goal] = true
		fmt.Fprintf(s.out, "%s  🌐 Chromium  searches X for %q (%s): %s\n", time.Now().Format("15:04:05"), q.Text, match, strings.ReplaceAll(string(res.State), "_", " "))
	}
}

// run checks once, as every six hours in life, that X looks as expected.
func (s *demoSearch) run(ctx context.Context, c client.Client) {
	if s.noBrowser != "" {
		return
	}
	found, err := canary.RunNow(ctx, c)
	if err != nil || ctx.Err() != nil {
		return // the health page says so
	}
	fmt.Fprintf(s.out, "%s  🐤 canary    X %s\n", time.Now().Format("15:04:05"), xaccount.CanaryText(found))
}

// Goals is how many goals Chromium searched for.
func (s *demoSearch) Goals() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.goals)
}

func (s *demoSearch) describe() string {
	if s.noBrowser == redditAlone {
		return redditAlone
	}
	if s.noBrowser != "" {
		return "the search contract for every goal (" + s.noBrowser + ")"
	}
	var names []string
	for _, id := range slices.Sorted(maps.Keys(s.matches)) {
		names = append(names, s.matches[id])
	}
	return "Chromium for the goals of " + strings.Join(names, " and ") + ", the search contract for the others"
}
