package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/operator"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/publish"
	"github.com/found-footy/found-footy/internal/tell/web/lookup/view"
)

type waitingCmd struct {
	List   waitingListCmd   `cmd:"" default:"withargs" help:"List what waits, by cause."`
	Retry  waitingRetryCmd  `cmd:"" help:"Try posts again now: one, or all that wait for a cause."`
	GiveUp waitingGiveUpCmd `cmd:"" name:"give-up" help:"Give posts up: one, or all that wait for a cause."`
}

type waitingListCmd struct{ command.Output }

// Run lists what waits, as GET /api/v1/waiting gives it to an operator; it reads the state beside whatever else uses it.
func (l waitingListCmd) Run(ctx context.Context, c config.Config) error {
	docs, err := state.OpenExistingStore(ctx, c, "list posts")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // nothing was written
	b, err := view.ReadBacklog(ctx, docs)
	return l.Print(waitingPosts(b.View(true)), err)
}

type waitingPosts view.Waiting

// String lists them for people, by cause.
func (w waitingPosts) String() string {
	if w.Waiting == 0 {
		return "no post waits\n"
	}
	var b strings.Builder
	for _, c := range w.Causes {
		fmt.Fprintf(&b, "%s (%s): %d\n", c.Words, c.Cause, c.Count)
		for _, p := range c.Posts {
			fmt.Fprintf(&b, "  %s  post %s  since %s  tries %d  next try %s\n", p.EventID, p.PostID, p.Since.UTC().Format(time.DateTime), p.Tries,
				p.NextTry.UTC().Format(time.TimeOnly+" UTC"))
			if p.Goal.Path != "" { // else it is not stored any more
				fmt.Fprintf(&b, "    %s, %s\n", p.Goal.Name, p.Goal.Match)
			}
			if p.Detail != "" {
				fmt.Fprintf(&b, "    %s\n", p.Detail)
			}
		}
	}
	return b.String()
}

// waitingChoice names posts as the API does.
type waitingChoice struct {
	Cause footy.Reason `help:"All posts that wait for this cause, as listed in brackets."`
	Event string       `help:"The event of one post."`
	Post  string       `help:"The id of one post."`
}

func (w waitingChoice) act(ctx context.Context, p command.Process, act func(*operator.Operator, context.Context, ledger.Selection) (int, error), done string) error {
	choice := ledger.Selection{EventUID: w.Event, PostID: w.Post, Cause: w.Cause}
	if err := choice.Check(); err != nil {
		return err
	}
	docs, err := state.OpenExistingStore(ctx, p.Config, "find posts")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // what was to be written is written
	pages := publish.NewShared(docs, p.Log, nil)
	n, err := act(&operator.Operator{Store: docs, Page: pages, Now: time.Now}, ctx, choice)
	if err != nil {
		return err
	}
	if err := pages.Flush(ctx); err != nil { // it is done; a page shows it when it is loaded anew
		p.Log.Warn("pages not told of the change", "module", "publish", "action", "publish", "error", err)
	}
	fmt.Printf("%s: %d\n", done, n)
	return nil
}

type waitingRetryCmd struct{ waitingChoice }

// Run makes posts due; a worker's next cycle takes them.
func (r waitingRetryCmd) Run(ctx context.Context, p command.Process) error {
	return r.act(ctx, p, (*operator.Operator).Retry, "due now, for the next cycle of a worker")
}

type waitingGiveUpCmd struct{ waitingChoice }

// Run ends posts.
func (g waitingGiveUpCmd) Run(ctx context.Context, p command.Process) error {
	return g.act(ctx, p, (*operator.Operator).GiveUp, "given up")
}
