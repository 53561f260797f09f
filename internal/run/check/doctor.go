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
)

// Finding is a part as footy doctor shows it; of one that works the reason says where it is.
type Finding struct {
	health.Part
	Required bool `json:"required"` // broken, it makes the program useless; any other only leaves a part of it waiting
}

// Opening is what came of opening the state, and of reading the addresses that alerts go to.
type Opening struct {
	Store, Blob error
	Hosts       error // of reading hosts.json
	Targets     []string
	TargetsErr  error
}

// Doctor looks at every part, and at what only matters before a start.
func (c *Checker) Doctor(ctx context.Context, o Opening) (out []Finding) {
	c.opened = &o
	for _, l := range c.looks() {
		out = append(out, l.Rows(ctx)...)
	}
	of := make([]*health.Part, len(out))
	for i := range out {
		of[i] = &out[i].Part
	}
	c.blameOffline(ctx, of)
	return out
}

// warnings are those of the settings.
func (c *Checker) warnings(context.Context) (out []Finding) {
	for _, w := range c.opt.Config.Warnings {
		out = append(out, Finding{Part: health.Part{Name: "settings", State: health.StateDegraded, Reason: w}})
	}
	return out
}

// feedFinding is the part, which doctor has asked in looking at its plan.
func (c *Checker) feedFinding(ctx context.Context, plan Finding) Finding {
	f := finding(c.feed(ctx), false, c.opt.Config.Feed.At())
	switch {
	case f.State == health.StateOK && plan.State == health.StateDown: // no running process has asked it yet
		f.State, f.Reason, f.Unasked = plan.State, "the last try failed; the line on the feed plan says why", false
	case f.Unasked:
		f.Unasked, f.Reason = false, c.opt.Config.Feed.At()
	}
	return f
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

func (c *Checker) databaseFinding(ctx context.Context) Finding {
	err := c.opened.Store
	if err == nil {
		_, err = c.opt.Store.List(ctx, store.FixtureQuery{}) // what is damaged is found by reading
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
	return finding(c.database(ctx), true, databaseAt(c.opt.Config))
}

// followedFinding says in words which matches are followed. The feed is not asked about ids where the plan does not work.
func (c *Checker) followedFinding(ctx context.Context, plan Finding) Finding {
	f := Finding{Part: health.Part{Name: health.Followed, State: health.StateOK}}
	if c.opt.Config.Feed.Missing() && c.opt.Follows.NeedsNames() {
		f.State, f.Reason, f.Remedy = health.StateMissing, "names in TRACK_LEAGUES and TRACK_TEAMS are looked up with API_FOOTBALL_KEY", "Set API_FOOTBALL_KEY or FEED=espn, or write ids."
		return f
	}
	choice, err := c.opt.Follows.Choice(ctx)
	var unknown []follow.Unknown
	if plan.State == health.StateOK {
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

func broken(name string, err error) Finding {
	return Finding{health.Part{Name: name, State: health.StateDown, Reason: footy.UserMessage(err)}, true}
}

// alertFinding is doctor's look at the addresses; no message is sent.
func (c *Checker) alertFinding(context.Context) Finding {
	o := c.opened
	switch {
	case o.TargetsErr != nil:
		return broken("notifications", o.TargetsErr)
	case len(o.Targets) == 0:
		return Finding{Part: health.Part{Name: "notifications", State: health.StateMissing, Reason: "NOTIFICATIONS is not set: goals are shown on the page only",
			Remedy: "Set it to an address like ntfy://ntfy.sh/my-goals (internal/extra/alert/README.md)."}}
	}
	return Finding{Part: health.Part{Name: "notifications", State: health.StateOK, Reason: strings.Join(o.Targets, ", ") + "; footy notify test sends a message"}}
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

// finding makes a line of a part; where is said of one that works.
func finding(p health.Part, required bool, where string) Finding {
	if p.State == health.StateOK && p.Reason == "" {
		p.Reason = where
	}
	return Finding{p, required}
}

// Broken reports whether something required is broken.
func Broken(fs []Finding) bool {
	return slices.ContainsFunc(fs, func(f Finding) bool { return f.Required && f.State == health.StateDown })
}

// Print writes findings for people, in the words of the health page.
func Print(w io.Writer, fs []Finding) {
	for _, f := range fs {
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
