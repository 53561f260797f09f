package browser

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/found-footy/found-footy/internal/browser/scan"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/source"
)

// Search makes one search, or uses one that another goal of the match has just paid for. An error means that the service
// could not look at all; what X answers is a state.
func (s *Service) Search(ctx context.Context, q source.Query) (source.Result, error) {
	if strings.TrimSpace(q.Text) == "" {
		return source.Result{}, footy.Errorf(footy.CodeInvalid, "search posts", "empty query")
	}
	if shared, ok := s.shared(q); ok {
		return shared, nil
	}
	if res, ok := s.ready(ctx); !ok {
		return s.counted(res), nil
	}
	select {
	case s.tabs <- struct{}{}:
		defer func() { <-s.tabs }()
	case <-ctx.Done():
		return source.Result{}, footy.Wrap(footy.CodeUnavailable, "wait for a tab", ctx.Err())
	}
	if shared, ok := s.shared(q); ok { // paid for while this one waited
		return shared, nil
	}
	asked, texts := q, []string{q.Text}
	if s.budget.State(s.opts.Now()).Tight() {
		asked, texts = s.desk.Merge(s.opts.Now(), q)
	}
	res, _, err := s.searchTwice(ctx, asked)
	if err != nil {
		return source.Result{}, err
	}
	s.desk.Put(s.opts.Now(), q, asked, texts, res)
	res.Candidates = source.Select(q, res.Candidates)
	return s.counted(res), nil
}

func (s *Service) shared(q source.Query) (source.Result, bool) {
	res, ok := s.desk.Answer(s.opts.Now(), q)
	if ok {
		s.counts.shared.Add(1)
	}
	return res, ok
}

func (s *Service) counted(r source.Result) source.Result {
	s.counts.search(r)
	return r
}

// searchTwice repeats a search whose browser died or hung under it: the goal must not lose it.
func (s *Service) searchTwice(ctx context.Context, q source.Query) (source.Result, answered, error) {
	const op = "search posts"
	calls := 0
	for again := true; ; again = false {
		c, err := s.browser()
		if errors.Is(err, errPlain) {
			return source.Result{State: source.StateLoginRequired, RetryAfter: s.opts.Recheck, Detail: errPlain.Err.Error(), CallsUsed: calls}, answered{}, nil
		}
		if err != nil {
			return source.Result{}, answered{}, err
		}
		res, first, err := s.searchOnce(ctx, c, q)
		calls += res.CallsUsed
		res.CallsUsed = calls
		switch {
		case err == nil:
			return res, first, nil
		case ctx.Err() != nil:
			return source.Result{}, first, footy.Wrap(footy.CodeUnavailable, op, ctx.Err())
		case !again || !c.gone(err):
			return source.Result{}, first, footy.Wrap(footy.CodeUnavailable, op, err)
		}
		s.opts.Log.Warn("a search is made again", "module", "browser", "action", "search", "query", q.Text, "error", err)
		if errors.Is(err, errHung) {
			c.stop()
		}
	}
}

func (s *Service) searchOnce(ctx context.Context, c *chrome, q source.Query) (source.Result, answered, error) {
	left := s.budget.State(s.opts.Now())
	if wait, ok := s.budget.Take(s.opts.Now()); !ok {
		return source.Result{State: source.StateRateLimited, RetryAfter: wait, Detail: "the budget of this window is used up"}, answered{}, nil
	}
	o := &one{s: s, scan: scan.New(q, left.Allowance(s.opts.Scrolls)), paid: 1}
	defer o.settle()
	u, err := url.Parse(s.opts.BaseURL)
	if err != nil {
		return source.Result{}, o.first, err
	}
	if o.t, err = c.open(ctx, u.Path, s.opts.SearchTimeout); err != nil {
		return source.Result{}, o.first, err
	}
	defer o.t.close()
	res, err := o.run(ctx, q.Text)
	res.CallsUsed = o.made
	if res.State.Usable() && !o.login {
		s.session.loggedIn("")
		s.keepCookies(ctx, c)
	}
	return res, o.first, err
}
