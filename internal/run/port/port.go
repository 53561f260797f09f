// Package port says what an extra plugs into, and what it is lent. An extra is a part that the product does without: one folder in
// internal/extra and one line in cmd/footy/extras.go.
package port

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/found-footy/found-footy/internal/tell/web"
	logos "github.com/found-footy/found-footy/internal/tell/web/media"
	"github.com/found-footy/found-footy/internal/tell/web/pages"
	"github.com/found-footy/found-footy/internal/tell/web/session"
	"go.temporal.io/sdk/client"
)

// Extra is what an extra adds. What it leaves nil it does not need.
type Extra struct {
	Name     string // of its folder
	Settings *config.Group
	Commands []Command
	// Tellers are made by a process with a page, and for a look at their settings; an error refuses the start.
	Tellers func(Core) ([]teller.Teller, error)
	Looks   func(Core) []check.Look
	Worker  func(Core, Duty) (pipeline.Part, error) // of a process that takes tasks
	Page    func(Core, web.Lent) (web.Part, error)  // of a process with a page
	SetUp   func() SetUp                            // of footy up
	Steps   []string                                // at which FOOTY_CRASH_AT may kill the process
	Remade  []string                                // key prefixes of objects that can be made again: no backup takes them
}

// Core is what the running product lends.
type Core struct {
	Config   config.Config
	Version  string
	Log      *slog.Logger
	Store    store.Store   // nil: cannot be opened
	Docs     store.Backend // below it
	Blob     blob.Store
	Remade   []string // of all extras
	Media    *media.Tool
	Temporal client.Client                                        // nil: no engine is connected
	Room     func() error                                         // why nothing big may be written now
	Page     footy.Publisher                                      // nil: nothing runs, the settings are only looked at
	PageURL  string                                               // that links in messages begin with
	Health   func(context.Context) []health.Part                  // what the last looks found; nil as Page
	Hold     func(ctx context.Context, name string) (bool, error) // whether this process is the one to do it; nil as Page
	// Chosen makes a filter of the goals that settings choose; prefix is that of the settings. Until the feed has found their names, until
	// is what does not happen.
	Chosen func(prefix, until string, leagues, teams, kinds []string) func(context.Context) (news.Filter, error)
}

// SetUp is a page that asks for settings. It outlives the starts of one process.
type SetUp interface {
	// Wanted reports whether none are.
	Wanted(config.Config) bool
	// Show makes the page of this start, and what admits to it.
	Show(Trial) (pages.Setup, *session.Door, error)
	// Code opens the page from another machine.
	Code() string
	// Pending reports that settings were written and nothing has run with them yet.
	Pending() bool
	// Started says that all runs: what was written stays.
	Started()
	// TakeBack takes out of the settings what was written last, since a start with it failed; first: there were none before.
	TakeBack(why error) (first bool, err error)
}

// Trial tries settings out: nothing is started, and nothing written.
type Trial struct {
	Config config.Config // of this start
	Log    *slog.Logger
	Logos  *logos.Logos
	Alone  bool   // a start failed: nothing else runs
	Again  func() // starts anew with what was written

	HaveClips func(context.Context) (bool, error) // whether there are clips of the matches that are kept
	// Feed is what settings would follow; names are those that were looked up, of each feed apart.
	Feed   func(c config.Config, names map[string]json.RawMessage) Feed
	Doctor func(context.Context, config.Config) []health.Part
	Model  func(context.Context, config.Config, time.Duration) (health.Part, error)
	Notify func(c config.Config, extra string) ([]teller.Teller, error) // the targets of one extra, to be tested
}

// Feed is one with the finder of its names.
type Feed struct {
	feed.Feed
	feed.Finder
	Follow func(config.Track) *follow.Following
}

// Duty is what the worker of this process does.
type Duty struct {
	Queues  []string
	TempDir string
}

// Command is one subcommand of footy. An extra has its own; none adds below another's.
type Command struct {
	Name, Help string
	Run        any  // a pointer to a kong command
	Hidden     bool // from the list of commands: for developers
}

// Steps are those of all extras.
func Steps(all []Extra) []string { return names(all, func(e Extra) []string { return e.Steps }) }

// Remade are the prefixes of the objects of all extras that can be made again.
func Remade(all []Extra) []string { return names(all, func(e Extra) []string { return e.Remade }) }

func names(all []Extra, of func(Extra) []string) (out []string) {
	for _, e := range all {
		out = append(out, of(e)...)
	}
	return out
}
