package app

import (
	"context"
	"log/slog"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// searcher reports to the other processes, and to the log, whether this browser takes searches.
type searcher struct {
	service *browser.Service
	store   store.State
	log     *slog.Logger
	name    string // of this browser among all

	told      source.Searcher
	spentSaid time.Time // when the log said last that the budget is spent
}

// searcherName is this machine and the address of the search service on it.
func searcherName(addr string) string {
	host, err := os.Hostname()
	if err != nil {
		return addr
	}
	return host + " " + addr
}

// run reports until ctx ends, at once when it changes.
func (s *searcher) run(ctx context.Context) {
	for ok := true; ok; ok = network.Pause(ctx, time.Second) == nil {
		s.tell(ctx, time.Now())
	}
}

func (s *searcher) tell(ctx context.Context, now time.Time) {
	st := s.service.Status()
	is := source.Searcher{Name: s.name, At: now, Tabs: st.Tabs, Waits: s.service.Waits(), Health: xweb.HealthOf(st)}
	first := s.told.At.IsZero()
	changed := first || is.Waits != s.told.Waits
	if !changed && now.Sub(s.told.At) < source.SearcherEvery {
		return
	}
	_, err := store.ChangeState(ctx, s.store, source.SearchersKey, func(all *source.Searchers) error {
		*all = all.Put(is)
		return nil
	})
	if err != nil {
		return // again in a second
	}
	if changed {
		s.say(is, first, now)
	}
	s.told = is
}

// budgetSaidEvery is how often the log says that the budget is spent: then each call that comes back is spent at once.
const budgetSaidEvery = 15 * time.Minute

// say logs why no searches are taken, and that they are again.
func (s *searcher) say(is source.Searcher, first bool, now time.Time) {
	switch {
	case is.Waits == "" && (first || s.told.Waits != source.StateRateLimited):
		s.log.Info("takes searches: logged in to X", "action", "search", "account", is.Health.Account)
	case is.Waits == source.StateRateLimited && now.Sub(s.spentSaid) >= budgetSaidEvery:
		s.spentSaid = now
		s.log.Info("takes no searches while the budget of its account is spent", "action", "search", "next_call", is.Health.BudgetResets.UTC().Format(time.TimeOnly))
	case is.Waits == source.StateLoginRequired:
		s.log.Warn("takes no searches: X wants a login: "+is.Health.Detail, "action", "search", "remedy", "docs/x-login.md")
	case is.Waits == source.StateUpstreamError && is.Health.Detail != "":
		s.log.Warn("takes no searches: whether X lets us in could not be checked: "+is.Health.Detail, "action", "search")
	}
}

// leave says that this browser takes no more searches.
func (s *searcher) leave(ctx context.Context) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseWithin)
	defer cancel()
	_, err := store.ChangeState(last, s.store, source.SearchersKey, func(all *source.Searchers) error {
		delete(*all, s.name)
		return nil
	})
	if err != nil {
		s.log.Debug("not signed off: "+footy.UserMessage(err), "action", "search")
	}
}
