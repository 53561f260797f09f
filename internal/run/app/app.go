// Package app is the composition root: it knows every adapter, turns settings into running roles and does nothing else.
package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/connect/alias"
	"github.com/found-footy/found-footy/internal/connect/alias/static"
	"github.com/found-footy/found-footy/internal/connect/alias/wikidata"
	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/machine/scratch"
	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/connect/validate/vision"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/footy/crashpoint"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/engine"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/state"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/found-footy/found-footy/internal/run/xaccount"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// App holds the adapters that the settings ask for.
type App struct {
	state.State
	Config  config.Config
	Log     *slog.Logger
	Feed    feed.Feed
	Finder  feed.Finder       // of teams and leagues by name
	Follows *follow.Following // what the settings ask to follow
	Source  source.Source
	Fetcher source.Fetcher
	Reader  validate.Reader // nil: no model is set up
	Model   *llm.Client     // nil: no model is set up
	Media   *media.Tool
	Aliases alias.Resolver
	Names   alias.Resolver // answers for any name without a network
	Version string
	Extras  []port.Extra
	Metrics *telemetry.Metrics // nil: nothing is counted

	// Lock is that of the state directory where its engine is ours to look after; nil: Run takes it.
	Lock *engine.StateLock

	worker     atomic.Pointer[Worker]     // nil until it polls
	joins      atomic.Bool                // the browser is about to take searches from the queue, and takes none yet
	name       *scratch.Name              // keeps own for the next process here; nil: none could be kept
	own        string                     // name among those that share the database
	leases     *store.Leases              // what of several processes one does
	chosen     []*follow.Following        // whose goals the tellers report
	noted      map[string]json.RawMessage // what would be in the state, where none is open
	setup      bool                       // the set-up page asks for all that a live run needs
	looksOnly  bool                       // doctor: nothing is written
	reddit     *reddit.Source             // nil: it is not asked
	hosts      hosts.Table                // of the hosts of clips
	hostsErr   error                      // of reading it
	sources    source.Source              // as they are; Source may have a meter around it
	hasAccount func() bool                // that there was one, once
	seenPart   func(health.Part)
	met        chan struct{} // holds a note while an ingest has stored fixtures that keepSchedules has not looked at
}

// New opens state and clips and makes the clients of everything outside; nothing is asked over the network yet,
// except of a database or object store that is not embedded. In a fleet it waits for a database that is late.
func New(ctx context.Context, c config.Config, log *slog.Logger, version string, extras ...port.Extra) (*App, error) {
	if err := crashpoint.Arm(c.Program.CrashAt, port.Steps(extras)...); err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "start", err)
	}
	a := &App{Config: c, Log: log, Version: version, Extras: extras, Metrics: telemetry.NewMetrics(version), met: make(chan struct{}, 1)}
	var err error
	if err = state.Await(ctx, c, telemetry.Module(log, "app"), a.Metrics); err == nil {
		a.State, err = state.Open(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	if m, is := a.Docs.(interface{ Migrated() string }); is && m.Migrated() != "" {
		log.Info("the database was migrated for this release; as it was it is kept as "+m.Migrated()+", which can be deleted", "module", "app", "action", "start")
	}
	if a.BlobErr != nil { // as in an outage later: matches are followed, and what needs clips waits
		log.Warn("the clip storage does not answer; clips wait for it: "+footy.UserMessage(a.BlobErr), "module", "app", "action", "start")
	}
	a.takeName()
	a.leases = store.NewLeases(a.Store, time.Now, a.own)
	if err = a.stayWithFeed(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.clients()
	if a.hostsErr != nil {
		return nil, errors.Join(a.hostsErr, a.Close())
	}
	a.measure()
	return a, nil
}

// Close closes the database.
func (a *App) Close() error {
	a.name.Free()
	return a.State.Close()
}

// clients makes the clients of everything outside; none of them asks anything yet.
func (a *App) clients() {
	c := a.Config
	short := httpx.New(httpx.Options{Timeout: 15 * time.Second})
	a.follow(short)
	a.hasAccount = xaccount.Presence(c)
	a.Media = media.New(media.Options{FFmpeg: c.Program.FFmpeg, FFprobe: c.Program.FFprobe, FrameLines: c.Model.Lines})
	a.sources = a.searcher()
	a.Source = a.sources
	a.Fetcher = a.fetcher()
	var picker alias.Picker
	if c.Model.URL != "" {
		a.Model = llm.New(llm.Options{URL: c.Model.URL, Model: c.Model.Name, APIKey: c.Model.APIKey, Slots: c.Model.Slots}, a.timed("model", httpx.New(httpx.Options{})))
		if c.Media.ByModel() {
			a.Reader = vision.New(vision.Options{Lines: c.Model.Lines}, a.Model)
		}
		picker = llm.Picker{Client: a.Model}
	}
	a.Names = static.New() // serves where Wikidata does not
	client := httpx.New(httpx.Options{Timeout: 15 * time.Second, UserAgent: httpx.Agent(a.Version)})
	a.Aliases = wikidata.New(wikidata.Options{BaseURL: c.Search.WikidataURL, Curated: a.Names}, client, picker)
}

// fetcher may follow addresses that posts supply, so its client reaches allowed hosts only.
func (a *App) fetcher() source.Fetcher {
	c := a.Config
	client := httpx.New(httpx.Options{Timeout: 90 * time.Second, AllowHosts: withHosts(c.Media.Hosts, c.Search.SyndicationURL), DenyPrivate: !c.Media.AllowPrivate})
	files := xtweet.Options{SyndicationURL: c.Search.SyndicationURL, AllowedHosts: c.Media.Hosts}
	if a.reddit == nil {
		return xtweet.New(files, client)
	}
	return source.ByPlace{source.OnX: xtweet.New(files, client), source.OnReddit: reddit.NewFetcher(a.reddit, files, client)}
}

// withHosts adds the hosts of addresses to others.
func withHosts(hosts []string, addresses ...string) []string {
	hosts = slices.Clone(hosts)
	for _, raw := range addresses {
		if u, err := url.Parse(raw); err == nil && u.Host != "" {
			hosts = append(hosts, u.Host)
		}
	}
	return hosts
}
