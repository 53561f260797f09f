package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"

	"github.com/found-footy/found-footy/internal/browser/budget"
	"github.com/found-footy/found-footy/internal/browser/scan"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/source/timeline"
)

// Search makes one search, or uses one that another goal of the match has just paid for. An error means that the service
// could not look at all; what X answers is a state.
func (s *Service) Search(ctx context.Context, q source.Query) (source.Result, error) {
	if strings.TrimSpace(q.Text) == "" {
		return source.Result{}, footy.Errorf(footy.CodeInvalid, "search posts", "empty query")
	}
	if shared, ok := s.desk.Answer(s.opts.Now(), q); ok {
		s.counts.shared.Add(1)
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
	asked, texts := q, []string{q.Text}
	if b := s.budget.State(s.opts.Now()); 2*b.Left <= b.Limit { // tight: half is gone
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

func (s *Service) counted(r source.Result) source.Result {
	s.counts.search(r)
	return r
}

// searchTwice repeats a search whose browser died under it: the goal must not lose it.
func (s *Service) searchTwice(ctx context.Context, q source.Query) (source.Result, answered, error) {
	for again := true; ; again = false {
		c, err := s.browser()
		if errors.Is(err, errPlain) {
			return source.Result{State: source.StateLoginRequired, RetryAfter: s.opts.Recheck, Detail: errPlain.Err.Error()}, answered{}, nil
		}
		if err != nil {
			return source.Result{}, answered{}, err
		}
		res, first, err := s.searchOnce(ctx, c, q)
		switch {
		case err == nil:
			return res, first, nil
		case ctx.Err() != nil:
			return source.Result{}, first, footy.Wrap(footy.CodeUnavailable, "search posts", ctx.Err())
		case !again:
			return source.Result{}, first, footy.Wrap(footy.CodeUnavailable, "search posts", err)
		case !c.gone(err) && !errors.Is(err, errDied):
			return source.Result{State: source.StateUpstreamError, Detail: err.Error()}, first, nil
		}
	}
}

var errDied = errors.New("the page died")

// one is a single search under way.
type one struct {
	s       *Service
	t       *tab
	scan    *scan.Scan
	first   answered
	taken   int // calls reserved
	started int // calls the page made
}

func (s *Service) searchOnce(ctx context.Context, c *chrome, q source.Query) (source.Result, answered, error) {
	if wait, ok := s.budget.Take(s.opts.Now()); !ok {
		return source.Result{State: source.StateRateLimited, RetryAfter: wait, Detail: "the budget of this window is used up"}, answered{}, nil
	}
	o := &one{s: s, scan: scan.New(q, s.opts.Scrolls), taken: 1}
	defer o.settle()
	u, err := url.Parse(s.opts.BaseURL)
	if err != nil {
		return source.Result{}, o.first, err
	}
	if o.t, err = c.open(ctx, u.Path); err != nil {
		return source.Result{}, o.first, err
	}
	defer o.t.close()
	res, err := o.run(ctx, s.opts.BaseURL+"/search?"+url.Values{"q": {spell(q.Text)}, "src": {"typed_query"}, "f": {"live"}}.Encode())
	res.CallsUsed = o.started
	if res.State.Usable() {
		s.session.loggedIn("")
		s.keepCookies(ctx, c)
	}
	return res, o.first, err
}

// run reads like the search goes: open, first answer, then scroll for as long as it is worth a call.
func (o *one) run(ctx context.Context, address string) (source.Result, error) {
	if err := o.t.visit(address); err != nil {
		return source.Result{}, err
	}
	res, err := o.answer(ctx, o.s.opts.SearchTimeout)
	if err != nil || res.State != source.StateResults {
		return res, err
	}
	for o.scan.Scroll() {
		if _, ok := o.s.budget.Take(o.s.opts.Now()); !ok {
			o.scan.Stop("the budget")
			break
		}
		o.taken++
		if err := o.t.scroll(); err != nil {
			o.scan.Stop("the page failed: " + err.Error())
			break
		}
		more, err := o.answer(ctx, o.s.opts.ScrollTimeout)
		if err != nil || !more.State.Usable() {
			// What the first pages said stands: it was a search, if a short one.
			o.scan.Stop("the next page: " + string(more.State))
			break
		}
	}
	return source.Result{State: source.StateResults, Candidates: o.scan.Candidates(),
		Detail: fmt.Sprintf("%d pages, ended at %s", o.scan.Pages(), o.scan.End())}, nil
}

// answer waits for the page's next SearchTimeline answer, or for what comes instead.
func (o *one) answer(ctx context.Context, timeout time.Duration) (source.Result, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return source.Result{}, ctx.Err()
		case <-o.t.ctx.Done():
			return source.Result{}, errDied
		case <-timer.C:
			return o.nothing(timeout), nil
		case e := <-o.t.events:
			switch {
			case e.died:
				return source.Result{}, errDied
			case e.started != nil:
				if o.started++; o.started > o.taken {
					o.s.budget.Spend(o.s.opts.Now())
					o.taken++
				}
			case e.login != "":
				return o.loginWanted(e.login), nil
			case e.ended != nil:
				return o.read(e.ended), nil
			}
		}
	}
}

// nothing came: the page may say why.
func (o *one) nothing(timeout time.Duration) source.Result {
	switch seen, _ := o.t.look(); seen {
	case seenLogin:
		return o.loginWanted("the page asks for a login")
	case seenError:
		return source.Result{State: source.StateUpstreamError, Detail: "the page says that something went wrong"}
	case seenPosts:
		if o.started == 0 {
			return source.Result{State: source.StateUpstreamError, Detail: "posts on the page, but no SearchTimeline: X has changed"}
		}
	case seenEmpty:
		if o.started == 0 {
			return source.Result{State: source.StateEmpty, Detail: "the page says that there is nothing"}
		}
	}
	return source.Result{State: source.StateTimeout, Detail: "no answer within " + timeout.String()}
}

func (o *one) loginWanted(where string) source.Result {
	o.s.session.loggedOut(where)
	return source.Result{State: source.StateLoginRequired, RetryAfter: o.s.opts.Recheck, Detail: "X asks for a login"}
}

// read judges one answer.
func (o *one) read(k *call) source.Result {
	now := o.s.opts.Now()
	h := headers(k.headers)
	o.s.budget.Observe(now, h)
	state := timeline.StateOf(k.status)
	switch {
	case k.status == 0:
		return source.Result{State: source.StateUpstreamError, Detail: fmt.Sprintf("the call failed: %v", k.err)}
	case k.status == 401:
		return o.loginWanted("HTTP 401 of SearchTimeline")
	case state == source.StateRateLimited:
		return o.limited(now, h)
	}
	p, err := timeline.Decode(k.body)
	if o.first.body == nil {
		o.first = answered{p, k.body}
	}
	switch {
	case k.status != 200: // a 403 may be a missing header as well as a locked account: only a page can tell
		return source.Result{State: source.StateUpstreamError, Detail: strings.TrimSpace(fmt.Sprintf("HTTP %d %s", k.status, p.Detail))}
	case k.err != nil:
		return source.Result{State: source.StateUpstreamError, Detail: "the answer could not be read: " + k.err.Error()}
	case err != nil:
		return source.Result{State: source.StateUpstreamError, Detail: err.Error()}
	case p.State == source.StateRateLimited:
		return o.limited(now, h)
	case p.State.Usable():
		o.scan.Add(p)
	}
	return source.Result{State: p.State, Detail: p.Detail}
}

func (o *one) limited(now time.Time, h budget.Headers) source.Result {
	o.s.budget.Block(now, h.Reset)
	return source.Result{State: source.StateRateLimited, RetryAfter: o.s.budget.State(now).Wait, Detail: "X allows no search until its reset"}
}

// settle gives back the calls that were reserved and never made.
func (o *one) settle() {
	for range o.taken - o.started {
		o.s.budget.Return()
	}
}

// spell makes the words of X's search page. Its query is cut at some 500 characters.
func spell(text string) string {
	if strings.Contains(text, " OR ") && !strings.Contains(text, "filter:") {
		text = "(" + text + ")"
	}
	if !strings.Contains(text, "filter:videos") {
		text += " filter:videos"
	}
	return text
}

func headers(h network.Headers) budget.Headers {
	get := func(name string) string {
		for k, v := range h {
			if text, ok := v.(string); ok && strings.EqualFold(k, name) {
				return text
			}
		}
		return ""
	}
	limit, errLimit := strconv.Atoi(get("x-rate-limit-limit"))
	left, errLeft := strconv.Atoi(get("x-rate-limit-remaining"))
	reset, errReset := strconv.ParseInt(get("x-rate-limit-reset"), 10, 64)
	if errLimit != nil || errLeft != nil || errReset != nil {
		return budget.Headers{}
	}
	return budget.Headers{Limit: limit, Remaining: left, Reset: time.Unix(reset, 0)}
}
