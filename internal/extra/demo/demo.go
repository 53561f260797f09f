// Package demo plays a simulated match day through the real product, and serves the simulated world alone.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/world"
)

// Demo plays a simulated match day through the real product: only the addresses of the outside world differ. Without a State it begins
// afresh.
type Demo struct {
	World
	Log     *slog.Logger
	Version string
	Extras  []port.Extra
	Exit    bool // end when the day is over, with a summary
	// OnDayEnd is for tests alone: it is called when the day is over, before anything is closed.
	OnDayEnd func(ctx context.Context, at DayEnd)

	began time.Time
}

// DayEnd is a day that is over, with everything still running.
type DayEnd struct {
	App      *app.App
	World    *world.World
	Temporal client.Client
}

// Summary is what a finished day comes to, printed as one JSON line.
type Summary struct {
	Fixtures     int            `json:"fixtures"`
	Goals        int            `json:"goals"`
	GoalsClip    int            `json:"goals_with_clip"`
	Verified     int            `json:"goals_with_verified_clip"`
	Posted       int            `json:"goals_on_reddit,omitempty"`  // with nothing configured: those that Reddit has a post of,
	Proven       int            `json:"of_them_verified,omitempty"` // and of them those with a verified clip
	Wrong        []string       `json:"wrongly_verified"`           // clips that show something else, by the script
	RedCards     int            `json:"red_cards"`
	CardsClip    int            `json:"red_cards_with_clip"`
	Clips        int            `json:"clips"`
	Duplicates   int            `json:"duplicates_merged"`
	Removed      int            `json:"removed_by_var"`
	Rejected     map[string]int `json:"rejected"`
	Asked        int            `json:"model_asked_about"`        // posts whose frames it read,
	Looked       int            `json:"model_looked_at"`          // of which it was asked only what the picture is,
	ByClock      int            `json:"decided_by_clock"`         // and those that it need not be asked about: their running clock decided,
	Known        int            `json:"known_by_footage"`         // or their footage was known
	PerGoal      float64        `json:"model_questions_per_goal"` // of both kinds; red cards count as goals
	Seconds      float64        `json:"model_seconds_per_goal"`   // that it took for them
	FirstClip    []delay.Figure `json:"first_clip"`               // from goals to their first clips, in seconds of the simulated day
	Scale        int            `json:"time_scale"`               // how many of those pass in one of this machine
	Browser      int            `json:"goals_searched_by_browser"`
	Expectations Expectations   `json:"expectations"`
	TooSlow      string         `json:"too_slow,omitempty"` // that the machine did not keep pace, where something is not met
}

// Expectations of the script, by what became of them.
type Expectations struct {
	Met     int             `json:"met"`
	Failed  []world.Failure `json:"failed"`
	Unknown int             `json:"unknown,omitempty"` // of goals that are missing: neither met nor failed
}

// Run plays the day. It returns the summary only with Exit; an interrupted day has none.
func (d *Demo) Run(ctx context.Context) (*Summary, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lock, err := d.lockState(ctx)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	d.began = time.Now()
	day := d.World
	day.State = filepath.Join(d.State, "world")
	w, err := day.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer w.Close() //nolint:errcheck // the day is over
	eyes := watch(w)
	cfg, err := d.settings(ctx, w)
	if err != nil {
		return nil, err
	}
	contract := cfg.Search.ServiceURL
	search, err := d.search(ctx, &cfg, w)
	if err != nil {
		return nil, err
	}
	a, err := app.New(ctx, cfg, d.Log, d.Version, d.Extras...)
	if err != nil {
		return nil, err
	}
	a.Lock = lock
	search.install(a, contract)
	defer a.Close() //nolint:errcheck // every write was checked when it was made
	var sum *Summary
	var unseen error // the state could not be read
	p := &progress{app: a, out: d.Err, seen: map[string]string{}}
	var wg sync.WaitGroup
	roles := app.Roles{Worker: true, Web: true, Browser: true, Ready: func(r app.Ready) {
		fmt.Fprintf(d.Err, "\n  Temporal UI  %s\n  State        %s\n  Search       %s\n", r.UI, cfg.State.Dir, search.describe())
		for _, m := range w.Script().Modes {
			fmt.Fprintf(d.Err, "  World        %s\n", m)
		}
		fmt.Fprintf(d.Err, "  Page         %s\n\n", r.Page) // last: it is what one opens
		p.page = r.Page
		wg.Go(func() { search.run(ctx, r.Client) })
		wg.Go(func() { p.run(ctx) })
		wg.Go(func() { sum, unseen = d.end(ctx, a, w, eyes, r, search, cancel) })
	}}
	err = a.Run(ctx, roles)
	cancel()
	wg.Wait()
	if unseen != nil {
		return nil, unseen
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	return sum, nil
}

// end waits for the end of the day and says what became of it; with Exit it ends the run, too.
func (d *Demo) end(ctx context.Context, a *app.App, w *world.World, eyes *watcher, r app.Ready, search *demoSearch, stop func()) (*Summary, error) {
	var out io.Writer // a person at a page needs no reminders
	if d.Exit {
		out = d.Err
	}
	eyes.page = r.Page
	sum, err := d.awaitDayEnd(ctx, a, w, eyes, out)
	if sum != nil {
		sum.Browser = search.Goals()
		sum.Print(d.Err)
	}
	if !d.Exit {
		if sum != nil {
			fmt.Fprintf(d.Err, "  The page stays at %s; Ctrl-C stops everything.\n\n", r.Page)
		}
		return nil, nil //nolint:nilnil // people go on looking
	}
	if sum != nil && d.OnDayEnd != nil {
		d.OnDayEnd(ctx, DayEnd{App: a, World: w, Temporal: r.Client})
	}
	stop()
	return sum, err
}

// lockState locks the state directory, emptied unless it was named.
func (d *Demo) lockState(ctx context.Context) (*engine.StateLock, error) {
	fresh := d.State == ""
	if fresh {
		d.State = filepath.Join(d.Config.State.Dir, "demo")
	}
	lock, err := engine.LockState(ctx, d.State)
	if err != nil || !fresh {
		return lock, err
	}
	if err := clearState(ctx, d.State); err != nil {
		lock.Release()
		return nil, footy.Errorf(footy.CodeUnavailable, "start a fresh demo", "%w; choose another place with --state", err)
	}
	return lock, nil
}

// clearState removes what an earlier demo left, the engine included that it left running if it was killed.
func clearState(ctx context.Context, dir string) error {
	engine.Kill(ctx, filepath.Join(dir, "engine"))
	all, err := os.ReadDir(dir)
	for _, e := range all {
		if e.Name() != engine.LockName { // which is held
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// settings point the product at the world. Everything a person set for the page, programs and logs stays.
func (d *Demo) settings(ctx context.Context, w *world.World) (config.Config, error) {
	c, err := d.pointAt(w)
	if err != nil {
		return c, err
	}
	c.State = config.State{Dir: d.State}
	c.S3 = config.S3{}
	if c.Engine.UIPort == engine.NoUI { // people look at the workflows of a demo
		c.Engine.UIPort = 3200
	}
	if d.Exit { // a run without watchers needs no agreed port, and may have others beside it
		c.Web.Addr, c.Engine.UIPort = "127.0.0.1:0", 0
	} else if l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Web.Addr); err == nil {
		_ = l.Close()
	} else {
		fmt.Fprintf(d.Err, "%s is in use; the page gets a free port\n", c.Web.Addr)
		c.Web.Addr = "127.0.0.1:0"
	}
	return c, nil
}
