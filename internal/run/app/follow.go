package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
)

// memory is where names that were looked up are remembered: the state of the app, once it is open.
type memory struct{ *App }

func (m memory) State(ctx context.Context, key string, out any) error {
	if m.Store == nil {
		return footy.Errorf(footy.CodeNotFound, "read state", "the state is not open")
	}
	return m.Store.State(ctx, key, out)
}

// PutState writes nothing for doctor, which only looks.
func (m memory) PutState(ctx context.Context, key string, value any) error {
	if m.Store == nil || m.looksOnly {
		return nil
	}
	return m.Store.PutState(ctx, key, value)
}

// lookUpLimit bounds what a start waits for the feed to find names.
const lookUpLimit = 20 * time.Second

// lookUpFollowed refuses settings that name what there is not. A feed that cannot be asked is no reason not to start: names are looked up
// again with today's list, and until then nothing new is followed.
func (a *App) lookUpFollowed(ctx context.Context) error {
	if a.Config.Feed.Key == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookUpLimit)
	defer cancel()
	for _, told := range []*follow.Following{a.Tells, a.Posts} {
		if !told.NeedsNames() {
			continue
		}
		if _, err := told.Follow(ctx); footy.CodeOf(err) == footy.CodeInvalid { // another failure is told when there is somebody to tell
			return err
		}
	}
	if !a.Follows.NeedsNames() {
		return nil
	}
	_, err := a.Follows.Follow(ctx)
	if err == nil || footy.CodeOf(err) == footy.CodeInvalid {
		return err
	}
	a.Log.Warn("no new match is followed until the names in the settings are looked up: "+footy.UserMessage(err), "module", "app", "action", "start")
	return nil
}

// Finder finds teams and leagues for a person; nothing of the state is opened.
func Finder(c config.Config) (feed.Finder, error) {
	if c.Feed.Key == "" {
		return nil, footy.Errorf(footy.CodeInvalid, "search", "API_FOOTBALL_KEY is not set: make a free account at api-football.com and set the key it shows you")
	}
	a := &App{Config: c, Log: slog.New(slog.DiscardHandler)}
	a.clients()
	return a.Finder, nil
}

// Followed is where matches come from, and which of them the settings follow; nothing of the state is opened. Names are looked up with
// the key.
func Followed(ctx context.Context, c config.Config) (feed.Feed, lifecycle.Follow, error) {
	a := &App{Config: c, Log: slog.New(slog.DiscardHandler)}
	a.clients()
	if c.Feed.Key == "" && a.Follows.NeedsNames() {
		return a.Feed, lifecycle.Follow{}, footy.Errorf(footy.CodeInvalid, "read settings",
			"names in TRACK_LEAGUES and TRACK_TEAMS are looked up with API_FOOTBALL_KEY: set it, or write ids")
	}
	choice, err := a.Follows.Follow(ctx)
	return a.Feed, choice, err
}
