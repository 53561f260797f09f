package app

import (
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi"
	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
	"github.com/found-footy/found-footy/internal/run/state"
)

// searchWithin is what one search may take; the activity's own limit is a minute.
const searchWithin = 55 * time.Second

// searcher makes the sources: those of X, and beside them Reddit.
func (a *App) searcher() source.Source {
	a.reddit = a.redditSource()
	return a.BesideReddit(a.searcherOfX())
}

// BesideReddit adds Reddit to a source, where it is asked.
func (a *App) BesideReddit(main source.Source) source.Source {
	if a.reddit == nil {
		return main
	}
	return source.NewBeside(main, a.reddit)
}

// redditSource is Reddit with the app or the address of the settings, else its public list, with the archive as its second door; nil where the settings leave it out.
func (a *App) redditSource() *reddit.Source {
	c := a.Config.Reddit
	if a.hosts, a.hostsErr = hosts.Load(a.Config.State.Dir); a.hostsErr != nil || !a.Config.RedditOn() {
		return nil
	}
	user, token := c.Own()
	return reddit.New(reddit.Options{ClientID: c.ClientID, Secret: c.Secret, FeedUser: user, FeedToken: token, Subreddits: c.Subreddits, URL: c.Base(), APIURL: c.APIURL, VideoURL: c.VideoURL, ArchiveURL: c.SecondDoor(),
		Version: a.Version, Every: time.Minute / time.Duration(max(a.Config.Track.TimeScale, 1)),
		Table: a.hosts, Ledger: state.Hosts{Store: a.Store, Log: a.Log}, HostsURL: c.HostsURL, Private: a.Config.Media.AllowPrivate, AddSound: a.Media.AddSound, TempDir: a.tempDir}, httpx.New(httpx.Options{Timeout: 20 * time.Second}))
}

// tempDir is the worker's, which the next start clears if this process is killed; "" before one runs.
func (a *App) tempDir() string {
	if w := a.worker.Load(); w != nil {
		return w.temp.Path
	}
	return ""
}

// searcherOfX makes the sources that SOURCES names, in its order. The search service of this machine takes part from the
// moment that a person has logged in to X here, so an export of cookies needs no restart.
func (a *App) searcherOfX() source.Source {
	c := a.Config.Search
	if c.ServiceURL != "" {
		return a.chain(SearchService(c.ServiceURL, c.ServiceToken))
	}
	return a.chain(source.While{Source: SearchService("http://"+network.Reachable(a.Config.Browser.Addr), c.ServiceToken), Is: a.hasAccount})
}

// SearchService is the client of the search service at url, which may ask for a token.
func SearchService(url, token string) source.Source {
	return xweb.New(xweb.Options{URL: url, Token: token, Timeout: searchWithin}, httpx.New(httpx.Options{Timeout: searchWithin + 5*time.Second}))
}

// chain is the sources in their order; page is the one that searches X's page.
func (a *App) chain(page source.Source) source.Source {
	c := a.Config.Search
	var in []source.Source
	for _, name := range c.Sources {
		switch {
		case name == "xweb":
			in = append(in, page)
		case name == "xapi" && c.BearerToken != "":
			in = append(in, a.paidAPI())
		}
	}
	return source.NewChain(source.ChainOptions{}, in...)
}

// paidAPI is the paid API; nil if SOURCES leaves it out or there is no token for it.
func (a *App) paidAPI() source.Source {
	c := a.Config.Search
	if c.BearerToken == "" || !slices.Contains(c.Sources, "xapi") {
		return nil
	}
	return xapi.New(xapi.Options{URL: c.APIURL, BearerToken: c.BearerToken, DailyCap: c.DailyCap,
		Ledger: state.Spending{Store: a.Store}, Timeout: 20 * time.Second}, httpx.New(httpx.Options{Timeout: 30 * time.Second}))
}
