package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/operator"
	"github.com/found-footy/found-footy/internal/publish"
	"github.com/found-footy/found-footy/internal/rule/ledger"
	"github.com/found-footy/found-footy/internal/state"
)

type waitingCmd struct {
	List   waitingListCmd   `cmd:"" default:"withargs" help:"List what waits, by cause."`
	Retry  waitingRetryCmd  `cmd:"" help:"Try posts again now: one, or all that wait for a cause."`
	GiveUp waitingGiveUpCmd `cmd:"" name:"give-up" help:"Give posts up: one, or all that wait for a cause."`
}

type waitingListCmd struct {
	JSON bool `name:"json" help:"Write JSON."`
}

// Run lists what waits; it reads the state beside whatever else uses it.
func (l waitingListCmd) Run(ctx context.Context) error {
	c, _, err := settings()
	if err != nil {
		return err
	}
	docs, err := state.OpenExistingStore(ctx, c, "list posts")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // nothing was written
	posts, err := operator.Waiting(ctx, docs)
	if err != nil {
		return err
	}
	if l.JSON {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(map[string]any{"waiting": len(posts), "posts": posts})
	}
	if len(posts) == 0 {
		fmt.Println("no post waits")
		return nil
	}
	count := map[footy.Reason]int{}
	for _, p := range posts {
		count[p.Cause]++
	}
	var cause footy.Reason
	for _, p := range posts {
		if p.Cause != cause {
			cause = p.Cause
			fmt.Printf("%s (%s): %d\n", explain.Wait(cause), cause, count[cause])
		}
		fmt.Printf("  %s  post %s  since %s  tries %d  next try %s\n", p.EventID, p.PostID, p.Since.UTC().Format("2006-01-02 15:04:05"), p.Tries,
			p.NextTry.UTC().Format(time.TimeOnly+" UTC"))
		if p.Goal != "" {
			fmt.Printf("    %s\n", p.Goal)
		}
		if p.Detail != "" {
			fmt.Printf("    %s\n", p.Detail)
		}
	}
	return nil
}

// waitingChoice names posts as the API does.
type waitingChoice struct {
	Cause footy.Reason `help:"All posts that wait for this cause, as listed in brackets."`
	Event string       `help:"The event of one post."`
	Post  string       `help:"The id of one post."`
}

func (w waitingChoice) act(ctx context.Context, giveUp bool, done string) error {
	c, log, err := settings()
	if err != nil {
		return err
	}
	choice := ledger.Selection{EventUID: w.Event, PostID: w.Post, Cause: w.Cause}
	if err := choice.Check(); err != nil {
		return err
	}
	docs, err := state.OpenExistingStore(ctx, c, "find posts")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // what was to be written is written
	pages := publish.NewShared(docs, log)
	op := &operator.Operator{Store: docs, Page: pages, Now: time.Now}
	act := op.Retry
	if giveUp {
		act = op.GiveUp
	}
	n, err := act(ctx, choice)
	if err != nil {
		return err
	}
	if err := pages.Flush(ctx); err != nil { // it is done; a page shows it when it is loaded anew
		log.Warn("pages not told of the change", "module", "publish", "action", "publish", "error", err)
	}
	fmt.Printf(done+"\n", n)
	return nil
}

type waitingRetryCmd struct{ waitingChoice }

// Run makes posts due; a worker's next cycle takes them.
func (r waitingRetryCmd) Run(ctx context.Context) error {
	return r.act(ctx, false, "due now, for the next cycle of a worker: %d")
}

type waitingGiveUpCmd struct{ waitingChoice }

// Run ends posts.
func (g waitingGiveUpCmd) Run(ctx context.Context) error { return g.act(ctx, true, "given up: %d") }
