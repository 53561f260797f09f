package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/connect/feed/espn"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/run/config"
)

// memory is where names that were looked up are remembered: the state of the app, or the app itself where none is open.
type memory struct{ *App }

func (m memory) State(ctx context.Context, key string, out any) error {
	if m.Store == nil {
		raw, ok := m.noted[key]
		if !ok {
			return footy.Errorf(footy.CodeNotFound, "read state", "the state is not open")
		}
		return json.Unmarshal(raw, out)
	}
	return m.Store.State(ctx, key, out)
}

// PutState writes nothing for doctor, which only looks.
func (m memory) PutState(ctx context.Context, key string, value any) error {
	if m.Store == nil {
		raw, err := json.Marshal(value)
		if m.noted == nil {
			m.noted = map[string]json.RawMessage{}
		}
		m.noted[key] = raw
		return err
	}
	if m.looksOnly {
		return nil
	}
	return m.Store.PutState(ctx, key, value)
}

// follow makes the client of the feed in charge, and what looks up the names that settings follow.
func (a *App) follow(client *http.Client) {
	if c := a.Config; c.Feed.InCharge() == config.ESPN {
		board := espn.New(espn.Options{BaseURL: c.Feed.ESPN, Agent: c.Feed.AgentOf(a.Version), Leagues: a.boards, Scale: c.Track.TimeScale}, client)
		a.Feed, a.Finder = board, board
	} else {
		vendor := apifootball.New(apifootball.Options{BaseURL: c.Feed.URL, Key: c.Feed.Key, Scale: c.Track.TimeScale}, client)
		a.Feed, a.Finder = vendor, vendor
	}
	a.Follows = a.following("TRACK", a.Config.Track.Leagues, a.Config.Track.Teams)
}

// following looks up the names that settings follow, by the client of the feed in charge; prefix is that of the settings.
func (a *App) following(prefix string, leagues, teams []string) *follow.Following {
	o := follow.Options{Prefix: prefix, Leagues: leagues, Teams: teams, Finder: a.Finder, State: memory{a}}
	if a.Config.Feed.InCharge() == config.ESPN {
		o.Leagues, o.Feed, o.Reach, o.IDAt = espn.Named(leagues), config.ESPN, espn.Reach, espn.IDAt
	}
	return follow.New(o)
}

// boards are ESPN's words for the leagues to ask for: those that are followed; where teams are followed in whatever competition, all it knows.
func (a *App) boards(ctx context.Context) ([]string, error) {
	c, err := a.Follows.Choice(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, l := range c.Leagues {
		if word := espn.WordOf(l.ID, l.Name); word != "" {
			out = append(out, word)
		}
	}
	if len(c.Teams) > 0 || len(c.Leagues) == 0 {
		for _, l := range espn.Leagues() {
			if !slices.Contains(out, l.Word) {
				out = append(out, l.Word)
			}
		}
	}
	return out, nil
}

// feedKey is where a state says whose ids it has.
const feedKey = "feed"

// provisional is the feed of a state in which none was chosen yet: ESPN's is followed meanwhile.
const provisional = "espn, until somebody chooses"

// takeFeed notes the feed in charge in the state. What was followed before a person chose is given up where another feed was chosen: only
// when the rest of the start went well.
func (a *App) takeFeed(ctx context.Context) error {
	was, now, known, err := a.changesFeed(ctx)
	switch {
	case err != nil || was == now:
		return err
	case was == provisional && now == config.ESPN: // what is not followed any more is ingest's to drop
		return a.Store.PutState(ctx, feedKey, now)
	}
	old := cleanup.Activities{Store: a.Store, Blob: a.Blob, Now: time.Now}
	for _, f := range known {
		if err := old.Erase(ctx, f); err != nil {
			return err
		}
	}
	if len(known) > 0 {
		a.Log.Warn("matches that ESPN's feed listed before another was chosen are given up", "module", "app", "action", "start", "matches", len(known))
	}
	// What was noted of the former feed says nothing of this one; an empty list counts as none.
	return errors.Join(a.Store.PutState(ctx, ingest.StateKey, ingest.LastIngest{}), a.Store.PutState(ctx, monitor.OutageKey, monitor.Outage{}), a.Store.PutState(ctx, feedKey, now))
}

// stayWithFeed shows the matches of a state that are API-Football's where no feed is chosen and its key is gone. ESPN's feed has other ids.
func (a *App) stayWithFeed(ctx context.Context) error {
	if a.Config.Feed.Name != "" || a.Config.Feed.Key != "" {
		return nil
	}
	was := config.APIFootball
	if err := a.Store.State(ctx, feedKey, &was); err != nil && !footy.IsNotFound(err) {
		return err
	}
	known, err := a.Store.List(ctx, store.FixtureQuery{Limit: 1})
	if err != nil || was != config.APIFootball || len(known) == 0 {
		return err
	}
	a.Config.Feed.Name = config.APIFootball
	a.Log.Warn("the matches of this state come from API-Football and API_FOOTBALL_KEY is not set: they are shown, and no match is followed; set it, or follow ESPN's feed in a new state (another STATE_DIR or database)",
		"module", "app", "action", "start")
	return nil
}

// changesFeed returns from which feed to which a state goes over with this start, the same where it stays, and what matches it has. It
// refuses a state with the ids of the other one. A state that says nothing has those of API-Football; one without matches belongs to
// no feed, and what was followed before a person chose can be given up, unless there are clips of it.
func (a *App) changesFeed(ctx context.Context) (was, now string, known []footy.Fixture, err error) {
	if a.Config.Feed.Missing() {
		return "", "", nil, nil
	}
	was, now = config.APIFootball, a.Config.Feed.InCharge()
	if a.setup {
		now = provisional
	}
	if err := a.Store.State(ctx, feedKey, &was); err != nil && !footy.IsNotFound(err) {
		return "", "", nil, err
	}
	if was == now || was == config.ESPN && now == provisional { // it was chosen, and the settings were taken away
		return was, was, nil, nil
	}
	if known, err = a.Store.List(ctx, store.FixtureQuery{}); err != nil {
		return "", "", nil, err
	}
	taken := was == provisional && (now == config.ESPN || !haveClips(known))
	if len(known) > 0 && !taken { // what has clips is never given up
		return "", "", nil, footy.Errorf(footy.CodeInvalid, "", "the matches of this state have the ids of %s, and %s has others: set FEED=%s, or begin a new state (STATE_DIR, or another database) for %s",
			feedOf(was), feedOf(now), feedOf(was), feedOf(now))
	}
	return was, now, known, nil
}

func haveClips(matches []footy.Fixture) bool {
	return slices.ContainsFunc(matches, func(f footy.Fixture) bool {
		return slices.ContainsFunc(f.Events, func(e footy.Event) bool { return len(e.Clips) > 0 })
	})
}

// feedOf is the name of a feed for a person.
func feedOf(mark string) string {
	if mark == provisional {
		return config.ESPN
	}
	return mark
}

// lookUpLimit bounds what a start waits for the feed to find names.
const lookUpLimit = 20 * time.Second

// lookUpFollowed refuses settings that name what there is not. A feed that cannot be asked is no reason not to start: names are looked up
// again with today's list, and until then nothing new is followed. matches: this process follows matches, and does not only report them.
func (a *App) lookUpFollowed(ctx context.Context, matches bool) error {
	if a.Config.Feed.Missing() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookUpLimit)
	defer cancel()
	for _, names := range a.chosen {
		if !names.NeedsNames() {
			continue
		}
		if _, err := names.Follow(ctx); footy.CodeOf(err) == footy.CodeInvalid { // another failure is reported when there is news
			return err
		}
	}
	if !matches || !a.Follows.NeedsNames() {
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
	if c.Feed.Missing() {
		why, remedy := c.Feed.Lacks()
		return nil, footy.Errorf(footy.CodeInvalid, "search", "%s: %s", why, remedy)
	}
	a := &App{Config: c, Log: slog.New(slog.DiscardHandler)}
	a.clients()
	return a.Finder, nil
}
