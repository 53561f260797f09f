package push

import (
	"embed"
	"html/template"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/teller"
	"github.com/found-footy/found-footy/internal/tell/web"
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
		Sections: []frame.Section{{At: frame.Bar, Show: show("bell")}, {At: frame.Foot, Show: show("push")}},
		Tellers:  []teller.Teller{{Name: "push", SendNew: s.SendNew}},
	}, err
}
