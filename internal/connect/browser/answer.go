package browser

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
)

// firstAnswer is a first answer with its bytes.
type firstAnswer struct {
	page timeline.Page
	body []byte
}

// judge says what one answer means for the search.
func (o *searchRun) judge(k *call) source.Result {
	now := o.s.opts.Now()
	h := headers(k.headers)
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
	if o.first.body == nil {
		o.first = firstAnswer{p, k.body}
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
func headers(h network.Headers) quota.Headers {
	get := func(name string) string {
		for k, v := range h {
			if text, ok := v.(string); ok && strings.EqualFold(k, name) {
				return text
			}
		}
		return ""
	}
	number := func(name string, missing int) int {
		if n, err := strconv.Atoi(get(name)); err == nil {
			return n
		}
		return missing
	}
	reset := number("x-rate-limit-reset", 0)
	if reset <= 0 {
		return quota.Headers{}
	}
	return quota.Headers{Limit: number("x-rate-limit-limit", xLimit), Remaining: number("x-rate-limit-remaining", -1), Reset: time.Unix(int64(reset), 0)}
}

// xLimit is how many calls X allows in its window where it does not say.
const xLimit = 50
