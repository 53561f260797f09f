package push

import (
	"context"
	"embed"
	"html/template"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/limit"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

// Extra is what push adds: a bell on each page, an API for it, and a teller.
func Extra() port.Extra {
	return port.Extra{Name: "push", Settings: &config.Group{Title: "Notifications of browsers", New: func() any { return &Settings{} }}, Page: page}
}

// Settings is what push lets people set.
type Settings struct {
	Hosts []string `env:"PUSH_HOSTS" test:"true" envDefault:"fcm.googleapis.com,jmt17.google.com,.push.services.mozilla.com,.push.apple.com,.notify.windows.com" doc:"Push services of browsers; a name with a dot before it stands for all below it. Others are refused." like:"fcm.googleapis.com,.push.apple.com"`
}

// page makes the service of a process with a page; no device is notified before one asks for it.
func page(c port.Core, lent web.Lent) (web.Part, error) {
	s := New(Options{Store: c.Store, Hosts: config.Own[Settings](c.Config).Hosts, Local: c.Config.Media.AllowPrivate, Site: c.Config.Web.PublicURL,
		Lead: c.Hold, Now: time.Now, Log: c.Log})
	return s.Part(lent)
}

//go:embed templates assets
var files embed.FS

//go:embed worker.js
var worker string

//go:embed openapi.json
var document []byte

// Part is what the service adds to the page.
func (s *Service) Part(lent web.Lent) (web.Part, error) {
	pages, err := lent.Frame.Add(files)
	show := func(name string) func(*http.Request, frame.Of) (template.HTML, error) {
		return func(_ *http.Request, of frame.Of) (template.HTML, error) { return pages.HTML(of.Language, name, nil) }
	}
	return web.Part{
		Routes: s.routes(lent.Visitor), API: document, Worker: worker,
		Sections: []frame.Section{{At: frame.Bar, Show: show("bell")}, {At: frame.Foot, Show: show("push")}, {At: frame.Settings, Show: show("wishes")}},
		Tellers:  []teller.Teller{{Name: "push", SendNew: s.SendNew}},
	}, err
}

// routes are for browsers that want to be notified; visitor names who asks.
func (s *Service) routes(visitor func(*http.Request) string) []web.Route {
	return []web.Route{
		{Pattern: "GET /api/v1/push", Handle: s.giveKey, Cost: limit.Cached},
		{Pattern: "POST /api/v1/push/device", Cost: limit.Cached, Handle: func(w http.ResponseWriter, r *http.Request) error {
			var in struct {
				Subscription
				Wish     *Wish  `json:"wish"`
				Replaces string `json:"replaces"`
			}
			return accept(w, r, &in, func() error { return s.Keep(r.Context(), in.Subscription, in.Wish, in.Replaces, visitor(r)) })
		}},
		// To know its address is to be the device.
		{Pattern: "POST /api/v1/push/forget", Handle: onDevice(s.Forget), Cost: limit.Cached},
		{Pattern: "POST /api/v1/push/test", Handle: onDevice(s.Test), Cost: limit.Cached},
	}
}

func (s *Service) giveKey(w http.ResponseWriter, r *http.Request) error {
	k, err := s.vapid(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return answer.JSON(w, r, http.StatusOK, map[string]string{"key": k.Public})
}

func onDevice(do func(context.Context, string) error) answer.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var in struct {
			Endpoint string `json:"endpoint"`
		}
		return accept(w, r, &in, func() error { return do(r.Context(), in.Endpoint) })
	}
}

func accept(w http.ResponseWriter, r *http.Request, in any, do func() error) error {
	if err := answer.ReadBody(r, false, in); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return answer.JSON(w, r, http.StatusOK, map[string]bool{"accepted": true})
}
