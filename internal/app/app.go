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
	noBlob     error         // why Blob could not be reached when it was opened; nil: it was
	sources    source.Source // as they are; Source may have a meter around it
	spending   xapi.Ledger
	hasAccount func() bool
	searches   net.Listener // where the search service is to listen; nil: as the settings say

	claim *claim // of the state directory, when its engine is ours to look after
}

// New opens state and clips and makes the clients of everything outside; nothing is asked over the network yet,
// except of a database or object store that is not embedded. An object store that does not answer is no reason to refuse:
// the feed would stop with it.
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
	if a.Blob, a.noBlob, err = reachBlob(ctx, c); err != nil {
		return nil, errors.Join(err, a.Store.Close())
	}
	if a.noBlob != nil { // as in an outage later: matches are followed, and what needs clips waits
		log.Warn("the clip storage does not answer; clips wait for it: "+Plain(a.noBlob), "module", "app", "action", "start")
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

// restoreMarker is the file in STATE_DIR that says a restore began and did not end. What is there then may be empty.
func restoreMarker(c config.Config) string { return filepath.Join(c.State.Dir, "restore-unfinished") }

// openDocuments opens the database, unless a restore into it was interrupted.
func openDocuments(ctx context.Context, c config.Config) (store.Backend, error) {
	if _, err := os.Lstat(restoreMarker(c)); err == nil {
		return nil, footy.Errorf(footy.CodeConflict, "open the state", "a restore into STATE_DIR=%s is under way or was interrupted; wait for it, or do it again: footy restore DIR --force", c.State.Dir)
	}
	return openAnyDocuments(ctx, c)
}

func openAnyDocuments(ctx context.Context, c config.Config) (store.Backend, error) {
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

// openBlob opens the clip storage and asks it: what does not answer is an error.
func openBlob(ctx context.Context, c config.Config) (blob.Store, error) {
	b, unanswered, err := reachBlob(ctx, c)
	if err == nil {
		err = unanswered
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// blobWithin is how long an object store may take to answer at start.
const blobWithin = 5 * time.Second

// reachBlob opens the clip storage. An object store that does not answer just now is told apart from wrong settings: it can
// be used as soon as it answers.
func reachBlob(ctx context.Context, c config.Config) (b blob.Store, unanswered, err error) {
	if c.S3.Endpoint == "" {
		b, err = dir.Open(filepath.Join(c.State.Dir, "clips"))
		return b, nil, err
	}
	const op = "open object store"
	wrong := func(err error) error {
		return footy.Errorf(footy.CodeOf(err), op, "S3_ENDPOINT=%s: %s; correct the S3_ settings", c.S3.Endpoint, firstReason(err))
	}
	s, err := s3.New(s3.Options{Endpoint: c.S3.Endpoint, AccessKey: c.S3.AccessKey, SecretKey: c.S3.SecretKey,
		Bucket: c.S3.Bucket, Region: c.S3.Region, Secure: c.S3.Secure})
	if err != nil {
		return nil, nil, wrong(err)
	}
	asking, cancel := context.WithTimeout(ctx, blobWithin)
	defer cancel()
	switch err := s.Connect(asking); {
	case err == nil:
		return s, nil, nil
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case footy.CodeOf(err) != footy.CodeUnavailable && footy.CodeOf(err) != footy.CodeRateLimited:
		return nil, nil, wrong(err)
	default:
		return s, footy.Errorf(footy.CodeUnavailable, op, "S3_ENDPOINT=%s does not answer (%s); start it, or correct S3_ENDPOINT", c.S3.Endpoint, firstReason(err)), nil
	}
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
	var out []footy.Kind
	for _, n := range names {
		if k, ok := footy.KindNamed(n); ok {
			out = append(out, k)
		}
	}
	return out
}
