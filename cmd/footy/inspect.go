package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/inspect"
)

type inspectCmd struct {
	Feed   inspectFeedCmd   `cmd:"" help:"Read a saved scoreboard of ESPN."`
	Replay inspectReplayCmd `cmd:"" help:"Run the match rules over recorded answers of the feed and report every decision."`
	Query  inspectQueryCmd  `cmd:"" help:"Show the searches a goal would get."`
	Clip   inspectClipCmd   `cmd:"" help:"Rules about video files: facts, compare, dedup, clock, find."`
	Clock  inspectClockCmd  `cmd:"" help:"Judge broadcast clocks read from frames (JSON on standard input)."`

	Timeline inspectTimelineCmd `cmd:"" help:"Read a saved search answer of X."`
	Title    inspectTitleCmd    `cmd:"" help:"Read the titles under which people post goals."`
	Host     inspectHostCmd     `cmd:"" help:"Show where a host of clips keeps the file of a page, step by step."`
	Post     inspectPostCmd     `cmd:"" help:"Show what would happen to the posts of a goal now, and why."`
}

type inspectFeedCmd struct {
	ESPN string `name:"espn" required:"" help:"A saved scoreboard of ESPN." placeholder:"FILE"`
	output
}

func (c inspectFeedCmd) Run() error { return c.print(inspect.Scoreboard(c.ESPN)) }

type inspectReplayCmd struct {
	Paths []string      `arg:"" name:"file" help:"Recorded answers of the feed: files (one poll each, or .jsonl with one a line) or directories."`
	Trace int64         `help:"Only this fixture, with its whole life." placeholder:"FIXTURE"`
	Track []string      `help:"Kinds of events to follow: ${enum}." enum:"goal,red_card,yellow_card,var,penalty,missed_penalty" default:"goal"`
	Every time.Duration `help:"Time between two polls." default:"30s"`
	output
}

// Run prints one decision a line.
func (r inspectReplayCmd) Run() error {
	if r.Every <= 0 {
		return footy.Errorf(footy.CodeInvalid, "", "--every=%s is no time between two polls; give a duration like 30s", r.Every)
	}
	votes, windows := app.MatchRules(config.Track{Kinds: r.Track, TimeScale: 1})
	return inspect.Replay(r.Paths, inspect.ReplayOptions{Trace: r.Trace, Every: r.Every, Rules: cycle.Rules{Votes: votes, Windows: windows}}, r.line)
}

type inspectQueryCmd struct {
	Player string   `required:"" help:"Scorer."`
	Team   string   `required:"" help:"Team that profits."`
	Alias  []string `help:"Words people use for the team, in place of what is known." placeholder:"WORD"`
	output
}

func (q inspectQueryCmd) Run() error { return q.print(inspect.Query(q.Player, q.Team, q.Alias)) }

type inspectClockCmd struct {
	Elapsed   int      `help:"The feed's minute; without it, or with -1, the feed gave none." default:"-1"`
	Extra     int      `help:"The feed's minute of stoppage time."`
	Tolerance int      `help:"Minutes a clock may differ." default:"3"`
	Sibling   []string `help:"The feed's minute of another goal of the match (67 or 45+2)." placeholder:"MINUTE"`
	More      []string `arg:"" optional:"" name:"minute" help:"Further minutes for --sibling."`
	output
}

// Run reads frames as JSON from standard input.
func (c inspectClockCmd) Run() error {
	q := clock.Question{Tolerance: c.Tolerance, Minute: footy.Minute{Elapsed: c.Elapsed, Extra: c.Extra}}
	for _, s := range append(c.Sibling, c.More...) {
		m, err := inspect.ParseMinute(s)
		if err != nil {
			return err
		}
		q.Siblings = append(q.Siblings, clock.Sibling{UID: s, Minute: m})
	}
	answer, err := inspect.Clock(os.Stdin, q)
	for _, field := range answer.Ignored {
		fmt.Fprintf(os.Stderr, "note: %s is not read, only frames is; the minute of the goal, its siblings and the tolerance are flags, see footy inspect clock --help\n", field)
	}
	return c.print(answer, err)
}

type inspectTimelineCmd struct {
	File string `arg:"" help:"A saved answer: SearchTimeline of the web page, or recent search of API v2."`
	output
}

func (c inspectTimelineCmd) Run() error { return c.print(inspect.Timeline(c.File)) }

type inspectHostCmd struct {
	URL  string `arg:"" name:"url" help:"Address of the page."`
	Page string `help:"A file with the host's answer; without it the host is asked." placeholder:"FILE"`
	output
}

// Run reads the built-in table and hosts.json in STATE_DIR.
func (c inspectHostCmd) Run(ctx context.Context, settings config.Config) error {
	table, err := hosts.Load(settings.State.Dir)
	if err != nil {
		return err
	}
	return c.print(inspect.Host(table, c.URL, c.Page, hosts.Asker(ctx, httpx.Options{DenyPrivate: !settings.Media.AllowPrivate, Instead: settings.Reddit.HostsURL})))
}

type inspectTitleCmd struct {
	Titles []string `arg:"" name:"title" help:"Titles of posts, each in quotes."`
	output
}

// Run prints one title a line.
func (c inspectTitleCmd) Run() error {
	for _, text := range c.Titles {
		if err := c.line(inspect.Title(text)); err != nil {
			return err
		}
	}
	return nil
}
