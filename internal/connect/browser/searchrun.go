package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
)

// searchRun is one search under way.
type searchRun struct {
	s          *Service
	t          *tab
	scan       *quota.Scan
	first      firstAnswer
	reserved   int   // calls reserved in the budget
	sent       int   // calls that were sent
	heldCall   *call // the page loads ahead: not sent until the scan wants it
	loginAsked bool  // X asked for a person on the way
}

func (o *searchRun) address(text string) string {
	return o.s.opts.BaseURL + "/search?" + url.Values{"q": {searchText(text)}, "src": {"typed_query"}, "f": {"live"}}.Encode()
}

// run opens the page, waits for the first answer, and reads further pages while they are worth a call.
func (o *searchRun) run(ctx context.Context, text string) (source.Result, error) {
	o.t.visit(o.address(text))
	res, err := o.awaitAnswer(ctx, o.s.opts.SearchTimeout)
	if err != nil || res.State != source.StateResults {
		return res, err
	}
	for o.scan.Scroll() {
		if _, ok := o.s.quota.Budget.Take(o.s.opts.Now()); !ok {
			o.scan.Stop("the budget")
			break
		}
		o.reserved++
		more, err := o.nextPage(ctx)
		if ctx.Err() != nil {
			return source.Result{}, ctx.Err()
		}
		if err != nil || !more.State.Usable() { // the first pages are a result all the same
			o.scan.Stop("the next page: " + failure(more, err))
		}
	}
	return source.Result{State: source.StateResults, Candidates: o.scan.Candidates(),
		Detail: fmt.Sprintf("%d pages, ended at %s", o.scan.Pages(), o.scan.End())}, nil
}

func failure(r source.Result, err error) string {
	if err != nil {
		return err.Error()
	}
	return string(r.State)
}

// nextPage gets the next page: the call that the page has already asked for, else by scrolling.
func (o *searchRun) nextPage(ctx context.Context) (source.Result, error) {
	if k := o.heldCall; k != nil {
		o.heldCall = nil
		if err := o.release(k); err != nil {
			return source.Result{}, err
		}
		return o.awaitAnswer(ctx, o.s.opts.ScrollTimeout)
	}
	if err := o.t.scroll(); err != nil {
		return source.Result{}, err
	}
	return o.awaitAnswer(ctx, o.s.opts.ScrollTimeout)
}

func (o *searchRun) release(k *call) error {
	o.sent++
	return o.t.release(k)
}

// awaitAnswer waits for the next SearchTimeline answer, or for what comes instead.
func (o *searchRun) awaitAnswer(ctx context.Context, timeout time.Duration) (source.Result, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return source.Result{}, ctx.Err()
		case <-o.t.ctx.Done():
			return source.Result{}, errCrashed
		case <-timer.C:
			return o.timedOut(timeout), nil
		case e := <-o.t.events:
			res, done, err := o.handle(e)
			if done || err != nil {
				return res, err
			}
		}
	}
}

// handle acts on one event of the page; done means that res is the answer.
func (o *searchRun) handle(e pageEvent) (res source.Result, done bool, err error) {
	var page errPage
	switch {
	case e.crashed:
		return res, false, errCrashed
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

// refundUnused gives back the calls that were reserved and never sent.
func (o *searchRun) refundUnused() {
	for range o.reserved - o.sent {
		o.s.quota.Budget.Refund()
	}
}
