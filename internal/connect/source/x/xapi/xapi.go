// Package xapi searches X through the paid API v2 (recent search): no browser and no login, but every post read costs
// money, so nothing is asked once the day's cap is reached or the ledger cannot be read.
package xapi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options of the client.
type Options struct {
	URL          string
	BearerToken  string
	Timeout      time.Duration
	PricePerPost float64 // US dollars for one post read
	DailyCap     float64 // US dollars a day (UTC); 0 = the default, negative = no cap
	Ledger       Ledger  // nil = one in memory, which forgets at restart
	Now          func() time.Time
}

// Defaults of the options.
func Defaults() Options {
	return Options{URL: "https://api.x.com", Timeout: 20 * time.Second, PricePerPost: 0.005, DailyCap: 5}
}

// Source is the client of the API.
type Source struct {
	opts   Options
	client *http.Client
	cap    int // posts a day; negative = no cap
	limits limits
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
	def := Defaults()
	if opts.URL == "" {
		opts.URL = def.URL
	}
	opts.URL = strings.TrimRight(opts.URL, "/")
	if opts.Timeout <= 0 {
		opts.Timeout = def.Timeout
	}
	if opts.PricePerPost <= 0 {
		opts.PricePerPost = def.PricePerPost
	}
	if opts.DailyCap == 0 {
		opts.DailyCap = def.DailyCap
	}
	if opts.Ledger == nil {
		opts.Ledger = NewMemory()
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Source{opts: opts, client: client, cap: postsFor(opts)}
}

func postsFor(o Options) int {
	if o.DailyCap < 0 {
		return -1
	}
	return int(o.DailyCap/o.PricePerPost + 1e-9)
}

// Name is the source's name in settings and logs.
func (s *Source) Name() string { return "xapi" }

// Search asks for one page of recent posts with a video.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Result, error) {
	const op = "search posts by API"
	if s.opts.BearerToken == "" {
		return source.Result{State: source.StateLoginRequired, Detail: "X_BEARER_TOKEN is not set"}, nil
	}
	now := s.opts.Now()
	if wait := s.limits.wait(now); wait > 0 {
		return source.Result{State: source.StateRateLimited, RetryAfter: wait, Detail: "X allows no search now"}, nil
	}
	text, err := apiQuery(q.Text)
	if err != nil {
		return source.Result{}, err
	}
	want := min(max(q.Max, minResults), maxResults)
	day := dayOf(now)
	ok, err := s.opts.Ledger.Reserve(ctx, day, want, s.cap)
	if err != nil {
		return source.Result{}, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if !ok {
		return source.Result{State: source.StateRateLimited, RetryAfter: untilTomorrow(now),
			Detail: fmt.Sprintf("the day's cap of %.2f dollars is reached", s.opts.DailyCap)}, nil
	}
	page, res, paid, err := s.ask(ctx, op, params(text, q, want, now))
	if paid < want && paid != paidUnknown {
		if unspent := s.opts.Ledger.Return(context.WithoutCancel(ctx), day, want-paid); unspent != nil && err == nil {
			err = footy.Wrap(footy.CodeUnavailable, op, unspent)
		}
	}
	if err != nil {
		return source.Result{}, err
	}
	res.Candidates = source.Select(q, page.Candidates)
	return res, nil
}

// paidUnknown: X may have read posts for us, and nobody knows how many.
const paidUnknown = -1

// ask also says how many posts X makes us pay for.
func (s *Source) ask(ctx context.Context, op string, p url.Values) (page timeline.Page, res source.Result, paid int, err error) {
	none := timeline.Page{}
	bounded, cancel := context.WithTimeout(ctx, s.opts.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(bounded, http.MethodGet, s.opts.URL+"/2/tweets/search/recent?"+p.Encode(), nil)
	if err != nil {
		return none, source.Result{}, 0, footy.Wrap(footy.CodeInvalid, op, err)
	}
	req.Header.Set("Authorization", "Bearer "+s.opts.BearerToken)
	resp, err := s.client.Do(req) //nolint:bodyclose // httpx.Drain closes it
	if err != nil {
		var way *net.OpError
		if errors.As(err, &way) && way.Op == "dial" {
			return none, s.late(ctx, err), 0, s.unreachable(ctx, op, err) // nothing was sent
		}
		return none, s.late(ctx, err), paidUnknown, s.unreachable(ctx, op, err)
	}
	defer httpx.Drain(resp)
	now := s.opts.Now()
	s.limits.read(resp.Header, now)
	if resp.StatusCode == http.StatusOK {
		paid = paidUnknown // until the answer says it
	}
	raw, err := httpx.ReadBody(resp, answerLimit)
	if err != nil {
		return none, s.late(ctx, err), paid, s.unreachable(ctx, op, err)
	}
	res = source.Result{State: timeline.StateOf(resp.StatusCode), CallsUsed: 1}
	page, err = timeline.Decode(raw)
	switch {
	case !res.State.Usable():
		res.Detail = strings.TrimSpace(fmt.Sprintf("HTTP %d %s", resp.StatusCode, page.Detail))
		if res.State == source.StateRateLimited {
			res.RetryAfter = max(s.limits.wait(now), httpx.RetryAfter(resp.Header, now), time.Second)
			s.limits.block(now.Add(res.RetryAfter))
		}
		return none, res, paid, nil
	case err != nil:
		return none, source.Result{}, paid, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	res.State, res.Detail = page.State, page.Detail
	return page, res, page.Seen.Entries, nil
}

// late is the answer to a search that X did not answer in time; it stands only where unreachable has no error.
func (s *Source) late(ctx context.Context, err error) source.Result {
	if ctx.Err() == nil && httpx.Timeout(err) {
		return source.Result{State: source.StateTimeout, CallsUsed: 1, Detail: "no answer within " + s.opts.Timeout.String()}
	}
	return source.Result{}
}

func (s *Source) unreachable(ctx context.Context, op string, err error) error {
	if ctx.Err() == nil && httpx.Timeout(err) {
		return nil
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // its URL repeats the whole query
	}
	return httpx.Fault(op, err)
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
		"expansions":   {"attachments.media_keys,author_id,referenced_tweets.id,referenced_tweets.id.author_id"},
		"tweet.fields": {"created_at,author_id,attachments,referenced_tweets"},
		"media.fields": {"variants,duration_ms,width,height,preview_image_url"},
		"user.fields":  {"username"},
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
	spent, err := s.opts.Ledger.Posts(ctx, dayOf(now))
	if err != nil {
		return h, footy.Wrap(footy.CodeUnavailable, "read the spending ledger", err)
	}
	left := max(s.cap-spent, 0)
	h.Ready = (s.cap < 0 || left > 0) && s.limits.wait(now) == 0
	if s.cap >= 0 {
		h.BudgetLeft, h.BudgetLimit, h.BudgetResets = left, s.cap, now.Add(untilTomorrow(now))
		h.Detail = fmt.Sprintf("%d of %d posts of the day's %.2f dollars left", left, s.cap, s.opts.DailyCap)
	}
	return h, nil
}

func untilTomorrow(now time.Time) time.Duration {
	return now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
}
