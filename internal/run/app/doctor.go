package app

import (
	"context"
	"log/slog"
	"slices"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"go.temporal.io/sdk/client"
)

// Doctor looks at everything the settings name; nothing is started and nothing written.
func Doctor(ctx context.Context, c config.Config, version string) []check.Finding {
	a := &App{Config: c, Log: slog.New(slog.DiscardHandler), Version: version, looksOnly: true}
	var o check.Opening
	if a.Store, o.Store = state.OpenStore(ctx, c); o.Store == nil {
		defer a.Close() //nolint:errcheck // nothing was written
	}
	a.clients()
	o.Hosts = a.hostsErr
	a.Blob, o.Blob = state.LookAtBlob(ctx, c, a.Store)
	n, err := a.newAlerter(nil, nil)
	if o.TargetsErr = err; n != nil {
		o.Targets = n.Targets()
	}
	return a.checker(nil, a.Media).Doctor(ctx, o)
}

// AskedPerGoal is about how many clips of a goal the model is asked, as far as the state tells.
func AskedPerGoal(ctx context.Context, c config.Config) float64 {
	s, err := state.OpenStore(ctx, c)
	if err != nil {
		return check.New(check.Options{Config: c}).AskedPerGoal(ctx) // the test of a model needs no database
	}
	defer s.Close() //nolint:errcheck // nothing was written
	return check.New(check.Options{Config: c, Store: s}).AskedPerGoal(ctx)
}

// checker looks at the parts this process depends on; c may be nil, and tool where it decodes no clips.
func (a *App) checker(c client.Client, tool *media.Tool) *check.Checker {
	_, windows := MatchRules(a.Config.Track)
	return check.New(check.Options{Config: a.Config, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Second: a.Second, Follows: a.Follows, Source: a.sources, Hosts: a.hosts, Reader: a.Reader, Media: tool,
		Temporal: c, Windows: windows, Log: a.Log, Seen: a.seenPart, SeenQueue: a.seenQueue, SeenList: a.seenList, SeenCycle: a.seenCycle})
}

// Missing tells what a live run still lacks.
func Missing(c config.Config) config.Problems {
	session := slices.Contains(c.Search.Sources, "xweb") && xaccount.HasSession(c)
	out := c.Missing(session)
	if session && c.Search.ServiceURL == "" && !xaccount.HasChromium(c) {
		out = append(out, config.Problem{Setting: "CHROMIUM", Value: c.Program.Chromium, Why: "is not installed, so the session of X is of no use", Remedy: xaccount.InstallChromium})
	}
	return out
}
