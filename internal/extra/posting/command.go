package posting

import (
	"context"
	"fmt"
	"strings"

	"github.com/found-footy/found-footy/internal/pipeline/operator"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port/command"
)

// Cmd is footy posts.
type Cmd struct {
	List  listCmd  `cmd:"" default:"withargs" help:"List the posts whose delivery is unknown."`
	There thereCmd `cmd:"" help:"Say that one was delivered; it is neither changed nor deleted from here."`
	Again againCmd `cmd:"" help:"Say that one was not delivered; it is posted again."`
}

type listCmd struct{ command.Output }

// Run lists posts whose delivery is unknown.
func (l listCmd) Run(ctx context.Context, c config.Config) error {
	posts, err := command.Stored(ctx, c, unsurePosts)
	return l.Print(unsureList{posts}, err)
}

type unsureList struct {
	Unsure []unsurePost `json:"unsure"`
}

// String implements fmt.Stringer.
func (u unsureList) String() string {
	if len(u.Unsure) == 0 {
		return "no post's delivery is unknown\n"
	}
	var b strings.Builder
	for _, p := range u.Unsure {
		fmt.Fprintf(&b, "%s  %s  since %s\n  %s\n  %s\n", p.EventID, p.Service, p.At.UTC().Format("2006-01-02 15:04:05 UTC"), p.Goal, p.Why)
	}
	return b.String()
}

// listed names one as the list does.
type listed struct {
	Event   string `arg:"" help:"The event, as listed."`
	Service string `arg:"" help:"The service, as listed."`
}

func (l listed) settle(ctx context.Context, p command.Process, there bool, done string) error {
	return p.Operate(ctx, func(o *operator.Operator) (string, error) {
		_, err := settle(ctx, o.Store, o.Page, l.Event, l.Service, there)
		return done, err
	})
}

type thereCmd struct{ listed }

// Run settles a post that was delivered.
func (t thereCmd) Run(ctx context.Context, p command.Process) error {
	return t.settle(ctx, p, true, "noted: it was delivered and stays as it is")
}

type againCmd struct{ listed }

// Run has a post posted again.
func (a againCmd) Run(ctx context.Context, p command.Process) error {
	return a.settle(ctx, p, false, "it is posted again by the process that serves the page, within five minutes at most")
}
