// Package web puts the web side together: pages for people, the API for programs, media as bytes, and the session that guards
// them. It reads the store and decides nothing; changes go through Commands.
package web

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/found-footy/found-footy/internal/tell/web/actions"
	"github.com/found-footy/found-footy/internal/tell/web/answer/cache"
	"github.com/found-footy/found-footy/internal/tell/web/api"
	"github.com/found-footy/found-footy/internal/tell/web/limit"
	"github.com/found-footy/found-footy/internal/tell/web/lookup"
	"github.com/found-footy/found-footy/internal/tell/web/media"
	"github.com/found-footy/found-footy/internal/tell/web/pages"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
	"github.com/found-footy/found-footy/internal/tell/web/session"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// Options wire the server. Store and Blob are required.
type Options struct {
	Store         store.Store
	Blob          blob.Store
	Hub           *stream.Hub         // where changes are announced; nil: one of its own
	Health        lookup.HealthSource // nil: the health page says that nothing is watched
	Commands      actions.Commands    // nil: read only, no admin actions
	Notifications []teller.Teller     // what can be tried
	Parts         []func(Lent) (Part, error)
	Setup         pages.Setup      // nil: this process changes no settings
	Door          *session.Door    // of Setup; nil: one whose code is not shown
	Logos         *media.Logos     // nil: drawn badges only
	Elsewhere     *media.Elsewhere // nil: clips come from the page itself
	AdminToken    string           // "" switches admin actions off
	BaseURL       string           // public address for share links, e.g. https://footy.example; "" = as requested
	Addr          string           // the listener's; on loopback no bare address of others is served
	Hosts         []string         // names the page answers to, beside that of BaseURL and those of this machine
	Proxies       []netip.Prefix   // reverse proxies that are believed whose request they pass on
	NoEngine      bool             // Commands cannot start a search
	Now           func() time.Time
	Logger        *slog.Logger
	Observe       func(route string, status int, took time.Duration) // of each answer; nil: none is counted
	Kept          time.Duration                                      // how long matches are kept; 14 days if 0
	Objective     stats.Objective                                    // of coverage; zero: none is set
	Timing        explain.Timing                                     // the engine's, for telling people what to expect
}

// Server is the web side.
type Server struct {
	opt    Options
	log    *slog.Logger
	hub    *stream.Hub
	site   session.Site
	frame  *frame.Frame
	added  []Route // of parts
	tells  []teller.Teller
	routed http.Handler
	cost   func(*http.Request) limit.Cost
	pages  *pages.Server
	api    *api.Server
	media  *media.Server
	limit  *limit.Limits
	reader *lookup.Reader

	unready atomic.Bool // as the last probe found
}

const (
	recentKept  = 2048 // some words each
	answersKept = 96   // a day page of 200 fixtures is about half a megabyte
	buildTime   = 20 * time.Second
)

// New checks the options and puts the parts together.
func New(opt Options) (*Server, error) {
	if opt.Store == nil || opt.Blob == nil {
		return nil, footy.Errorf(footy.CodeInvalid, "make web server", "Store and Blob are required")
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	opt.Logger, opt.Door, opt.Hub = cmp.Or(opt.Logger, slog.New(slog.DiscardHandler)), cmp.Or(opt.Door, session.NewDoor()), cmp.Or(opt.Hub, stream.NewHub())
	s := &Server{opt: opt, log: opt.Logger.With("module", "web"), hub: opt.Hub,
		site: session.Site{BaseURL: strings.TrimRight(opt.BaseURL, "/"), Addr: opt.Addr, Hosts: opt.Hosts}}
	if opt.Elsewhere != nil {
		s.site.ClipsFrom = opt.Elsewhere.Origin
	}
	// Values also expire: with workers in other processes, announcements can get lost.
	reader := &lookup.Reader{Store: lookup.Counting(opt.Store, opt.Now, opt.Timing.Minute), Health: opt.Health, Now: opt.Now, Aim: opt.Objective, Kept: cmp.Or(opt.Kept, 14*24*time.Hour), Blob: opt.Blob,
		Cache: cache.New(cache.Options{Limit: answersKept, Patience: buildTime, Now: time.Now, Generation: s.hub.Generation})}
	reader.Recent = cache.New(cache.Options{Limit: recentKept, Patience: buildTime, Now: opt.Now})
	if opt.Logos != nil {
		reader.Learn = opt.Logos.LearnFrom
	}
	act := &actions.Actions{Commands: opt.Commands, NoEngine: opt.NoEngine, Reader: reader, Hub: s.hub, Log: s.log}
	s.reader = reader
	operators := session.New(opt.AdminToken, opt.Now)
	bounds := limit.Defaults()
	var setsUp func(*http.Request) bool
	if opt.Setup != nil {
		bounds.SetupBody, setsUp = pages.SetupBody, func(r *http.Request) bool { return pages.MaySetUp(opt.Setup, opt.Door, operators, r) }
	}
	s.limit = limit.New(limit.Options{Bounds: bounds, Proxies: opt.Proxies, SignedIn: operators.SignedIn, LogIn: []string{"/admin/login", "/setup/code"}, SetsUp: setsUp, Now: time.Now, Observe: opt.Observe,
		Cost: func(r *http.Request) limit.Cost { return s.cost(r) }, Bearer: operators.Bearer})
	reader.Work = s.limit.Work
	s.media = &media.Server{Reader: reader, Logos: opt.Logos, Elsewhere: opt.Elsewhere}
	s.api = &api.Server{Reader: reader, Actions: act, Operators: operators, Site: s.site}
	var err error
	if s.frame, err = frame.New(frame.Options{Site: s.site, Operators: operators, Timing: opt.Timing, Now: opt.Now, Log: s.log}); err != nil {
		return nil, err
	}
	worker, err := s.add(opt.Parts, Lent{Reader: reader, Frame: s.frame, Media: s.media, Actions: act, Operators: operators, Visitor: s.limit.Visitor})
	if err != nil {
		return nil, err
	}
	s.pages, err = pages.New(pages.Options{Reader: reader, Actions: act, Operators: operators, Site: s.site, Frame: s.frame, AddedWorker: worker, Hub: s.hub,
		Notifications: opt.Notifications, Setup: opt.Setup, Door: opt.Door, Timing: opt.Timing, Now: opt.Now, Log: s.log})
	if err != nil {
		return nil, err
	}
	mux, costs := s.mux()
	s.cost = func(r *http.Request) limit.Cost { _, pattern := mux.Handler(r); return costs[pattern] }
	s.routed = s.routes(mux)
	return s, nil
}

// Tellers are those of the parts.
func (s *Server) Tellers() []teller.Teller { return s.tells }

// Close ends all live streams, so that an http.Server can shut down.
func (s *Server) Close() { s.hub.Close() }

// Handler is the whole web side.
func (s *Server) Handler() http.Handler {
	return s.site.Mount(s.recovered(s.limit.Guard(s.site.Guard(s.routed, s.fail))))
}

// HTTP serves h, which Handler may be a part of, within the limits of the page.
func (s *Server) HTTP(h http.Handler) *http.Server { return s.limit.Server(h) }

// Part is what an optional part of the product adds to the page.
type Part struct {
	Routes   []Route
	API      []byte // paths and schemas of the OpenAPI document
	Links    []frame.Link
	Sections []frame.Section
	Worker   string // script that goes behind sw.js
	Tellers  []teller.Teller
}

// Lent is what the page lends to a part.
type Lent struct {
	Reader    *lookup.Reader
	Frame     *frame.Frame
	Media     *media.Server
	Actions   *actions.Actions
	Operators *session.Operators
	Visitor   func(*http.Request) string // names who asks, as the limits count them
}

// add takes in the parts; worker is what their scripts add to the service worker.
func (s *Server) add(parts []func(Lent) (Part, error), lent Lent) (worker string, err error) {
	var described [][]byte
	for _, made := range parts {
		p, err := made(lent)
		if err != nil {
			return "", err
		}
		if p.API != nil {
			described = append(described, p.API)
		}
		s.added = append(s.added, p.Routes...)
		s.frame.Put(p.Links, p.Sections)
		s.tells = append(s.tells, p.Tellers...)
		worker += p.Worker
	}
	return worker, s.api.Describe(described...)
}
