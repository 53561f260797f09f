package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/inspect"
)

type inspectCmd struct {
	Feed    inspectFeedCmd    `cmd:"" help:"Tell what the plan of a key allows, and which calls a day of matches costs."`
	Replay  inspectReplayCmd  `cmd:"" help:"Run the match rules over recorded answers of the feed and tell every decision."`
	Query   inspectQueryCmd   `cmd:"" help:"Show the searches a goal would get."`
	Aliases inspectAliasesCmd `cmd:"" help:"Show the words people use for a team and where they come from."`
	Clip    inspectClipCmd    `cmd:"" help:"Rules about video files: facts, compare, dedup, clock, footage, find."`
	Clock   inspectClockCmd   `cmd:"" help:"Judge broadcast clocks read from frames (JSON on standard input)."`

	Timeline inspectTimelineCmd `cmd:"" help:"Read a saved search answer of X."`
	Tweet    inspectTweetCmd    `cmd:"" help:"Read a saved public answer about one post."`
	Title    inspectTitleCmd    `cmd:"" help:"Read the titles under which people post goals."`
	Host     inspectHostCmd     `cmd:"" help:"Tell where a host of clips keeps the file of a page, step by step."`

	Post    inspectPostCmd    `cmd:"" help:"Tell what would happen to the posts of a goal now, and why."`
	Round   inspectRoundCmd   `cmd:"" help:"Tell whether a goal is still searched for, when the next search is due, and what is open."`
	Rank    inspectRankCmd    `cmd:"" help:"Order the clips of a goal, and say what puts each before the next."`
	Posting inspectPostingCmd `cmd:"" help:"Tell what each channel or account would post of a goal now, or why nothing."`
	Fetch   inspectFetchCmd   `cmd:"" help:"Tell whether the files of posts are fetched now, or why that rests."`
	Reel    inspectReelCmd    `cmd:"" help:"Show what a highlight reel would be made of."`
	Scale   inspectScaleCmd   `cmd:"" help:"Tell how many workers and browsers the scaler would start."`
}

type inspectFeedCmd struct {
	Files []string `arg:"" optional:"" name:"file" help:"Recorded answers of API-Football (status, day lists, polls, refusals); none: the key that is set is asked, which costs two or three calls."`
	ESPN  string   `name:"espn" help:"Read a saved scoreboard of ESPN instead, and tell what it means." placeholder:"FILE"`
	output
}

// Run follows the leagues and teams of the settings.
func (c inspectFeedCmd) Run(ctx context.Context, settings config.Config) error {
	if c.ESPN != "" {
		return c.print(inspect.Scoreboard(c.ESPN))
	}
	life := settings.Track // days of life, also where TIME_SCALE compresses them
	life.TimeScale = 1
	_, windows := app.MatchRules(life)
	rules := inspect.FeedRules{Windows: windows, Cycle: life.PollEvery()}
	if len(c.Files) > 0 {
		rules.Names = func(lists feed.Finder) (lifecycle.Follow, error) {
			return follow.New(follow.Options{Leagues: life.Leagues, Teams: life.Teams, Finder: lists}).Follow(ctx)
		}
		return c.print(inspect.FeedFiles(c.Files, rules, time.Now().UTC()))
	}
	if settings.Feed.InCharge() != config.APIFootball || settings.Feed.Missing() {
		return footy.Errorf(footy.CodeInvalid, "", "this asks API-Football what a day costs, and API_FOOTBALL_KEY is not set: set it, or name files of recorded answers; --espn FILE reads a scoreboard")
	}
	vendor, followed, err := app.Followed(ctx, settings)
	if err != nil {
		return withRemedy(err, settings.Feed)
	}
	rules.Follow = followed
	answer, failed := inspect.Feed(ctx, vendor, rules, time.Now().UTC())
	if failed != nil && answer.Days == nil {
		return withRemedy(failed, settings.Feed)
	}
	if err := c.print(answer, nil); err != nil || failed == nil {
		return err
	}
	return withRemedy(failed, settings.Feed)
}

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

type inspectAliasesCmd struct {
	Team     string `required:"" help:"Team as the feed names it."`
	Country  string `help:"Its country."`
	National bool   `help:"It is a national team."`
	Wikidata string `help:"Address to ask instead of WIKIDATA_URL." placeholder:"URL"`
	output
}

func (c inspectAliasesCmd) Run(ctx context.Context, settings config.Config) error {
	if c.Wikidata != "" {
		settings.Search.WikidataURL = c.Wikidata
	}
	if u, err := url.Parse(settings.Search.WikidataURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return footy.Errorf(footy.CodeInvalid, "", "--wikidata=%s is no address; give one like https://www.wikidata.org", settings.Search.WikidataURL)
	}
	resolver, names := app.AliasResolvers(settings, nil)
	return c.print(inspect.Aliases(ctx, inspect.AliasQuestion{Team: c.Team, Country: c.Country, National: c.National, Resolver: resolver, Fallback: names}))
}

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

type inspectTweetCmd struct {
	File string `arg:"" help:"A saved tweet-result: the public answer about one post."`
	output
}

func (c inspectTweetCmd) Run() error { return c.print(inspect.Tweet(c.File)) }

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
