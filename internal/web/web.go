// Package web puts the web side together: pages for people, the API for programs, media as bytes, and the session that guards
// them. It reads the store and decides nothing; changes go through Commands.
package web

import (
	"cmp"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/blob"
	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/web/actions"
	"github.com/found-footy/found-footy/internal/web/api"
	"github.com/found-footy/found-footy/internal/web/cache"
	"github.com/found-footy/found-footy/internal/web/lookup"
	"github.com/found-footy/found-footy/internal/web/media"
	"github.com/found-footy/found-footy/internal/web/pages"
	"github.com/found-footy/found-footy/internal/web/session"
	"github.com/found-footy/found-footy/internal/web/stream"
)

// Options wire the server. Store and Blob are required.
type Options struct {
	Store         lookup.Store
	Blob          blob.Store
	Health        lookup.HealthSource // nil: the health page says that nothing is watched
	Commands      actions.Commands    // nil: read only, no admin actions
	Notifications pages.Notifications // nil: none are set up
	ModelTest     pages.ModelTest     // nil: no model is set up
	Logos         *media.Logos        // nil: drawn badges only
	AdminToken    string              // "" switches admin actions off
	NotifyToken   string              // "" refuses POST /api/v1/internal/notify
	BaseURL       string              // public address for share links, e.g. https://footy.example; "" = as requested
	Addr          string              // the listener's; on loopback without BaseURL only names of this machine are served
	NoEngine      bool                // Commands cannot start a search
	Now           func() time.Time
	Logger        *slog.Logger
	Observe       func(Observed) // nil: nobody counts
	Kept          time.Duration  // how long matches are kept; 14 days if 0
	Timing        explain.Timing // the engine's, for telling people what to expect
}

// Server is the web side.
type Server struct {
	opt   Options
	log   *slog.Logger
	hub   *stream.Hub
	site  session.Site
	pages *pages.Server
	api   *api.Server
	media *media.Server
}

const (
	answersKept = 96 // a day page of 200 fixtures is about half a megabyte
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
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{opt: opt, log: opt.Logger.With("module", "web"), hub: stream.NewHub(),
		site: session.Site{BaseURL: strings.TrimRight(opt.BaseURL, "/"), Addr: opt.Addr}}
	// Values also expire: with workers in other processes, announcements can get lost.
	reader := &lookup.Reader{Store: opt.Store, Health: opt.Health, Now: opt.Now, Kept: cmp.Or(opt.Kept, 14*24*time.Hour),
		Cache: cache.New(cache.Options{Limit: answersKept, Patience: buildTime, Now: time.Now, Generation: s.hub.Generation})}
	if opt.Logos != nil {
		reader.Learn = opt.Logos.LearnFrom
	}
	act := &actions.Actions{Commands: opt.Commands, NoEngine: opt.NoEngine, Reader: reader, Hub: s.hub, Log: s.log}
	operators := session.New(opt.AdminToken, opt.Now)
	s.media = &media.Server{Reader: reader, Blob: opt.Blob, Logos: opt.Logos}
	s.api = &api.Server{Reader: reader, Actions: act, Operators: operators, Site: s.site, Now: opt.Now}
	var err error
	s.pages, err = pages.New(pages.Options{Reader: reader, Actions: act, Operators: operators, Site: s.site, Hub: s.hub,
		Notifications: opt.Notifications, ModelTest: opt.ModelTest, Timing: opt.Timing, Now: opt.Now, Log: s.log})
	return s, err
}

// Hub is where changes are announced.
func (s *Server) Hub() *stream.Hub { return s.hub }

// Close ends all live streams, so that an http.Server can shut down.
func (s *Server) Close() { s.hub.Close() }

// Handler is the whole web side.
func (s *Server) Handler() http.Handler {
	return s.recovered(s.site.Guard(s.observe(s.routes()), s.fail))
}
