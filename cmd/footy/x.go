package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/found-footy/found-footy/internal/connect/source/x/tweet"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/port/command"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/tell/health"
)

type xCmd struct {
	Status        xStatusCmd `cmd:"" help:"Tell who is logged in, until when, what is left of the budget and how X looked when last checked."`
	ImportCookies xImportCmd `cmd:"" help:"Take over a session from your own browser: an export of its cookies, JSON or Netscape format."`
	Login         xLoginCmd  `cmd:"" help:"Log in by hand, in a window of the browser that searches, or with --web in a page."`
	Canary        xCanaryCmd `cmd:"" help:"Check now that X still looks as expected; takes one search call."`
	Token         xTokenCmd  `cmd:"" help:"Compute the token that the public look-up of a post wants."`
}

func account() (xaccount.Account, error) {
	c, err := settings()
	return xaccount.Account{Config: c, Log: slog.New(slog.DiscardHandler)}, err // what is printed says what there is to say
}

type xStatusCmd struct {
	command.Output
}

func (c xStatusCmd) Run(ctx context.Context, x xaccount.Account) error {
	return show(ctx, x.Config, c.Output)
}

// show prints how searching on X stands, and ends with 1 where no search can be made.
func show(ctx context.Context, c config.Config, out command.Output) error {
	part := app.LookAtX(ctx, c)
	if out.JSON {
		if err := out.Print(part, nil); err != nil {
			return err
		}
	} else {
		check.Print(os.Stdout, []health.Part{part})
	}
	return command.ExitIf(part.State == health.StateDown || part.State == health.StateMissing)
}

type xImportCmd struct {
	File string `arg:"" help:"The export; - reads standard input."`
}

func (c xImportCmd) Run(ctx context.Context, x xaccount.Account) error {
	raw, err := readExport(c.File)
	if err != nil {
		return err
	}
	if err = x.ImportCookies(ctx, raw); err != nil {
		return footy.Errorf(footy.CodeOf(err), "import "+c.File, "%s", footy.UserMessage(err))
	}
	return show(ctx, x.Config, command.Output{})
}

// exportLimit is far above any browser's cookies.
const exportLimit = 16 << 20

func readExport(file string) ([]byte, error) {
	in := os.Stdin
	if file != "-" {
		var err error
		if in, err = os.Open(file); err != nil {
			return nil, err
		}
		defer in.Close()
	}
	raw, err := io.ReadAll(io.LimitReader(in, exportLimit))
	if err != nil {
		return nil, footy.Errorf(footy.CodeInvalid, "read the export", "%w", err)
	}
	return raw, nil
}

type xLoginCmd struct {
	Web bool `help:"Show the browser in a web page (noVNC), for a server without a screen."`
}

func (c xLoginCmd) Run(ctx context.Context, x xaccount.Account) error {
	x.Config.Browser.VNC = x.Config.Browser.VNC || c.Web
	if c.Web {
		x.Config.Browser.Display = ""
	}
	err := x.Login(ctx, func(url string) {
		if url == "" {
			fmt.Println("A window opens: log in to X there, then close it.")
			return
		}
		fmt.Println("Open this page, log in, then close the browser in it:\n ", url)
	})
	if err != nil {
		return err
	}
	return show(ctx, x.Config, command.Output{})
}

type xCanaryCmd struct{}

// Run ends with 1 where X has changed or could not be looked at.
func (xCanaryCmd) Run(ctx context.Context, x xaccount.Account) error {
	at, _ := engine.Find(ctx, x.Config) // none: the service is asked directly
	found, err := x.Canary(ctx, at)
	if err != nil {
		return err
	}
	switch {
	case found.OK:
		fmt.Println("X looks as expected")
		return nil
	case found.Drift:
		fmt.Printf("X has changed: %s\nthe answer is kept in %s\n", found.Detail, found.Sample)
	default:
		fmt.Println(found.Detail)
	}
	return command.Exit(1)
}

type xTokenCmd struct {
	ID string `arg:"" help:"Post id, or the post's address."`
}

func (c xTokenCmd) Run() error {
	token, err := tweet.TokenOf(c.ID)
	if err != nil {
		return err
	}
	fmt.Println(token)
	return nil
}
