package inspect

import (
	"context"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/config/rules"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/state"
)

// instant is a time as people write it.
type instant struct{ time.Time }

// UnmarshalText reads one.
func (i *instant) UnmarshalText(text []byte) (err error) {
	if i.Time, err = time.Parse(time.RFC3339, string(text)); err != nil {
		return fmt.Errorf("%q is no time; give one like 2026-11-14T16:30:00Z", text)
	}
	return nil
}

// moment is when an answer shall hold.
type moment struct {
	At instant `help:"When it shall hold, like 2026-11-14T16:30:00Z (default: now)." placeholder:"TIME"`
}

func (m moment) or() time.Time {
	if m.At.IsZero() {
		return time.Now().UTC()
	}
	return m.At.Time
}

// ofGoal names a stored goal.
type ofGoal struct {
	Event string `arg:"" name:"event" help:"The goal: the address of its page, or its id."`
	moment
	command.Output
}

// fromState reads the state beside whatever else uses it, and writes nothing.
func fromState[T any](ctx context.Context, c config.Config, read func(store.Store) (T, error)) (T, error) {
	docs, err := state.OpenExistingStore(ctx, c, "inspect")
	if err != nil {
		var none T
		return none, err
	}
	defer docs.Close() //nolint:errcheck // nothing was written
	return read(docs)
}

// answer prints what a rule says of the goal.
func answer[T any](ctx context.Context, g ofGoal, c config.Config, rule func(store.Store, Goal) (T, error)) error {
	out, err := fromState(ctx, c, func(st store.Store) (T, error) {
		goal, err := FindGoal(ctx, st, g.Event)
		if err != nil {
			var none T
			return none, err
		}
		return rule(st, goal)
	})
	return g.Print(out, err)
}

func postRules(c config.Config, now time.Time) (round.Limits, PostRules) {
	limits, delays := rules.Posts(c.Track)
	r := PostRules{Delays: delays, Now: now}
	if c.Model.URL == "" || !c.Media.ByModel() {
		r.NoModel = footy.ReasonNoModel
	}
	return limits, r
}

type postCmd struct {
	ofGoal
	Post string `arg:"" optional:"" name:"post" help:"One post, with all that can happen to it; none: all posts of the goal."`
}

// Run goes by the settings: how long pauses are, and whether there is a model.
func (c postCmd) Run(ctx context.Context, settings config.Config) error {
	return answer(ctx, c.ofGoal, settings, func(st store.Store, g Goal) (PostsAnswer, error) {
		_, rules := postRules(settings, c.or())
		return Post(ctx, st, g, c.Post, rules)
	})
}
