package app

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/validate/vision"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/check/sight"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/config/rules"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"go.temporal.io/sdk/client"
)

// Doctor looks at everything the settings name; nothing is started and nothing written.
func Doctor(ctx context.Context, c config.Config, version string, extras ...port.Extra) []health.Part {
	a := &App{Config: c, Log: slog.New(slog.DiscardHandler), Version: version, Extras: extras, looksOnly: true}
	var o check.Opening
	if a.Store, o.Store = state.OpenStore(ctx, c); o.Store == nil {
		defer a.Close() //nolint:errcheck // nothing was written
	}
	a.clients()
	o.Hosts = a.hostsErr
	a.Blob, o.Blob = state.LookAtBlob(ctx, c, a.Store)
	all, err := a.tellers(a.core())
	o.Targets, o.TargetsErr = teller.Testable(all), err
	return a.checker(nil, a.Media).Doctor(ctx, o)
}

// LookAtX is doctor's look at the search, at X alone. A machine that only brings an account gets no database.
func LookAtX(ctx context.Context, c config.Config) health.Part {
	c.Search.Sources = []string{"xweb", "xapi"}
	a := &App{Config: c, Log: slog.New(slog.DiscardHandler), looksOnly: true}
	var err error
	if a.Store, err = state.OpenExistingStore(ctx, c, "look at X"); footy.IsNotFound(err) && c.Search.BearerToken != "" { // what it may spend is there
		a.Store, err = state.OpenStore(ctx, c)
	}
	if err == nil {
		defer a.Close() //nolint:errcheck // nothing was written
	}
	a.clients()
	return a.checker(nil, nil).SearchBefore(ctx)
}

// LookAtModel shows the model of the settings four pictures.
func LookAtModel(ctx context.Context, c config.Config, limit time.Duration) (health.Part, error) {
	m := c.Model
	if m.URL == "" {
		what, remedy, _ := health.ModelTrouble(footy.ReasonNoModel)
		return health.Part{Name: health.Model, State: health.StateMissing, Reason: what, Remedy: remedy}, nil
	}
	return sight.Look(ctx, vision.New(vision.Options{Lines: m.Lines}, llm.New(llm.Options{URL: m.URL, Model: m.Name, APIKey: m.APIKey}, httpx.New(httpx.Options{}))), limit)
}

// checker looks at the parts this process depends on; c may be nil, and tool where it decodes no clips.
func (a *App) checker(c client.Client, tool *media.Tool) *check.Checker {
	_, windows := rules.Match(a.Config.Track)
	return check.New(check.Options{Config: a.Config, Online: a.online, Store: a.Store, Blob: a.Blob, Feed: a.Feed, Follows: a.Follows, Source: a.sources, Hosts: a.hosts, Reader: a.Reader, Media: tool,
		Temporal: c, Windows: windows, Log: a.Log, Seen: a.seenPart, Looks: a.looks()})
}

// Missing is what a live run still lacks.
func Missing(c config.Config) config.Problems {
	session := slices.Contains(c.Search.Sources, "xweb") && xaccount.HasSession(c)
	out := c.Missing(session)
	if session && c.Search.ServiceURL == "" && !xaccount.HasChromium(c) {
		out = append(out, config.Problem{Setting: "CHROMIUM", Value: c.Program.Chromium, Why: "is not installed, so the session of X is of no use", Remedy: xaccount.InstallChromium})
	}
	return out
}
