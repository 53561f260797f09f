package check

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/teller"
)

// Opening is what came of opening the state, and of reading the addresses that alerts go to.
type Opening struct {
	Store, Blob error
	Hosts       error // of reading hosts.json
	Targets     []teller.Teller
	TargetsErr  error

	plan *health.Part // of the feed, once it was asked for
}

// Doctor looks at every part, and at what only matters before a start. Of one that works the reason says where it is.
func (c *Checker) Doctor(ctx context.Context, o Opening) (out []health.Part) {
	c.opened = &o
	for _, l := range c.looks() {
		out = append(out, l.Row(ctx))
	}
	c.blameOffline(ctx, out)
	return out
}

// planned is the plan of the feed, which is asked once: that costs calls.
func (c *Checker) planned(ctx context.Context) health.Part {
	if c.opened.plan == nil {
		c.opened.plan = new(c.plan(ctx))
	}
	return *c.opened.plan
}

// feedPlanned is the part after its plan was asked for, so that it knows how many calls are left.
func (c *Checker) feedPlanned(ctx context.Context) health.Part {
	plan, at := c.planned(ctx), c.opt.Config.Feed.At()
	p := placed(c.feed(ctx), at)
	switch {
	case p.State == health.StateOK && plan.State == health.StateDown: // no running process has asked it yet
		p.State, p.Reason, p.Unasked = plan.State, "the last try failed; the line on the feed plan says why", false
	case p.Unasked:
		p.Unasked, p.Reason = false, at
	}
	return p
}

// programsAt names the programs, and says if files of strangers could have them call out.
func (c *Checker) programsAt() string {
	at := c.opt.Config.Program.FFmpeg + ", " + c.opt.Config.Program.FFprobe
	if c.opt.Media != nil {
		if why := c.opt.Media.Unsealed(); why != nil {
			at += "; not kept from the network: " + why.Error()
		}
	}
	return at
}

// databaseRead reads all of the database first: what is damaged is found by reading.
func (c *Checker) databaseRead(ctx context.Context) health.Part {
	err := c.opened.Store
	if err == nil {
		_, err = c.opt.Store.List(ctx, store.FixtureQuery{})
	}
	if err == nil {
		err = c.opt.Store.CheckState(ctx)
	}
	if err == nil {
		err = c.opt.Store.Verify(ctx)
	}
	if err != nil && footy.CodeOf(err) != footy.CodeCorrupt {
		return broken(health.Database, err)
	}
	return c.database(ctx)
}

// followedNamed says in words which matches are followed. The feed is not asked about ids where the plan does not work.
func (c *Checker) followedNamed(ctx context.Context) health.Part {
	f := health.Part{Name: health.Followed, State: health.StateOK}
	if c.opt.Config.Feed.Missing() && c.opt.Follows.NeedsNames() {
		f.State, f.Reason, f.Remedy = health.StateMissing, "names in TRACK_LEAGUES and TRACK_TEAMS are looked up with API_FOOTBALL_KEY", "Set API_FOOTBALL_KEY or FEED=espn, or write ids."
		return f
	}
	choice, err := c.opt.Follows.Choice(ctx)
	var unknown []follow.Unknown
	if c.planned(ctx).State == health.StateOK {
		choice, unknown, err = c.opt.Follows.Known(ctx)
	}
	switch {
	case len(unknown) > 0:
		f.State, f.Reason, f.Remedy = health.StateDegraded, reasonUnknown(unknown), c.remedyUnknown(choice, unknown)
	case footy.CodeOf(err) == footy.CodeInvalid:
		f.State, f.Reason, f.Required = health.StateDown, footy.UserMessage(err), true
	case err != nil:
		f.State, f.Reason, f.Remedy = health.StateDown, footy.UserMessage(err), FeedRemedy(err, c.opt.Config.Feed)+" Ids need no looking up."
	default:
		f.Reason = explain.Followed(choice.Leagues, choice.Teams)
	}
	return f
}

func broken(name string, err error) health.Part {
	return health.Part{Name: name, State: health.StateDown, Reason: footy.UserMessage(err), Required: true}
}

// notifications looks at the addresses; no message is sent.
func (c *Checker) notifications(context.Context) health.Part {
	o := c.opened
	switch {
	case o.TargetsErr != nil:
		return broken("notifications", o.TargetsErr)
	case len(o.Targets) == 0:
		return health.Part{Name: "notifications", State: health.StateMissing, Reason: "NOTIFICATIONS is not set: goals are shown on the page only",
			Remedy: "Set it to an address like ntfy://ntfy.sh/my-goals (internal/extra/alert/README.md)."}
	}
	names := make([]string, len(o.Targets))
	for i, t := range o.Targets {
		names[i] = t.Name
	}
	return health.Part{Name: "notifications", State: health.StateOK, Reason: strings.Join(names, ", ") + "; footy notify test sends a message"}
}

// databaseAt names the place without the password an address may hold.
func databaseAt(c config.Config) string {
	switch {
	case c.State.Postgres != "":
		return "PostgreSQL, " + c.State.PostgresAt() + ", schema " + c.State.Schema
	case c.State.MongoURI != "":
		return "MongoDB, database " + c.State.MongoDB
	}
	return state.DatabaseFile(c)
}

func clipsAt(c config.Config) string {
	if c.S3.Endpoint == "" {
		return state.ClipDir(c)
	}
	return "bucket " + c.S3.Bucket + " at " + c.S3.Endpoint
}

// Broken reports whether something required is broken.
func Broken(rows []health.Part) bool {
	return slices.ContainsFunc(rows, func(f health.Part) bool { return f.Required && f.State == health.StateDown })
}

// Print writes rows of doctor for people, in the words of the health page.
func Print(w io.Writer, rows []health.Part) {
	for _, f := range rows {
		what := f.Sentence()
		if f.State == health.StateOK {
			what = f.Reason // a place
			for _, l := range f.Lines() {
				what = strings.TrimPrefix(what+"; "+l.Name+": "+l.Value, "; ")
			}
		}
		fmt.Fprintf(w, "%-13s  %-15s  %s\n", f.Word(), f.Title(), what)
		if f.Remedy != "" && f.State != health.StateOK {
			fmt.Fprintf(w, "%13s  %15s  → %s\n", "", "", f.Remedy)
		}
	}
}
