package inspect

import (
	"cmp"
	"context"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/config/rules"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/state"
)

type postCmd struct {
	Event string    `arg:"" name:"event" help:"The goal: the address of its page, or its id."`
	Post  string    `arg:"" optional:"" name:"post" help:"One post, with all that can happen to it; none: all posts of the goal."`
	At    time.Time `help:"When it shall hold, like 2026-11-14T16:30:00Z (default: now)." placeholder:"TIME"`
	command.Output
}

// Run goes by the settings: how long pauses are, and whether there is a model. It reads the state beside what else uses it, and writes
// nothing.
func (c postCmd) Run(ctx context.Context, settings config.Config) error {
	docs, err := state.OpenExistingStore(ctx, settings, "inspect")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // nothing was written
	goal, err := FindGoal(ctx, docs, c.Event)
	if err != nil {
		return err
	}
	_, delays := rules.Posts(settings.Track)
	r := PostRules{Delays: delays, Now: cmp.Or(c.At, time.Now()).UTC()}
	if settings.Model.URL == "" || !settings.Media.ByModel() {
		r.NoModel = footy.ReasonNoModel
	}
	return c.Print(Post(ctx, docs, goal, c.Post, r))
}
