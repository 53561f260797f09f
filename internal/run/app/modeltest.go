package app

import (
	"context"
	"slices"
	"sync"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/validate/vision"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/check/trial"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// TestModel shows the model of the settings pictures that are drawn for it; asked is about how many clips of a goal it is asked. progress
// may be nil.
func TestModel(ctx context.Context, c config.Config, asked float64, progress func(health.ModelTestStep)) (health.ModelTest, error) {
	m := c.Model
	if m.URL == "" {
		return health.ModelTest{Trouble: footy.ReasonNoModel, SlotsSet: m.Slots}, nil
	}
	// A client of its own: it puts more questions at once than the settings allow, and what it learns of the model's limits is
	// found out by it, not by clips before.
	client := llm.New(llm.Options{URL: m.URL, Model: m.Name, APIKey: m.APIKey, Slots: max(trial.MostAtOnce, m.Slots)}, httpx.New(httpx.Options{}))
	out, err := trial.Run(ctx, trial.Options{Reader: vision.New(showing(m), client), SlotsSet: m.Slots, AskedPerGoal: asked, Progress: progress})
	if is, ok := client.Ollama(ctx); ok { // afterwards the model is loaded, and has the context that questions get
		out.Server, out.Context = "Ollama "+is.Version, is.Context
		out.NoVision = is.Abilities != nil && !slices.Contains(is.Abilities, "vision")
	}
	return out, err
}

// modelTester runs tests of the model for the page, one at a time, and keeps the latest result while the process lives.
type modelTester struct {
	ctx     context.Context //nolint:containedctx // of the process: a test outlives the request that began it
	config  config.Config
	asked   func(context.Context) float64 // about how many clips of a goal the model is asked
	changed func()

	mu  sync.Mutex
	run health.ModelTestRun
}

// Start begins a test.
func (t *modelTester) Start() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.run.Running {
		return footy.Errorf(footy.CodeConflict, "test model", "A test is under way.")
	}
	t.run.Running, t.run.Step, t.run.Failed = true, health.ModelTestStep{}, ""
	go t.test()
	return nil
}

func (t *modelTester) test() {
	out, err := TestModel(t.ctx, t.config, t.asked(t.ctx), func(step health.ModelTestStep) {
		t.mu.Lock()
		t.run.Step = step
		t.mu.Unlock()
		t.changed()
	})
	t.mu.Lock()
	t.run.Running = false
	if err == nil {
		t.run.Last = &out
	} else {
		t.run.Failed = footy.UserMessage(err)
	}
	t.mu.Unlock()
	t.changed()
}

// State of the test under way, and the latest result.
func (t *modelTester) State() health.ModelTestRun {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.run
}
