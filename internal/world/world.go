// Package world is everything outside the product, simulated: feed, search, videos, Wikidata and model, on one loopback server.
package world

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/film/clip"
	"github.com/found-footy/found-footy/internal/world/film/crest"
	"github.com/found-footy/found-footy/internal/world/film/draw"
	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/cdn"
	"github.com/found-footy/found-footy/internal/world/serve/cdn/host"
	"github.com/found-footy/found-footy/internal/world/serve/football"
	"github.com/found-footy/found-footy/internal/world/serve/model"
	"github.com/found-footy/found-footy/internal/world/serve/reddit"
	"github.com/found-footy/found-footy/internal/world/serve/search"
	"github.com/found-footy/found-footy/internal/world/serve/search/paid"
	"github.com/found-footy/found-footy/internal/world/serve/wikidata"
)

// Options say which day to play, where its clips are cached, how fast it runs and where its clock is kept.
type Options struct {
	Script   *script.Script // nil = the embedded Saturday
	ClipDir  string
	Scale    float64 // 1 to 30; 0 = 30. A day that goes on keeps the scale it began with.
	StateDir string  // "" = nothing survives
	Addr     string  // "" = a free loopback port
	Listener net.Listener
	Control  string // address of the switches, on loopback; "" = a free port
}

// RedditApp and RedditSecret are the app with which the simulated Reddit may be asked, RedditUser and RedditToken an account's RSS.
const (
	RedditApp    = reddit.App
	RedditSecret = reddit.Secret
	RedditUser   = reddit.User
	RedditToken  = reddit.Token
)

// World is one running simulated day.
type World struct {
	opts   Options
	day    *day.Day
	posts  *post.Catalog
	panel  *fault.Panel
	bills  *paid.Account
	server *http.Server
	url    string

	switches   *http.Server
	controlURL string
}

// New prepares a day; nothing runs and no time passes before Start.
func New(opts Options) (*World, error) {
	if opts.Script == nil {
		opts.Script = script.Default()
	}
	opts.Scale = cmp.Or(opts.Scale, 30)
	if opts.Scale < 1 || opts.Scale > 30 {
		return nil, fmt.Errorf("world: scale %g is not between 1 and 30", opts.Scale)
	}
	if opts.ClipDir == "" {
		return nil, errors.New("world: no clip directory")
	}
	return &World{opts: opts}, nil
}

// Draw draws the day's clips that the cache lacks; progress may be nil.
func Draw(ctx context.Context, opts Options, progress func(done, total int)) error {
	w, err := New(opts)
	if err != nil {
		return err
	}
	return draw.All(ctx, w.opts.ClipDir, clip.Needed(w.opts.Script), progress)
}

// Undrawn counts the clips Draw would have to draw.
func Undrawn(opts Options) (int, error) {
	w, err := New(opts)
	if err != nil {
		return 0, err
	}
	return len(draw.Missing(w.opts.ClipDir, clip.Needed(w.opts.Script))), nil
}

// Start begins or continues the day and serves it until ctx ends or Close is called.
func (w *World) Start(ctx context.Context) error {
	l := w.opts.Listener
	if l == nil {
		var err error
		if l, err = listen(ctx, w.opts.Addr); err != nil {
			return err
		}
	}
	d, err := day.Open(w.opts.StateDir, w.opts.Scale, w.opts.Script.Begins())
	if err != nil {
		l.Close()
		return err
	}
	w.day, w.posts, w.url = d, post.NewCatalog(w.opts.Script, d), "http://"+reachable(l.Addr())
	w.panel = fault.NewPanel(w.opts.Script.Modes, d.Minutes, d.Scale())
	w.panel.Clips = w.hasClip
	w.bills = &paid.Account{Wants: w.wantsMoney}
	if err := w.control(ctx); err != nil {
		l.Close()
		return err
	}
	w.server = &http.Server{Handler: w.routes(), ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	go func() { _ = w.server.Serve(l) }() // always ends with ErrServerClosed
	context.AfterFunc(ctx, func() { _ = w.server.Close() })
	return nil
}

// CheckAddresses says whether a world could be served where opts say.
func CheckAddresses(ctx context.Context, opts Options) error {
	if opts.Listener == nil {
		l, err := listen(ctx, opts.Addr)
		if err != nil {
			return err
		}
		defer l.Close()
	}
	l, err := listenControl(ctx, opts.Control)
	if err != nil {
		return err
	}
	return l.Close()
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	addr = cmp.Or(addr, "127.0.0.1:0")
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, fmt.Errorf("world: the address %q is not HOST:PORT; write it like 127.0.0.1:8100", addr)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("world: listen on %s: %w", addr, err)
	}
	return l, nil
}

// reachable is an address that can be asked: one that stands for all of this machine's is no host to ask.
func reachable(a net.Addr) string {
	if t, ok := a.(*net.TCPAddr); ok && t.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(t.Port))
	}
	return a.String()
}

func (w *World) routes() http.Handler {
	s := w.opts.Script
	board := fault.NewBoard("football", "pictures", "search", "cdn", "wikidata", "llm", "x", "reddit", "hosts")
	mux := http.NewServeMux()
	mount := func(prefix, service string, h http.Handler) {
		mux.Handle(prefix+"/", http.StripPrefix(prefix, board.Wrap(service, h)))
	}
	matches := football.New(s, w.day).PicturesAt(w.url + "/pictures").Under(w.panel)
	mount("/football", "football", w.feedDown(matches))
	mount("/espn", "football", w.feedDown(football.Scoreboard{Server: matches}))
	mount("/pictures", "pictures", crest.Server())
	mount("/x-search", "search", search.New(s, w.day, w.posts).Under(w.panel))
	mount("/x-api", "x", w.paidAPI())
	mount("/syndication", "cdn", cdn.NewLookup(w.posts, w.opts.ClipDir).Under(w.panel))
	videos := cdn.NewVideos(w.posts, w.opts.ClipDir).Under(w.panel)
	mount("/video", "cdn", videos)
	mount("/wikidata", "wikidata", wikidata.New(s))
	mount("/llm", "llm", model.New(s.Model).Under(w.panel, w.shows))
	mount("/reddit", "reddit", reddit.New(w.posts, videos, w.day.Scale(), w.url+"/reddit").Under(w.panel))
	mount("/hosts", "hosts", host.New(w.posts, videos, w.panel, w.day.Scale()))
	mux.Handle("/x/", board.Wrap("x", w.site()))
	mux.HandleFunc("GET /world/cookies", func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write(w.Cookies()) })
	mux.Handle("POST /world/faults", board)
	mux.HandleFunc("GET /world/status", w.status)
	return mux
}

// Status is where the day stands.
type Status struct {
	StartedAt      time.Time   `json:"started_at"`
	Scale          float64     `json:"scale"`
	ProductMinutes float64     `json:"product_minutes"`
	EndMinutes     float64     `json:"end_minutes"`
	Posts          int         `json:"posts"`
	PostsDue       int         `json:"posts_due"`
	Polls          map[int]int `json:"polls"`
}

// Status is the day as it is now.
func (w *World) Status() Status {
	return Status{w.day.Start(), w.day.Scale(), w.day.Minutes(), w.opts.Script.End(), len(w.posts.All()),
		w.posts.Due(time.Now()), w.day.Polls()}
}

func (w *World) status(rw http.ResponseWriter, _ *http.Request) {
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(w.Status()) // the client went away: nobody to tell
}

// URL is the base under which every service has its path.
func (w *World) URL() string { return w.url }

// Script is the day being played.
func (w *World) Script() *script.Script { return w.opts.Script }

// Posts lists the day's posts with their ids, for tests and for explaining a result.
func (w *World) Posts() []post.Post { return w.posts.All() }

// Close stops serving. The day's clock runs on.
func (w *World) Close() error {
	if w.server == nil {
		return nil
	}
	_ = w.switches.Close() // the services matter
	return w.server.Close()
}
