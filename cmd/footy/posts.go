package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/operator"
	"github.com/found-footy/found-footy/internal/publish"
	"github.com/found-footy/found-footy/internal/state"
)

type postsCmd struct {
	List  postsListCmd  `cmd:"" default:"withargs" help:"List those of which nobody can tell whether they were posted."`
	There postsThereCmd `cmd:"" help:"Say that one is there, and where."`
	Again postsAgainCmd `cmd:"" help:"Say that one is not there, and have it posted again."`
}

type postsListCmd struct {
	JSON bool `name:"json" help:"Write JSON."`
}

// Run lists posts that are unsure.
func (l postsListCmd) Run(ctx context.Context) error {
	c, _, err := settings()
	if err != nil {
		return err
	}
	docs, err := state.OpenExistingStore(ctx, c, "list posts")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // nothing was written
	posts, err := operator.UnsurePosts(ctx, docs)
	if err != nil {
		return err
	}
	if l.JSON {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(map[string]any{"unsure": posts})
	}
	if len(posts) == 0 {
		fmt.Println("no post is unsure")
	}
	for _, p := range posts {
		fmt.Printf("%s  %s  since %s\n  %s\n  %s\n", p.EventID, p.Service, p.At.UTC().Format("2006-01-02 15:04:05 UTC"), p.Goal, p.Why)
	}
	return nil
}

// unsurePost names one as the list does.
type unsurePost struct {
	Event   string `arg:"" help:"The event, as listed."`
	Service string `arg:"" help:"The service, as listed."`
}

func (u unsurePost) settle(ctx context.Context, there bool, link, done string) error {
	c, log, err := settings()
	if err != nil {
		return err
	}
	docs, err := state.OpenExistingStore(ctx, c, "find posts")
	if err != nil {
		return err
	}
	defer docs.Close() //nolint:errcheck // what was to be written is written
	pages := publish.NewShared(docs, log)
	op := &operator.Operator{Store: docs, Page: pages, Now: time.Now, ReadLink: app.PostLinks(c, version)}
	if err := op.SettlePost(ctx, u.Event, u.Service, there, link); err != nil {
		return err
	}
	if err := pages.Flush(ctx); err != nil { // it is done; a page shows it when it is loaded anew
		log.Warn("pages not told of the change", "module", "publish", "action", "publish", "error", err)
	}
	fmt.Println(done)
	return nil
}

type postsThereCmd struct {
	unsurePost
	Link string `arg:"" optional:"" help:"Its link at the service; without, the post is neither changed nor deleted from here."`
}

// Run settles a post that is there.
func (p postsThereCmd) Run(ctx context.Context) error {
	if p.Link != "" {
		return p.settle(ctx, true, p.Link, "noted: it is changed and deleted from here again")
	}
	return p.settle(ctx, true, "", "noted: it is there and stays as it is")
}

type postsAgainCmd struct{ unsurePost }

// Run has a post posted again.
func (p postsAgainCmd) Run(ctx context.Context) error {
	return p.settle(ctx, false, "", "it is posted again by the process that serves the page, within five minutes at most")
}
