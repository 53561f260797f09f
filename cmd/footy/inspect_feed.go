package main

import (
	"context"
	"errors"
	"time"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/inspect"
)

type inspectFeedCmd struct {
	Files []string `arg:"" optional:"" name:"file" help:"Recorded answers of API-Football (status, day lists, polls, refusals); none: the key that is set is asked, which costs two or three calls."`
	JSON  bool     `help:"Print JSON."`
}

// Run follows the leagues and teams of the settings.
func (c inspectFeedCmd) Run(ctx context.Context) error {
	settings, err := config.Load()
	if err != nil {
		return err
	}
	if len(c.Files) == 0 && settings.Feed.Key == "" {
		return errors.New("API_FOOTBALL_KEY is not set: set it, or name files of recorded answers")
	}
	vendor, followed, err := app.Followed(ctx, settings)
	if err != nil {
		return err
	}
	_, windows := app.MatchRules(settings.Track)
	rules := inspect.FeedRules{Follow: followed, Windows: windows, Cycle: settings.Track.PollEvery(),
		Minute: time.Minute / time.Duration(max(settings.Track.TimeScale, 1))}
	if len(c.Files) > 0 {
		answer, err := inspect.FeedFiles(c.Files, rules, time.Now().UTC())
		if err != nil {
			return err
		}
		return printAnswer(c.JSON, answer)
	}
	answer, err := inspect.Feed(ctx, vendor, rules, time.Now().UTC())
	if err != nil {
		return err
	}
	return printAnswer(c.JSON, answer)
}
