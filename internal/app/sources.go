package app

import (
	"context"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/network"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/source/xapi"
	"github.com/found-footy/found-footy/internal/source/xweb"
	"github.com/found-footy/found-footy/internal/xaccount"
)

// searchWithin is what one search may take; the activity's own limit is a minute.
const searchWithin = 55 * time.Second

// searcher makes the sources that SOURCES names, in its order. The search service of this machine takes part from the
// moment that somebody has logged in to X here, so an export of cookies needs no restart.
func (a *App) searcher() source.Source {
	c := a.Config.Search
	if c.ServiceURL != "" {
		return a.chain(SearchService(c.ServiceURL))
	}
	if !slices.Contains(c.Sources, "xweb") {
		return a.chain(nil)
	}
	return optionalService{with: a.chain(SearchService("http://" + network.Reachable(a.Config.Browser.Addr))), without: a.chain(nil), hasAccount: a.hasAccount}
}

// SearchService is the client of the search service at url.
func SearchService(url string) source.Source {
	return xweb.New(xweb.Options{URL: url, Timeout: searchWithin}, httpx.New(httpx.Options{Timeout: searchWithin + 5*time.Second}))
}

// chain is the sources in their order; page is the one that searches X's page, nil if there is none.
func (a *App) chain(page source.Source) source.Source {
	c := a.Config.Search
	var in []source.Source
	for _, name := range c.Sources {
		switch {
		case name == "xweb" && page != nil:
			in = append(in, page)
		case name == "xapi" && c.BearerToken != "":
			in = append(in, xapi.New(xapi.Options{URL: c.APIURL, BearerToken: c.BearerToken, DailyCap: c.DailyCap,
				Ledger: a.ledger(), Timeout: 20 * time.Second}, httpx.New(httpx.Options{Timeout: 30 * time.Second})))
		}
	}
	if len(in) == 0 {
		return source.None{}
	}
	return source.NewChain(source.ChainDefaults(), in...)
}

// ledger is the one account of the day's spending; every chain of this process shares it.
func (a *App) ledger() xapi.Ledger {
	if a.spending == nil {
		a.spending = xapi.NewFile(xaccount.SpendingFile(a.Config))
	}
	return a.spending
}

// optionalService is a choice between two sources: with the search service of this machine, and without.
type optionalService struct {
	with, without source.Source
	hasAccount    func() bool
}

func (h optionalService) current() source.Source {
	if h.hasAccount() {
		return h.with
	}
	return h.without
}

// Name of the source.
func (h optionalService) Name() string { return h.current().Name() }

// Search implements source.Source.
func (h optionalService) Search(ctx context.Context, q source.Query) (source.Result, error) {
	return h.current().Search(ctx, q)
}

// Health implements source.Source.
func (h optionalService) Health(ctx context.Context) (source.Health, error) {
	return h.current().Health(ctx)
}

// Each is the health of every source.
func (h optionalService) Each(ctx context.Context) []source.Named {
	return source.Each(ctx, h.current())
}

// Canary implements source.Prober.
func (h optionalService) Canary(ctx context.Context) (source.Canary, error) {
	if p, ok := h.current().(source.Prober); ok {
		return p.Canary(ctx)
	}
	return source.Canary{}, source.ErrNoCanary
}
