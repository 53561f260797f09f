package main

import (
	"context"
	"errors"
	"time"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/follow"
	"github.com/found-footy/found-footy/internal/inspect"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
)

type inspectFeedCmd struct {
	Files []string `arg:"" optional:"" name:"file" help:"Recorded answers of API-Football (status, day lists, polls, refusals); none: the key that is set is asked, which costs two or three calls."`
	JSON  bool     `help:"Print JSON."`
}

// Run follows the leagues and teams of the settings.
func (c inspectFeedCmd) Run(ctx context.Context) error {
	settings, err := loadSettings()
	if err != nil {
		return err
	}
	if len(c.Files) == 0 && settings.Feed.Key == "" {
		return errors.New("API_FOOTBALL_KEY is not set: set it, or name files of recorded answers")
	}
	life := settings.Track // days of life, also where TIME_SCALE compresses them
	life.TimeScale = 1
	_, windows := app.MatchRules(life)
	rules := inspect.FeedRules{Windows: windows, Cycle: life.PollEvery(), Minute: time.Minute}
	if len(c.Files) > 0 {
		rules.Names = func(lists feed.Finder) (lifecycle.Follow, error) {
			return follow.New(follow.Options{Leagues: life.Leagues, Teams: life.Teams, Finder: lists}).Follow(ctx)
		}
		answer, err := inspect.FeedFiles(c.Files, rules, time.Now().UTC())
		if err != nil {
			return err
		}
		return printAnswer(c.JSON, answer)
	}
	vendor, followed, err := app.Followed(ctx, settings)
	if err != nil {
		return withRemedy(err)
	}
	rules.Follow = followed
	answer, failed := inspect.Feed(ctx, vendor, rules, time.Now().UTC())
	if failed != nil && answer.Days == nil {
		return withRemedy(failed)
	}
	if err := printAnswer(c.JSON, answer); err != nil || failed == nil {
		return err
	}
	return withRemedy(failed)
}
