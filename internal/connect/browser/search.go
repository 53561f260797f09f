package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/footy"
)

// Search makes one search, or uses one that another goal of the match has just paid for. An error means that the service
// could not look at all; what X answers is a state.
func (s *Service) Search(ctx context.Context, q source.Query) (source.Result, error) {
	if strings.TrimSpace(q.Text) == "" {
		return source.Result{}, footy.Errorf(footy.CodeInvalid, "search posts", "empty query")
	}
	if shared, ok := s.quota.Find(s.opts.Now(), q); ok {
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
	if shared, ok := s.quota.Find(s.opts.Now(), q); ok { // paid for while this one waited
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
func (s *Service) searchWithRetry(ctx context.Context, q quota.Request) (source.Result, []byte, error) {
	var res source.Result
	var first []byte
	calls := 0
	err := s.inBrowser(ctx, s.browser, "a search", func(c *chrome) (err error) {
		res, first, err = s.searchOnce(ctx, c, q)
		calls += res.CallsUsed
		return err
	})
	switch {
	case errors.Is(err, errManual):
		res = source.Result{State: source.StateLoginRequired, RetryAfter: s.opts.Recheck, Detail: errManual.Err.Error()}
	case err != nil:
		return source.Result{}, first, footy.Wrap(footy.CodeUnavailable, "search posts", err)
	}
	res.CallsUsed = calls
	return res, first, nil
}

// inBrowser does something in the browser, and once more where the browser dies or hangs under it.
func (s *Service) inBrowser(ctx context.Context, get func() (*chrome, error), what string, do func(*chrome) error) error {
	for again := true; ; again = false {
		c, err := get()
		if err != nil {
			return err
		}
		err = do(c)
		if errors.Is(err, errHung) {
			c.stop()
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err == nil || !again || !c.browserFailed(err):
			return err
		}
		s.opts.Log.Warn(what+" is made again", "module", "browser", "action", "again", "error", err)
	}
}

func (s *Service) searchOnce(ctx context.Context, c *chrome, q quota.Request) (source.Result, []byte, error) {
	found, wait := s.quota.Begin(s.opts.Now(), q)
	if found == nil {
		return source.Result{State: source.StateRateLimited, RetryAfter: wait, Detail: "the budget of this window is used up"}, nil, nil
	}
	o := &searchRun{s: s, scan: found, reserved: 1}
	defer func() {
		for range o.reserved - o.sent { // and never sent
			o.s.quota.Budget.Refund()
		}
	}()
	var err error
	if o.t, err = c.open(ctx, s.path, s.opts.SearchTimeout); err != nil {
		return source.Result{}, nil, err
	}
	defer o.t.close()
	res, err := o.run(q.Query.Text)
	res.CallsUsed = o.sent
	if res.State.Usable() && !o.loginAsked {
		s.happened(account.Event{Kind: account.Looked, Login: source.LoginOK})
		s.keepCookies(ctx, c)
	}
	return res, o.first, err
}

// searchRun is one search under way.
type searchRun struct {
	s          *Service
	t          *tab
	scan       *quota.Scan
	first      []byte // the first answer
	reserved   int    // calls reserved in the budget
	sent       int    // calls that were sent
	heldCall   *call  // the page loads ahead: not sent until the scan wants it
	loginAsked bool   // X asked for a person on the way
}

func (o *searchRun) address(text string) string {
	return o.s.opts.BaseURL + "/search?" + url.Values{"q": {searchText(text)}, "src": {"typed_query"}, "f": {"live"}}.Encode()
}

// run opens the page, waits for the first answer, and reads further pages while they are worth a call.
func (o *searchRun) run(text string) (source.Result, error) {
	o.t.visit(o.address(text))
	res, err := o.awaitAnswer(o.s.opts.SearchTimeout)
	if err != nil || res.State != source.StateResults {
		return res, err
	}
	for o.scan.Scroll() {
		if _, ok := o.s.quota.Budget.Take(o.s.opts.Now()); !ok {
			o.scan.Stop("the budget")
			break
		}
		o.reserved++
		more, err := o.nextPage()
		if err == nil && !more.State.Usable() {
			err = errors.New(string(more.State))
		}
		if err != nil { // the first pages are a result all the same
			o.scan.Stop("the next page: " + err.Error())
		}
	}
	return source.Result{State: source.StateResults, Candidates: o.scan.Candidates(),
		Detail: fmt.Sprintf("%d pages, ended at %s", o.scan.Pages(), o.scan.End())}, nil
}

// nextPage gets the next page: the call that the page has already asked for, else by scrolling.
func (o *searchRun) nextPage() (source.Result, error) {
	next := o.t.scroll
	if k := o.heldCall; k != nil {
		o.heldCall, next = nil, func() error { return o.release(k) }
	}
	if err := next(); err != nil {
		return source.Result{}, err
	}
	return o.awaitAnswer(o.s.opts.ScrollTimeout)
}

func (o *searchRun) release(k *call) error {
	o.sent++
	return o.t.release(k)
}

// awaitAnswer waits for the next SearchTimeline answer, or for what comes instead.
func (o *searchRun) awaitAnswer(timeout time.Duration) (res source.Result, err error) {
	done, err := o.t.await(timeout, func(e pageEvent) (done bool, err error) {
		res, done, err = o.handle(e)
		return done, err
	})
	if !done && err == nil {
		res = o.timedOut(timeout)
	}
	return res, err
}

// handle acts on one event of the page; done means that res is the answer.
func (o *searchRun) handle(e pageEvent) (res source.Result, done bool, err error) {
	var page errPage
	switch {
	case errors.As(e.loadErr, &page):
		return source.Result{State: source.StateUpstreamError, Detail: page.Error()}, true, nil
	case e.loadErr != nil:
		return res, false, errCrashed
	case e.login != "":
		return o.loginRequired(e.login), true, nil
	case e.request != nil && o.sent < o.reserved:
		return res, false, o.release(e.request)
	case e.request != nil:
		o.heldCall = e.request
	case e.answer != nil && e.answer == o.heldCall: // the page gave up what it wanted
		o.heldCall = nil
	case e.answer != nil:
		return o.judge(e.answer), true, nil
	}
	return res, false, nil
}

// timedOut is the result where no answer came: the page may show why.
func (o *searchRun) timedOut(timeout time.Duration) source.Result {
	switch seen, _ := o.t.pageState(); seen {
	case pageLogin:
		return o.loginRequired("the page asks for a login")
	case pageError:
		return source.Result{State: source.StateUpstreamError, Detail: "the page says that something went wrong"}
	case pagePosts:
		if o.sent == 0 {
			return source.Result{State: source.StateUpstreamError, Detail: "posts on the page, but no SearchTimeline: X has changed"}
		}
	case pageEmpty:
		if o.sent == 0 {
			return source.Result{State: source.StateEmpty, Detail: "the page says that there is nothing"}
		}
	}
	return source.Result{State: source.StateTimeout, Detail: "no answer within " + timeout.String()}
}

func (o *searchRun) loginRequired(where string) source.Result {
	o.loginAsked = true
	o.s.happened(account.LoggedOut(where))
	return source.Result{State: source.StateLoginRequired, RetryAfter: o.s.opts.Recheck, Detail: "X asks for a login"}
}

// judge says what one answer means for the search.
func (o *searchRun) judge(k *call) source.Result {
	now := o.s.opts.Now()
	h := headers(k.header)
	o.s.quota.Budget.Observe(now, h)
	state := timeline.StateOf(k.status)
	switch {
	case k.status == 0:
		return source.Result{State: source.StateUpstreamError, Detail: fmt.Sprintf("the call failed: %v", k.err)}
	case k.status == http.StatusUnauthorized:
		return o.loginRequired("HTTP 401 of SearchTimeline")
	case state == source.StateRateLimited:
		return o.rateLimited(now, h)
	}
	p, err := timeline.Decode(k.body)
	if o.first == nil {
		o.first = k.body
	}
	switch {
	case k.status != http.StatusOK:
		if k.status == http.StatusForbidden { // a missing header as well as a locked account: only a page can tell
			o.s.happened(account.Event{Kind: account.Doubted})
		}
		return source.Result{State: source.StateUpstreamError, Detail: strings.TrimSpace(fmt.Sprintf("HTTP %d %s", k.status, p.Detail))}
	case k.err != nil:
		return source.Result{State: source.StateUpstreamError, Detail: "the answer could not be read: " + k.err.Error()}
	case err != nil:
		return source.Result{State: source.StateUpstreamError, Detail: err.Error()}
	case p.State == source.StateRateLimited:
		return o.rateLimited(now, h)
	case p.State.Usable():
		o.scan.Add(p)
	case aboutLogin(p.Detail):
		o.s.happened(account.Event{Kind: account.Doubted})
	}
	return source.Result{State: p.State, Detail: p.Detail}
}

// aboutLogin recognizes refusals that may mean a lost login (codes 32 and 326): the home page is then checked first.
func aboutLogin(detail string) bool {
	detail = strings.ToLower(detail)
	return strings.Contains(detail, "authenticate") || strings.Contains(detail, "locked") || strings.Contains(detail, "suspended")
}

func (o *searchRun) rateLimited(now time.Time, h quota.Headers) source.Result {
	o.s.quota.Budget.Block(now, h.Reset)
	return source.Result{State: source.StateRateLimited, RetryAfter: o.s.budget().Wait, Detail: "X allows no search until its reset"}
}

// searchText is a query as X's search page takes it. X cuts it at some 500 characters.
func searchText(text string) string {
	if strings.Contains(text, " OR ") && !strings.Contains(text, "filter:") {
		text = "(" + text + ")"
	}
	if !strings.Contains(text, "filter:videos") {
		text += " filter:videos"
	}
	return text
}

// headers reads X's rate limit headers; Remaining is -1 where X does not say.
func headers(h http.Header) quota.Headers {
	number := func(name string, missing int) int {
		if n, err := strconv.Atoi(h.Get("x-rate-limit-" + name)); err == nil {
			return n
		}
		return missing
	}
	reset := number("reset", 0)
	if reset <= 0 {
		return quota.Headers{}
	}
	return quota.Headers{Limit: number("limit", xLimit), Remaining: number("remaining", -1), Reset: time.Unix(int64(reset), 0)}
}

// xLimit is how many calls X allows in its window where it does not say.
const xLimit = 50
