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
	"github.com/found-footy/found-footy/internal/tell/explain"
)

type waitingCmd struct {
	List   waitingListCmd   `cmd:"" default:"withargs" help:"List what waits, by cause."`
	Retry  waitingRetryCmd  `cmd:"" help:"Try posts again now: one, or all that wait for a cause."`
	GiveUp waitingGiveUpCmd `cmd:"" name:"give-up" help:"Give posts up: one, or all that wait for a cause."`
}

type waitingListCmd struct{ command.Output }

// Run lists what waits; it reads the state beside whatever else uses it.
func (l waitingListCmd) Run(ctx context.Context, c config.Config) error {
	posts, err := command.Stored(ctx, c, operator.Waiting)
	return l.Print(waitingPosts{len(posts), posts}, err)
}

type waitingPosts struct {
	Waiting int                    `json:"waiting"`
	Posts   []operator.WaitingPost `json:"posts"`
}

// String lists them for people, by cause.
func (w waitingPosts) String() string {
	if w.Waiting == 0 {
		return "no post waits\n"
	}
	count := map[footy.Reason]int{}
	for _, p := range w.Posts {
		count[p.Cause]++
	}
	var b strings.Builder
	var cause footy.Reason
	for _, p := range w.Posts {
		if p.Cause != cause {
			cause = p.Cause
			fmt.Fprintf(&b, "%s (%s): %d\n", explain.Wait(cause), cause, count[cause])
		}
		fmt.Fprintf(&b, "  %s  post %s  since %s  tries %d  next try %s\n", p.EventID, p.PostID, p.Since.UTC().Format("2006-01-02 15:04:05"), p.Tries,
			p.NextTry.UTC().Format(time.TimeOnly+" UTC"))
		for _, more := range []string{p.Goal, p.Detail} {
			if more != "" {
				fmt.Fprintf(&b, "    %s\n", more)
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
	return p.Operate(ctx, func(o *operator.Operator) (string, error) {
		n, err := act(o, ctx, choice)
		return fmt.Sprintf("%s: %d", done, n), err
	})
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
