// Package app is the composition root: the only package that knows every adapter. It turns settings into running
// roles and nothing else.
package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	port "github.com/found-footy/found-footy/internal/alias"
	"github.com/found-footy/found-footy/internal/alias/static"
	"github.com/found-footy/found-footy/internal/alias/wikidata"
	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/blob/dir"
	"github.com/found-footy/found-footy/internal/blob/s3"
	"github.com/found-footy/found-footy/internal/config"
	"github.com/found-footy/found-footy/internal/crashpoint"
	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/feed/apifootball"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/llm"
	"github.com/found-footy/found-footy/internal/media"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/source/xapi"
	"github.com/found-footy/found-footy/internal/source/xtweet"
	"github.com/found-footy/found-footy/internal/store"
	"github.com/found-footy/found-footy/internal/store/mongo"
	"github.com/found-footy/found-footy/internal/store/sqlite"
	"github.com/found-footy/found-footy/internal/telemetry"
	"github.com/found-footy/found-footy/internal/validate"
	"github.com/found-footy/found-footy/internal/validate/vision"
)

// App holds the adapters that the settings ask for.
type App struct {
	Config  config.Config
	Log     *slog.Logger
	Store   store.Store
	Blob    blob.Store
	Feed    feed.Feed
	Source  source.Source
	Fetcher source.Fetcher
	Reader  validate.Reader // nil: no model is set up
	Model   *llm.Client     // nil: no model is set up
	Media   *media.Tool
	Aliases port.Resolver
	Names   port.Resolver // answers for any name without a network
	Version string
	Metrics *telemetry.Metrics // nil: nobody counts

	docs       store.Backend // below Store
	sources    source.Source // as they are; Source may have a meter around it
	spending   xapi.Ledger
	hasAccount func() bool
	searches   net.Listener // where the search service is to listen; nil: as the settings say

	claim *claim // of the state directory, when its engine is ours to look after
}

// New opens state and clips and makes the clients of everything outside; nothing is asked over the network yet,
// except of a database or object store that is not embedded.
func New(ctx context.Context, c config.Config, log *slog.Logger, version string) (*App, error) {
	if err := crashpoint.Arm(c.Program.CrashAt); err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "start", err)
	}
	a := &App{Config: c, Log: log, Version: version, Metrics: telemetry.NewMetrics(version)}
	var err error
	if a.docs, err = openDocuments(ctx, c); err != nil {
		return nil, err
	}
	a.Store = store.New(a.docs, store.Options{})
	if a.Blob, err = openBlob(ctx, c); err != nil {
		return nil, errors.Join(err, a.Store.Close())
	}
	a.clients()
	a.measure()
	return a, nil
}

// clients makes the clients of everything outside; none of them asks anything yet.
func (a *App) clients() {
	c := a.Config
	plain := httpx.New(httpx.Options{Timeout: 15 * time.Second})
	a.Feed = apifootball.New(apifootball.Options{BaseURL: c.Feed.URL, Key: c.Feed.Key}, plain)
	a.sources = a.searcher()
	a.Source = a.sources
	a.Fetcher = a.fetcher()
	a.Media = media.New(media.Options{FFmpeg: c.Program.FFmpeg, FFprobe: c.Program.FFprobe})
	var picker port.Picker
	if c.Model.URL != "" {
		a.Model = llm.New(llm.Options{URL: c.Model.URL, Model: c.Model.Name, APIKey: c.Model.APIKey, Slots: c.Model.Slots}, a.timed("model", httpx.New(httpx.Options{})))
		a.Reader = vision.New(vision.Options{}, a.Model)
		picker = llm.Picker{Client: a.Model}
	}
	a.Aliases, a.Names = AliasResolvers(c, picker)
}

// AliasResolvers are Wikidata and the curated names that serve where it does not. picker may be nil.
func AliasResolvers(c config.Config, picker port.Picker) (resolver, names port.Resolver) {
	client := httpx.New(httpx.Options{Timeout: 15 * time.Second})
	names = static.New()
	return wikidata.New(wikidata.Options{BaseURL: c.Search.WikidataURL, Curated: names}, client, picker), names
}

// Close closes what New opened.
func (a *App) Close() error { return a.Store.Close() }

func openStore(ctx context.Context, c config.Config) (store.Store, error) {
	b, err := openDocuments(ctx, c)
	if err != nil {
		return nil, err
	}
	return store.New(b, store.Options{}), nil
}

func openDocuments(ctx context.Context, c config.Config) (store.Backend, error) {
	if c.State.MongoURI != "" {
		b, err := mongo.Open(ctx, c.State.MongoURI, c.State.MongoDB)
		if err != nil {
			return nil, footy.Errorf(footy.CodeUnavailable, "open database", "%s; start it, correct MONGODB_URI, or unset it to use the embedded database", firstReason(err))
		}
		return b, nil
	}
	if err := os.MkdirAll(c.State.Dir, 0o755); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, "open the state directory", "%w; choose another with STATE_DIR", err)
	}
	return openFile(databaseFile(c))
}

// databaseFile is the embedded database.
func databaseFile(c config.Config) string { return filepath.Join(c.State.Dir, "footy.db") }

func openFile(path string) (store.Backend, error) { return sqlite.Open(path, sqlite.Options{}) }

func openBlob(ctx context.Context, c config.Config) (blob.Store, error) {
	if c.S3.Endpoint == "" {
		return dir.Open(filepath.Join(c.State.Dir, "clips"))
	}
	b, err := s3.Open(ctx, s3.Options{Endpoint: c.S3.Endpoint, AccessKey: c.S3.AccessKey, SecretKey: c.S3.SecretKey,
		Bucket: c.S3.Bucket, Region: c.S3.Region, Secure: c.S3.Secure})
	if err != nil {
		return nil, footy.Errorf(footy.CodeOf(err), "open object store", "S3_ENDPOINT=%s: %s; start it, correct the S3_ settings, or unset S3_ENDPOINT to keep clips in a directory",
			c.S3.Endpoint, firstReason(err))
	}
	return b, nil
}

// fetcher may follow addresses that posts supply, so its client reaches allowed hosts only.
func (a *App) fetcher() source.Fetcher {
	c := a.Config
	hosts := append([]string{}, c.Media.Hosts...)
	if h := hostOf(c.Search.SyndicationURL); h != "" {
		hosts = append(hosts, h)
	}
	client := httpx.New(httpx.Options{Timeout: 90 * time.Second, AllowHosts: hosts, DenyPrivate: !c.Media.AllowPrivate})
	return xtweet.New(xtweet.Options{SyndicationURL: c.Search.SyndicationURL, AllowedHosts: c.Media.Hosts}, client)
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}

// mediaSlots is how many clips are decoded at once.
func (a *App) mediaSlots() int {
	if a.Config.Media.Slots > 0 {
		return a.Config.Media.Slots
	}
	return runtime.NumCPU()
}

// kinds turns the TRACK setting into kinds of events.
func kinds(names []string) []footy.Kind {
	known := map[string]footy.Kind{"goal": footy.KindGoal, "red_card": footy.KindRedCard, "yellow_card": footy.KindYellowCard,
		"var": footy.KindVAR, "missed_penalty": footy.KindMissedPenalty, "penalty": footy.KindPenalty}
	var out []footy.Kind
	for _, n := range names {
		if k, ok := known[strings.ToLower(strings.TrimSpace(n))]; ok {
			out = append(out, k)
		}
	}
	return out
}
