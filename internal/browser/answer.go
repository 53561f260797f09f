package browser

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"

	"github.com/found-footy/found-footy/internal/browser/budget"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/source/timeline"
)

// answered is a first answer with its bytes.
type answered struct {
	page timeline.Page
	body []byte
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
	case k.status == http.StatusUnauthorized:
		return o.loginWanted("HTTP 401 of SearchTimeline")
	case state == source.StateRateLimited:
		return o.limited(now, h)
	}
	p, err := timeline.Decode(k.body)
	if o.first.body == nil {
		o.first = answered{p, k.body}
	}
	switch {
	case k.status != http.StatusOK:
		if k.status == http.StatusForbidden { // a missing header as well as a locked account: only a page can tell
			o.s.session.doubt()
		}
		return source.Result{State: source.StateUpstreamError, Detail: strings.TrimSpace(fmt.Sprintf("HTTP %d %s", k.status, p.Detail))}
	case k.err != nil:
		return source.Result{State: source.StateUpstreamError, Detail: "the answer could not be read: " + k.err.Error()}
	case err != nil:
		return source.Result{State: source.StateUpstreamError, Detail: err.Error()}
	case p.State == source.StateRateLimited:
		return o.limited(now, h)
	case p.State.Usable():
		o.scan.Add(p)
	case aboutLogin(p.Detail):
		o.s.session.doubt()
	}
	return source.Result{State: p.State, Detail: p.Detail}
}

// aboutLogin tells refusals that the next look at the home page should explain: codes 32 and 326 come with such words.
func aboutLogin(detail string) bool {
	detail = strings.ToLower(detail)
	return strings.Contains(detail, "authenticate") || strings.Contains(detail, "locked") || strings.Contains(detail, "suspended")
}

func (o *one) limited(now time.Time, h budget.Headers) source.Result {
	o.s.budget.Block(now, h.Reset)
	return source.Result{State: source.StateRateLimited, RetryAfter: o.s.budget.State(now).Wait, Detail: "X allows no search until its reset"}
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

// headers are X's own account of its window; a remainder of -1 is unknown.
func headers(h network.Headers) budget.Headers {
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
		return budget.Headers{}
	}
	return budget.Headers{Limit: number("x-rate-limit-limit", xLimit), Remaining: number("x-rate-limit-remaining", -1), Reset: time.Unix(int64(reset), 0)}
}

// xLimit is how many calls X allows in its window where it does not say.
const xLimit = 50
