package app

import (
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/state"
	"go.temporal.io/sdk/client"
)

// core is what this process lends to extras.
func (a *App) core() port.Core {
	return port.Core{Config: a.Config, Version: a.Version, Log: a.Log, Store: a.Store, Docs: a.Docs, Blob: a.Blob, Media: a.Media, PageURL: a.pageURL(),
		Remade: port.Remade(a.Extras), Room: state.Room(a.Config), Chosen: a.choose}
}

// looks are those of the extras.
func (a *App) looks() (out []check.Look) {
	for _, e := range a.Extras {
		if e.Looks != nil {
			out = append(out, e.Looks(a.core())...)
		}
	}
	return out
}

// parts are what the extras add to a worker.
func (a *App) parts(c client.Client, page footy.Publisher, d port.Duty) (out []pipeline.Part, err error) {
	core := a.core()
	core.Temporal, core.Page = c, page
	for _, e := range a.Extras {
		if e.Worker == nil {
			continue
		}
		p, err := e.Worker(core, d)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}
