package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
	"go.temporal.io/sdk/client"
)

// Demo plays a simulated match day through the real product: only the addresses of the outside world differ.
type Demo struct {
	Config  config.Config
	Log     *slog.Logger
	Version string
	Script  string // file; "" = the embedded day
	State   string // directory that is kept; "" = a fresh one
	ClipDir string // cache of drawn clips; "" = the user's cache directory
	Exit    bool   // end when the day is over, with a summary
	Out     io.Writer
	Err     io.Writer
	// Over, if not nil, is called when the day is over, before anything is closed.
	Over func(ctx context.Context, at Played)
}

// Played is a day that is over, with everything still running.
type Played struct {
	App      *App
	World    *world.World
	Temporal client.Client
}

// Summary is what a finished day comes to, printed as one JSON line.
type Summary struct {
	Fixtures     int            `json:"fixtures"`
	Goals        int            `json:"goals"`
	GoalsClip    int            `json:"goals_with_clip"`
	Clips        int            `json:"clips"`
	Duplicates   int            `json:"duplicates_merged"`
	Removed      int            `json:"removed_by_var"`
	Rejected     map[string]int `json:"rejected"`
	Expectations Expectations   `json:"expectations"`
}

// Expectations of the script, met and failed.
type Expectations struct {
	Met    int             `json:"met"`
	Failed []world.Failure `json:"failed"`
}

// Run plays the day. It returns the summary only with Exit; an interrupted day has none.
func (d *Demo) Run(ctx context.Context) (*Summary, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := d.world(ctx)
	if err != nil {
		return nil, err
	}
	defer w.Close() //nolint:errcheck // the day is over
	cfg := d.settings(ctx, w.URL())
	a, err := New(ctx, cfg, d.Log, d.Version)
	if err != nil {
		return nil, err
	}
	defer a.Close() //nolint:errcheck // every write was checked when it was made
	var sum *Summary
	p := &progress{app: a, out: d.Err, seen: map[string]string{}}
	var wg sync.WaitGroup
	roles := Roles{Worker: true, Web: true, Ready: func(r Ready) {
		fmt.Fprintf(d.Err, "\n  Page         %s\n  Temporal UI  %s\n  State        %s\n\n", r.Page, r.UI, cfg.State.Dir)
		wg.Go(func() { p.run(ctx) })
		if d.Exit {
			wg.Go(func() {
				if sum = d.await(ctx, a, w); sum != nil && d.Over != nil {
					d.Over(ctx, Played{App: a, World: w, Temporal: r.Client})
				}
				cancel()
			})
		}
	}}
	err = a.Run(ctx, roles)
	cancel()
	wg.Wait()
	if err != nil && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	return sum, nil
}

// world draws the clips that are missing and starts the outside world.
func (d *Demo) world(ctx context.Context) (*world.World, error) {
	fresh := d.State == ""
	if fresh {
		d.State = filepath.Join(d.Config.State.Dir, "demo")
		if err := os.RemoveAll(d.State); err != nil {
			return nil, footy.Errorf(footy.CodeUnavailable, "start a fresh demo", "%w", err)
		}
	}
	if err := os.MkdirAll(d.State, 0o755); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, "open the demo's state", "%w; choose another place with --state", err)
	}
	if d.ClipDir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			cache = d.Config.State.Dir
		}
		d.ClipDir = filepath.Join(cache, "found-footy", "world-clips")
	}
	o := world.Options{ClipDir: d.ClipDir, StateDir: filepath.Join(d.State, "world"), Scale: float64(d.Config.Track.TimeScale)}
	if d.Config.Track.TimeScale == 1 {
		o.Scale = 30
	}
	if d.Script != "" {
		s, err := script.Load(d.Script)
		if err != nil {
			return nil, footy.Errorf(footy.CodeInvalid, "read script "+d.Script, "%w", err)
		}
		o.Script = s
	}
	if n, err := world.Undrawn(o); err == nil && n > 0 {
		fmt.Fprintf(d.Err, "Drawing %d clips (kept in %s)\n", n, d.ClipDir)
		began := time.Now()
		if err := world.Draw(ctx, o, func(done, total int) { fmt.Fprintf(d.Err, "\r  %d of %d", done, total) }); err != nil {
			return nil, fmt.Errorf("draw the clips: %w", err)
		}
		fmt.Fprintf(d.Err, "\r  drawn in %s\n", time.Since(began).Round(time.Second))
	}
	w, err := world.New(o)
	if err != nil {
		return nil, err
	}
	return w, w.Start(ctx)
}

// settings point the product at the world. Everything a person set for the page, programs and logs stays.
func (d *Demo) settings(ctx context.Context, base string) config.Config {
	c := d.Config
	c.State = config.State{Dir: d.State}
	c.S3 = config.S3{}
	c.Feed = config.Feed{Key: "demo", URL: base + "/football"}
	c.Search = config.Search{ServiceURL: base + "/x-search", SyndicationURL: base + "/syndication", WikidataURL: base + "/wikidata"}
	c.Model = config.Model{URL: base + "/llm", Name: "simulated", Slots: 2}
	if u, err := url.Parse(base); err == nil {
		c.Media.Hosts = []string{u.Host}
	}
	c.Media.AllowPrivate = true
	if c.Track.TimeScale == 1 {
		c.Track.TimeScale = 30
	}
	if d.Exit { // a run without watchers needs no agreed port
		c.Web.Addr = "127.0.0.1:0"
	} else if l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Web.Addr); err == nil {
		_ = l.Close()
	} else {
		fmt.Fprintf(d.Err, "%s is in use; the page gets a free port\n", c.Web.Addr)
		c.Web.Addr = "127.0.0.1:0"
	}
	return c
}

// await waits until the day is played and everything about it is settled, or has had time enough.
func (d *Demo) await(ctx context.Context, a *App, w *world.World) *Summary {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	var late time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		st := w.Status()
		if st.ProductMinutes < st.EndMinutes {
			continue
		}
		if late.IsZero() {
			late = time.Now().Add(90 * time.Second)
		}
		o, err := observe(ctx, a.Store)
		if err != nil {
			continue
		}
		failed := world.Check(w.Script(), o)
		if settled(ctx, a.Store) && len(failed) == 0 || time.Now().After(late) {
			return summarise(o, w, failed)
		}
	}
}

// settled tells whether nothing is under way any more.
func settled(ctx context.Context, s store.Store) bool {
	open, err := s.List(ctx, store.FixtureQuery{Stages: []footy.Stage{footy.StageActive}})
	if err != nil {
		return false
	}
	for _, f := range open {
		for _, e := range f.Events {
			if !e.Removed && !e.DownloadComplete {
				return false
			}
		}
	}
	return true
}

func summarise(o world.Outcome, w *world.World, failed []world.Failure) *Summary {
	s := &Summary{Fixtures: len(o.Fixtures), Duplicates: o.Duplicates, Rejected: o.Rejected,
		Expectations: Expectations{Met: world.Expectations(w.Script()) - len(failed), Failed: failed}}
	if s.Expectations.Failed == nil {
		s.Expectations.Failed = []world.Failure{}
	}
	for _, g := range o.Goals {
		if g.Removed {
			s.Removed++
			continue
		}
		s.Goals++
		s.Clips += g.Clips
		if g.Clips > 0 {
			s.GoalsClip++
		}
	}
	return s
}

// Write prints the summary as one JSON line.
func (s *Summary) Write(w io.Writer) error { return json.NewEncoder(w).Encode(s) }
