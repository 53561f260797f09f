package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/inspect"
)

type inspectReplayCmd struct {
	Paths []string      `arg:"" name:"file" help:"Recorded answers of the feed: files (one poll each, or .jsonl with one a line) or directories."`
	Trace int64         `help:"Only this fixture, with its whole life." placeholder:"FIXTURE"`
	Track []string      `help:"Kinds of events to follow: ${enum}." enum:"goal,red_card,yellow_card,var,penalty,missed_penalty" default:"goal"`
	Every time.Duration `help:"Time between two polls." default:"30s"`
	JSON  bool          `help:"Print one JSON object a line."`
}

func (r inspectReplayCmd) Run() error {
	if r.Every <= 0 {
		return fmt.Errorf("--every=%s is no time between two polls; give a duration like 30s", r.Every)
	}
	rules, windows := app.MatchRules(config.Track{Kinds: r.Track, TimeScale: 1})
	return inspect.Replay(os.Stdout, r.Paths, inspect.ReplayOptions{JSON: r.JSON, Trace: r.Trace, Every: r.Every, Rules: rules, Windows: windows})
}

type inspectQueryCmd struct {
	Player string   `required:"" help:"Scorer."`
	Team   string   `required:"" help:"Team that profits."`
	Alias  []string `help:"Words people use for the team, in place of what is known." placeholder:"WORD"`
	JSON   bool     `help:"Print JSON."`
}

func (q inspectQueryCmd) Run() error {
	return inspect.Query(os.Stdout, inspect.QueryOptions{Player: q.Player, Team: q.Team, Aliases: q.Alias, JSON: q.JSON})
}

type inspectAliasesCmd struct {
	Team     string `required:"" help:"Team as the feed names it."`
	Country  string `help:"Its country."`
	National bool   `help:"It is a national team."`
	Wikidata string `help:"Address to ask instead of WIKIDATA_URL." placeholder:"URL"`
	JSON     bool   `help:"Print JSON."`
}

func (c inspectAliasesCmd) Run(ctx context.Context) error {
	cfg, err := loadSettings()
	if err != nil {
		return err
	}
	if c.Wikidata != "" {
		cfg.Search.WikidataURL = c.Wikidata
	}
	if u, err := url.Parse(cfg.Search.WikidataURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("--wikidata=%s is no address; give one like https://www.wikidata.org", cfg.Search.WikidataURL)
	}
	resolver, names := app.AliasResolvers(cfg, nil)
	return inspect.Aliases(ctx, os.Stdout, inspect.AliasOptions{Team: c.Team, Country: c.Country, National: c.National, JSON: c.JSON, Resolver: resolver, Fallback: names})
}
