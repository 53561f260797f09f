// Package budgets_test holds what a goal, a poll and an evening of searches may cost. It runs the product's own workflows on a real Temporal to measure what they cost. Only what lies outside
// the product is stood in for, and everything that passes by is counted.
package budgets_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"

	"go.temporal.io/sdk/client"

	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
)

// Rig is the product in one process: the real composition over SQLite and a directory, with counters in between.
type Rig struct {
	App       *app.App
	Writes    *Writes       // what reached the database
	Announced *Announced    // announcements to readers
	Footage   *atomic.Int64 // how often what footage is recognised by was read
	Client    client.Client
	worker    *app.Worker
	cancel    context.CancelFunc // ends announcements to the page
}

// Options say where Temporal answers and where state may lie.
type Options struct {
	Temporal string // its address, unless Set has it
	Dir      string
	Set      map[string]string // settings of the product
	Change   func(*app.App)    // stand-ins for what lies outside
}

// Start dials Temporal, opens a fresh state and begins to work on all queues.
func Start(ctx context.Context, o Options) (*Rig, error) {
	set := map[string]string{"TEMPORAL_ADDRESS": o.Temporal, "STATE_DIR": o.Dir, "SOURCES": "xweb,xapi",
		"MONITOR_INTERVAL": "15s"} // cycles are run one by one: without the second look, for which each would wait
	for k, v := range o.Set {
		set[k] = v
	}
	cfg, err := config.Parse(set)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &Rig{Writes: newWrites(), Announced: &Announced{}, Footage: new(atomic.Int64), cancel: cancel}
	if r.App, err = app.New(ctx, cfg, slog.New(slog.DiscardHandler), "bench"); err != nil {
		cancel()
		return nil, err
	}
	if err := r.count(o.Dir); err != nil {
		r.Stop()
		return nil, err
	}
	if o.Change != nil {
		o.Change(r.App)
	}
	if r.Client, err = engine.Dial(ctx, r.App.Config.Engine, r.App.Log); err != nil {
		r.Stop()
		return nil, err
	}
	if r.worker, err = r.App.StartWorker(ctx, r.Client, r.Announced, nil); err != nil {
		r.Stop()
		return nil, err
	}
	return r, nil
}

// count puts the counter between the product and its database.
func (r *Rig) count(state string) error {
	if err := r.App.Store.Close(); err != nil {
		return err
	}
	b, err := sqlite.Open(filepath.Join(state, "footy.db"))
	if err != nil {
		return err
	}
	r.Writes.Backend = b
	r.App.Store = store.New(r.Writes)
	clips, err := dir.Open(filepath.Join(state, "clips"))
	if err != nil {
		return fmt.Errorf("open clips: %w", err)
	}
	r.App.Blob = footageReads{clips, r.Footage}
	return nil
}

// footageReads counts reads of what footage is recognised by.
type footageReads struct {
	blob.Store
	n *atomic.Int64
}

// Open counts and passes on.
func (f footageReads) Open(ctx context.Context, key string) (blob.Object, error) {
	if strings.Contains(key, "/footage-") {
		f.n.Add(1)
	}
	return f.Store.Open(ctx, key)
}

// Stop ends the workers and closes what Start opened.
func (r *Rig) Stop() {
	r.cancel()
	if r.worker != nil {
		r.worker.Stop()
	}
	if r.Client != nil {
		r.Client.Close()
	}
	_ = r.App.Close() // the state is thrown away
}
