package browser

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// Search makes one search, or uses one that another goal of the match has just paid for. An error means that the service
// could not look at all; what X answers is a state.
func (s *Service) Search(ctx context.Context, q source.Query) (source.Result, error) {
	if strings.TrimSpace(q.Text) == "" {
		return source.Result{}, footy.Errorf(footy.CodeInvalid, "search posts", "empty query")
	}
	if shared, ok := s.quota.Answered(s.opts.Now(), q); ok {
		return shared, nil
	}
	if !s.quota.Spares(s.opts.Now(), q) {
		return source.Result{State: source.StateNotNow, Detail: "the calls are kept for goals that are certain"}, nil
	}
	if res, ok := s.ready(ctx); !ok {
		return res, nil
	}
	busy := time.NewTimer(s.opts.TabWait)
	defer busy.Stop()
	select {
	case s.tabs <- struct{}{}:
		defer func() { <-s.tabs }()
	case <-busy.C: // whoever asks waits better elsewhere, in the order of what matters most
		return source.Result{State: source.StateRateLimited, RetryAfter: s.opts.TabWait, Detail: "every tab has a search under way"}, nil
	case <-ctx.Done():
		return source.Result{}, footy.Wrap(footy.CodeUnavailable, "wait for a tab", ctx.Err())
	}
	if shared, ok := s.quota.Answered(s.opts.Now(), q); ok { // paid for while this one waited
		return shared, nil
	}
	order := s.quota.Widen(s.opts.Now(), q)
	res, _, err := s.searchWithRetry(ctx, order)
	if err != nil {
		return source.Result{}, err
	}
	return s.quota.Deliver(s.opts.Now(), order, res), nil
}

// searchWithRetry repeats a search whose browser died or hung under it: the goal must not lose it.
func (s *Service) searchWithRetry(ctx context.Context, q quota.Request) (source.Result, firstAnswer, error) {
	const op = "search posts"
	calls := 0
	for again := true; ; again = false {
		c, err := s.browser()
		if errors.Is(err, errManual) {
			return source.Result{State: source.StateLoginRequired, RetryAfter: s.opts.Recheck, Detail: errManual.Err.Error(), CallsUsed: calls}, firstAnswer{}, nil
		}
		if err != nil {
			return source.Result{}, firstAnswer{}, err
		}
		res, first, err := s.searchOnce(ctx, c, q)
		calls += res.CallsUsed
		res.CallsUsed = calls
		if errors.Is(err, errHung) {
			c.stop()
		}
		switch {
		case err == nil:
			return res, first, nil
		case ctx.Err() != nil:
			return source.Result{}, first, footy.Wrap(footy.CodeUnavailable, op, ctx.Err())
		case !again || !c.browserFailed(err):
			return source.Result{}, first, footy.Wrap(footy.CodeUnavailable, op, err)
		}
		s.opts.Log.Warn("a search is made again", "module", "browser", "action", "search", "query", q.Query.Text, "error", err)
	}
}

func (s *Service) searchOnce(ctx context.Context, c *chrome, q quota.Request) (source.Result, firstAnswer, error) {
	found, wait := s.quota.Begin(s.opts.Now(), q)
	if found == nil {
		return source.Result{State: source.StateRateLimited, RetryAfter: wait, Detail: "the budget of this window is used up"}, firstAnswer{}, nil
	}
	o := &searchRun{s: s, scan: found, reserved: 1}
	defer o.refundUnused()
	u, err := url.Parse(s.opts.BaseURL)
	if err != nil {
		return source.Result{}, o.first, err
	}
	if o.t, err = c.open(ctx, u.Path, s.opts.SearchTimeout); err != nil {
		return source.Result{}, o.first, err
	}
	defer o.t.close()
	res, err := o.run(ctx, q.Query.Text)
	res.CallsUsed = o.sent
	if res.State.Usable() && !o.loginAsked {
		s.happened(account.Event{Kind: account.Looked, Login: source.LoginOK})
		s.keepCookies(ctx, c)
	}
	return res, o.first, err
}
