package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/pipeline/operator"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port/command"
)

type postsCmd struct {
	List  postsListCmd  `cmd:"" default:"withargs" help:"List the posts whose delivery is unknown."`
	There postsThereCmd `cmd:"" help:"Say that one was delivered; it is neither changed nor deleted from here."`
	Again postsAgainCmd `cmd:"" help:"Say that one was not delivered; it is posted again."`
}

type postsListCmd struct{ command.Output }

// Run lists posts whose delivery is unknown.
func (l postsListCmd) Run(ctx context.Context, c config.Config) error {
	posts, err := command.Stored(ctx, c, operator.UnsurePosts)
	return l.Print(unsurePosts{posts}, err)
}

type unsurePosts struct {
	Unsure []operator.UnsurePost `json:"unsure"`
}

// String implements fmt.Stringer.
func (u unsurePosts) String() string {
	if len(u.Unsure) == 0 {
		return "no post's delivery is unknown\n"
	}
	var b strings.Builder
	for _, p := range u.Unsure {
		fmt.Fprintf(&b, "%s  %s  since %s\n  %s\n  %s\n", p.EventID, p.Service, p.At.UTC().Format("2006-01-02 15:04:05 UTC"), p.Goal, p.Why)
	}
	return b.String()
}

// unsurePost names one as the list does.
type unsurePost struct {
	Event   string `arg:"" help:"The event, as listed."`
	Service string `arg:"" help:"The service, as listed."`
}

func (u unsurePost) settle(ctx context.Context, p command.Process, there bool, done string) error {
	return p.Operate(ctx, func(o *operator.Operator) (string, error) {
		return done, o.SettlePost(ctx, u.Event, u.Service, there)
	})
}

type postsThereCmd struct{ unsurePost }

// Run settles a post that was delivered.
func (t postsThereCmd) Run(ctx context.Context, p command.Process) error {
	return t.settle(ctx, p, true, "noted: it was delivered and stays as it is")
}

type postsAgainCmd struct{ unsurePost }

// Run has a post posted again.
func (a postsAgainCmd) Run(ctx context.Context, p command.Process) error {
	return a.settle(ctx, p, false, "it is posted again by the process that serves the page, within five minutes at most")
}
