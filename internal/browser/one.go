package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/browser/scan"
	"github.com/found-footy/found-footy/internal/source"
)

// one is a single search under way.
type one struct {
	s     *Service
	t     *tab
	scan  *scan.Scan
	first answered
	paid  int   // calls taken from the budget
	made  int   // calls let go
	next  *call // the page loads ahead: held until the scan wants it
	login bool  // X asked for a person on the way
}

func (o *one) address(text string) string {
	return o.s.opts.BaseURL + "/search?" + url.Values{"q": {spell(text)}, "src": {"typed_query"}, "f": {"live"}}.Encode()
}

// run reads like the search goes: open, first answer, then more for as long as it is worth a call.
func (o *one) run(ctx context.Context, text string) (source.Result, error) {
	o.t.visit(o.address(text))
	res, err := o.answer(ctx, o.s.opts.SearchTimeout)
	if err != nil || res.State != source.StateResults {
		return res, err
	}
	for o.scan.Scroll() {
		if _, ok := o.s.budget.Take(o.s.opts.Now()); !ok {
			o.scan.Stop("the budget")
			break
		}
		o.paid++
		more, err := o.more(ctx)
		if ctx.Err() != nil {
			return source.Result{}, ctx.Err()
		}
		if err != nil || !more.State.Usable() { // what the first pages said stands: it was a search, if a short one
			o.scan.Stop("the next page: " + why(more, err))
		}
	}
	return source.Result{State: source.StateResults, Candidates: o.scan.Candidates(),
		Detail: fmt.Sprintf("%d pages, ended at %s", o.scan.Pages(), o.scan.End())}, nil
}

func why(r source.Result, err error) string {
	if err != nil {
		return err.Error()
	}
	return string(r.State)
}

// more gets the next page: the one that the page already wants, else by scrolling.
func (o *one) more(ctx context.Context) (source.Result, error) {
	if k := o.next; k != nil {
		o.next = nil
		if err := o.let(k); err != nil {
			return source.Result{}, err
		}
		return o.answer(ctx, o.s.opts.ScrollTimeout)
	}
	if err := o.t.scroll(); err != nil {
		return source.Result{}, err
	}
	return o.answer(ctx, o.s.opts.ScrollTimeout)
}

func (o *one) let(k *call) error {
	o.made++
	return o.t.let(k)
}

// answer waits for the next SearchTimeline answer, or for what comes instead.
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
			res, done, err := o.take(e)
			if done || err != nil {
				return res, err
			}
		}
	}
}

// take judges what the page tells; done means that it is the answer.
func (o *one) take(e event) (res source.Result, done bool, err error) {
	var page errPage
	switch {
	case e.died:
		return res, false, errDied
	case errors.As(e.fails, &page):
		return source.Result{State: source.StateUpstreamError, Detail: page.Error()}, true, nil
	case e.fails != nil:
		return res, false, errDied
	case e.login != "":
		return o.loginWanted(e.login), true, nil
	case e.wants != nil && o.made < o.paid:
		return res, false, o.let(e.wants)
	case e.wants != nil:
		o.next = e.wants
	case e.ended != nil && e.ended == o.next: // the page gave up what it wanted
		o.next = nil
	case e.ended != nil:
		return o.read(e.ended), true, nil
	}
	return res, false, nil
}

// nothing came: the page may say why.
func (o *one) nothing(timeout time.Duration) source.Result {
	switch seen, _ := o.t.look(); seen {
	case seenLogin:
		return o.loginWanted("the page asks for a login")
	case seenError:
		return source.Result{State: source.StateUpstreamError, Detail: "the page says that something went wrong"}
	case seenPosts:
		if o.made == 0 {
			return source.Result{State: source.StateUpstreamError, Detail: "posts on the page, but no SearchTimeline: X has changed"}
		}
	case seenEmpty:
		if o.made == 0 {
			return source.Result{State: source.StateEmpty, Detail: "the page says that there is nothing"}
		}
	}
	return source.Result{State: source.StateTimeout, Detail: "no answer within " + timeout.String()}
}

func (o *one) loginWanted(where string) source.Result {
	o.login = true
	o.s.session.loggedOut(where)
	return source.Result{State: source.StateLoginRequired, RetryAfter: o.s.opts.Recheck, Detail: "X asks for a login"}
}

// settle gives back the calls that were paid and never made.
func (o *one) settle() {
	for range o.paid - o.made {
		o.s.budget.Return()
	}
}
