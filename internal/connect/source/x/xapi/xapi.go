// Package xapi searches X through the paid API v2 (recent search): no browser and no login, but every post read costs
// money, and so does its video, so nothing is asked once the day's cap is reached or the ledger cannot be read.
package xapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options of the client.
type Options struct {
	URL         string // "" = X's own
	BearerToken string
	Timeout     time.Duration // 0 = 20 s
	DailyCap    float64       // US dollars a day (UTC); 0 = 5, negative = no cap
	Ledger      bill.Ledger   // required
	Now         func() time.Time
}

// Source is the client of the API.
type Source struct {
	opts   Options
	client *http.Client
	purse  bill.Purse

	mu           sync.Mutex
	refusedUntil time.Time
}

var _ source.Source = (*Source)(nil)

const (
	answerLimit = 8 << 20
	queryLimit  = 512 // characters
	minResults  = 10  // the API takes no less
	maxResults  = 100
)

// New makes a client; zero options take their defaults.
func New(opts Options, client *http.Client) *Source {
	opts.URL = strings.TrimRight(cmp.Or(opts.URL, "https://api.x.com"), "/")
	opts.Timeout, opts.DailyCap = cmp.Or(opts.Timeout, 20*time.Second), cmp.Or(opts.DailyCap, 5)
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Source{opts: opts, client: client, purse: bill.Purse{Ledger: opts.Ledger, Cap: bill.Dollars(opts.DailyCap), Now: opts.Now}}
}

// mostFor is what an answer of so many posts costs at most.
func mostFor(posts int) bill.Money {
	return bill.Money(posts) * (bill.PostRead + bill.MaxMedia*bill.MediaRead)
}

// Name is the source's name in settings and logs.
func (s *Source) Name() string { return "xapi" }

// Search asks for one page of recent posts with a video.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Result, error) {
	const op = "search posts by API"
	if s.opts.BearerToken == "" {
		return source.Result{State: source.StateLoginRequired, Detail: "X_BEARER_TOKEN is not set"}, nil
	}
	if q.Ahead > 0 {
		return source.Result{State: source.StateNotNow, Detail: "no money is spent on a goal that is not certain"}, nil
	}
	now := s.opts.Now()
	if wait := s.rested(now); wait > 0 {
		return source.Result{State: source.StateRateLimited, RetryAfter: wait, Detail: "X allows no search now"}, nil
	}
	text, err := apiQuery(q.Text)
	if err != nil {
		return source.Result{}, err
	}
	call, want, stop, err := s.begin(ctx, min(max(q.Max, minResults), maxResults))
	if err != nil {
		return source.Result{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if stop != nil {
		fault, _ := bill.Words(stop.Why, bill.SearchCap)
		return source.Result{State: stop.Why, RetryAfter: stop.Until.Sub(now), Detail: fault}, nil
	}
	answer, res, err := s.ask(ctx, op, params(text, q, want, now))
	if unsettled := settle(ctx, call, answer, res); unsettled != nil && err == nil {
		err = footy.Wrap(footy.CodeUnavailable, op, unsettled)
	}
	if err != nil {
		return source.Result{}, err
	}
	res.Candidates = source.Select(q, answer.page.Candidates)
	return res, nil
}

// begin sets aside what the search costs at most, or, at the end of the day's money, the smallest that X makes.
func (s *Source) begin(ctx context.Context, want int) (call bill.Call, posts int, stop *bill.Stop, err error) {
	call, stop, err = s.purse.Begin(ctx, mostFor(want))
	if stop != nil && stop.Why == footy.SearchDayCap && want > minResults {
		want = minResults
		call, stop, err = s.purse.Begin(ctx, mostFor(want))
	}
	return call, want, stop, err
}

// settle notes what a search cost. Where X may have read posts for us and nobody knows how many, what was set aside stays spent.
func settle(ctx context.Context, call bill.Call, a answer, res source.Result) error {
	switch {
	case res.State.NoMoney():
		return call.Refused(ctx, res.State)
	case a.unpaid:
		return call.Cancel(ctx)
	case a.read:
		return call.End(ctx, a.cost)
	}
	return nil
}

// answer is what X said.
type answer struct {
	page   timeline.Page
	unpaid bool // surely nothing is to be paid
	read   bool // cost is known
	cost   bill.Money
}

func (s *Source) ask(ctx context.Context, op string, p url.Values) (answer, source.Result, error) {
	call := httpx.Call{Address: s.opts.URL + "/2/tweets/search/recent?" + p.Encode(), Header: map[string]string{"Authorization": "Bearer " + s.opts.BearerToken},
		Within: s.opts.Timeout, Most: answerLimit}
	resp, raw, err := call.Do(ctx, s.client) //nolint:bodyclose // it closes it
	a := answer{}
	if resp != nil {
		a.unpaid = resp.StatusCode != http.StatusOK
	}
	if err != nil {
		way, ok := errors.AsType[*net.OpError](err)
		a.unpaid = a.unpaid || ok && way.Op == "dial"
		res, err := s.unanswered(ctx, op, err)
		return a, res, err
	}
	page, err := timeline.Decode(raw)
	if a.unpaid {
		return a, s.refused(resp, raw, page.Detail), nil
	}
	if cost, unread := bill.CostOf(raw); unread == nil {
		a.cost, a.read = cost, true
	}
	if err != nil {
		return a, source.Result{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	a.page = page
	return a, source.Result{State: page.State, Detail: page.Detail, CallsUsed: 1}, nil
}

// refused is an answer that is not 200.
func (s *Source) refused(resp *http.Response, raw []byte, detail string) source.Result {
	res := source.Result{State: timeline.StateOf(resp.StatusCode), CallsUsed: 1, Detail: strings.TrimSpace(fmt.Sprintf("HTTP %d %s", resp.StatusCode, detail))}
	if why := bill.Refused(resp.StatusCode, resp.Header, raw); why != "" {
		res.State, res.RetryAfter = why, bill.AskAgain
		return res
	}
	if res.State == source.StateRateLimited {
		res.RetryAfter = s.rest(resp.Header, s.opts.Now())
	}
	return res
}

// unanswered is a search that X did not answer: too late, or not at all.
func (s *Source) unanswered(ctx context.Context, op string, err error) (source.Result, error) {
	if ctx.Err() == nil && httpx.Timeout(err) {
		return source.Result{State: source.StateTimeout, CallsUsed: 1, Detail: "no answer within " + s.opts.Timeout.String()}, nil
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err // its URL repeats the whole query
	}
	return source.Result{}, httpx.Fault(op, err)
}

// apiQuery is a query in the API's syntax. AND binds tighter than OR here, the other way round than on the web page.
func apiQuery(text string) (string, error) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "filter:videos", ""))
	if text == "" {
		return "", footy.Errorf(footy.CodeInvalid, "search posts by API", "empty query")
	}
	if strings.Contains(text, " OR ") {
		text = "(" + text + ")"
	}
	text += " has:videos -is:retweet"
	if n := utf8.RuneCountInString(text); n > queryLimit {
		return "", footy.Errorf(footy.CodeInvalid, "search posts by API", "query of %d characters, the limit is %d", n, queryLimit)
	}
	return text, nil
}

func params(text string, q source.Query, want int, now time.Time) url.Values {
	p := url.Values{
		"query": {text}, "max_results": {strconv.Itoa(want)}, "sort_order": {"recency"},
		// Each post, video and user in an answer is paid for: authors and quoted posts are not asked for.
		"expansions":   {"attachments.media_keys"},
		"tweet.fields": {"created_at,attachments"},
		"media.fields": {"variants,duration_ms,width,height"},
	}
	// Recent search reaches back seven days and refuses times that are older or hardly past.
	if floor := now.Add(-167 * time.Hour); q.Since.After(floor) && now.Sub(q.Since) > 15*time.Second {
		p.Set("start_time", q.Since.UTC().Truncate(time.Second).Format(time.RFC3339))
	}
	return p
}

// Health says what is left of the day's money. It does not ask X: that would cost.
func (s *Source) Health(ctx context.Context) (source.Health, error) {
	h := source.Health{Login: source.LoginNoneNeeded, BudgetLeft: -1, BudgetLimit: -1}
	if s.opts.BearerToken == "" {
		h.Login, h.Detail = source.LoginMissing, "set X_BEARER_TOKEN"
		return h, nil
	}
	now := s.opts.Now()
	spent, stop, err := s.purse.State(ctx, mostFor(minResults))
	if err != nil {
		return h, footy.Wrap(footy.CodeUnavailable, "read the spending ledger", err)
	}
	h.Ready = s.rested(now) == 0
	if stop != nil {
		h.Waits, h.Ready = stop.Why, h.Ready && !now.Before(stop.Until) // then X is asked again
	}
	h.Unasked, h.Detail = spent == 0 && stop == nil, s.purse.Spent(spent)
	return h, nil
}

// rested is how long no search is made: X refused the last one, and a sure refusal wastes a call.
func (s *Source) rested(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(s.refusedUntil.Sub(now), 0)
}

// longestRest bounds what a header can do: X's windows are of 15 minutes, some limits of a day.
const longestRest = 24 * time.Hour

// rest makes searches wait as a refusal asks.
func (s *Source) rest(h http.Header, now time.Time) time.Duration {
	wait := max(httpx.RetryAfter(h, now), time.Second)
	if reset, err := strconv.ParseInt(h.Get("x-rate-limit-reset"), 10, 64); err == nil && time.Unix(reset, 0).Sub(now) <= longestRest {
		wait = max(wait, time.Unix(reset, 0).Sub(now))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusedUntil = now.Add(wait)
	return wait
}
