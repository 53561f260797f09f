package reddit

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
)

// answerLimit bounds an answer; a hundred posts have some 500 kB.
const answerLimit = 8 << 20

// userAgent is as Reddit asks for it: what runs, its version, and whose it is. A common one is refused.
func (o Options) userAgent() string {
	return "server:found-footy:" + o.Version + map[Way]string{ByApp: " (app " + o.ClientID + ")", ByFeed: " (by /u/" + o.FeedUser + ")"}[o.Way()]
}

// token is the app's leave to ask. It lasts a day.
type token struct {
	mu    sync.Mutex
	value string
	until time.Time
}

// get gives the present token, or a new one; a state that is not empty says why there is none.
func (t *token) get(ctx context.Context, s *Source) (string, source.Result, error) {
	const op = "get a token of Reddit"
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.value != "" && s.opts.Now().Before(t.until) {
		return t.value, source.Result{}, nil
	}
	raw, res, err := s.send(ctx, op, httpx.Call{Method: http.MethodPost, Address: s.opts.URL + "/api/v1/access_token", Body: []byte("grant_type=client_credentials"),
		Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded",
			"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte(s.opts.ClientID+":"+s.opts.Secret))}})
	if err != nil || res.State != "" {
		return "", res, err
	}
	var answer struct {
		Token   string  `json:"access_token"`
		Expires float64 `json:"expires_in"`
		Error   any     `json:"error"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return "", source.Result{State: source.StateUpstreamError, Detail: "Reddit's token cannot be read: " + err.Error()}, nil
	}
	if answer.Token == "" { // a refusal that comes with 200
		return "", source.Result{State: source.StateLoginRequired, Detail: fmt.Sprintf("Reddit gives the app no token (%v)", answer.Error)}, nil
	}
	t.value, t.until = answer.Token, s.opts.Now().Add(time.Duration(answer.Expires)*time.Second-time.Minute)
	return t.value, source.Result{}, nil
}

func (t *token) forget(value string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.value == value {
		t.value = ""
	}
}

// call asks the API for something. A token that Reddit no longer takes is replaced once.
func (s *Source) call(ctx context.Context, op, path string, params url.Values) ([]byte, source.Result, error) {
	for try := 1; ; try++ {
		value, res, err := s.token.get(ctx, s)
		if err != nil || res.State != "" {
			return nil, res, err
		}
		raw, res, err := s.send(ctx, op, httpx.Call{Address: s.opts.APIURL + path + "?" + params.Encode(), Header: map[string]string{"Authorization": "Bearer " + value}})
		if res.State != source.StateLoginRequired || try == 2 {
			return raw, res, err
		}
		s.token.forget(value)
	}
}

// send makes one exchange; a state that is not empty says how Reddit refused.
func (s *Source) send(ctx context.Context, op string, c httpx.Call) ([]byte, source.Result, error) {
	if c.Header == nil {
		c.Header = map[string]string{}
	}
	c.Header["User-Agent"], c.Within, c.Most = s.opts.userAgent(), s.opts.Timeout, answerLimit
	resp, raw, err := c.Do(ctx, s.client) //nolint:bodyclose // it closes it
	now := s.opts.Now()
	if resp != nil {
		s.budget.read(resp.Header, now)
	}
	if err != nil {
		return s.broken(op, err)
	}
	if resp.StatusCode == http.StatusOK {
		return raw, source.Result{}, nil
	}
	return nil, s.refusal(resp, now), nil
}

func (s *Source) refusal(resp *http.Response, now time.Time) source.Result {
	res := source.Result{Status: resp.StatusCode, Detail: fmt.Sprintf("Reddit answers HTTP %d", resp.StatusCode)}
	switch code := resp.StatusCode; {
	case s.opts.Way() != ByApp && (code == http.StatusUnauthorized || code == http.StatusForbidden || code == http.StatusTooManyRequests):
		res = s.opts.Way().refused(fmt.Sprintf("HTTP %d", code))
		if res.Status = code; code == http.StatusTooManyRequests {
			res.State, res.RetryAfter = source.StateRateLimited, max(httpx.RetryAfter(resp.Header, now), s.budget.exhausted(now))
		}
	case s.opts.Way() != ByApp && leads(resp, "login", "over18", "quarantine"):
		res = s.opts.Way().refused("it leads to the log-in page")
		res.Status = code
	case code == http.StatusUnauthorized:
		res.State, res.Detail = source.StateLoginRequired, "Reddit does not take the app's id and secret (HTTP 401)"
	case code == http.StatusForbidden:
		res.State, res.Detail = source.StateLoginRequired, "Reddit refuses the app, or one of the subreddits is private (HTTP 403)"
	case code == http.StatusNotFound, leads(resp, "subreddits"):
		res.State, res.Status, res.Detail = source.StateUpstreamError, http.StatusNotFound, "Reddit knows no such subreddit (HTTP 404)"
	case code == http.StatusUnavailableForLegalReasons:
		res.State, res.Detail = source.StateUpstreamError, "Reddit does not show it in this country (HTTP 451)"
	case code == http.StatusTooManyRequests:
		res.State, res.RetryAfter = source.StateRateLimited, max(httpx.RetryAfter(resp.Header, now), s.budget.exhausted(now), time.Second)
	default:
		res.State = source.StateUpstreamError
	}
	return res
}

// broken is an exchange without an answer: too late, or none to be had.
func (s *Source) broken(op string, err error) ([]byte, source.Result, error) {
	if httpx.Timeout(err) {
		return nil, source.Result{State: source.StateTimeout, Detail: "Reddit does not answer within " + s.opts.Timeout.String()}, nil
	}
	if asked, ok := errors.AsType[*url.Error](err); ok { // its text has the address, and that may have a token
		err = asked.Err
	}
	return nil, source.Result{}, httpx.Fault(op, err)
}

// budget is what Reddit's answers say of the calls that are left, or what we count ourselves.
type budget struct {
	limit     int           // calls that Reddit takes, where its answers have not said so yet
	in        time.Duration // this long; 0 = we do not count, Reddit's answers say
	lists     int           // of these calls are for lists
	mu        sync.Mutex
	remaining float64
	resets    time.Time
	listed    int // since it was counted anew
}

func (b *budget) read(h http.Header, now time.Time) {
	left, err := strconv.ParseFloat(h.Get("X-Ratelimit-Remaining"), 64)
	if err != nil || h.Get("X-Ratelimit-Reset") == "" {
		return // answers with tokens have none
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.in > 0 && left >= 1 { // RSS is allowed fewer than these headers say
		return
	}
	b.remaining, b.resets = left, now.Add(resets(h, now))
}

// resets is how long until calls are counted anew: the header has seconds from now, or a time.
func resets(h http.Header, now time.Time) time.Duration {
	v, err := strconv.ParseFloat(h.Get("X-Ratelimit-Reset"), 64)
	switch {
	case err != nil || !(v > 0):
		return 0
	case v > 1e12:
		return time.UnixMilli(int64(min(v, 1e15))).Sub(now)
	case v > 1e9:
		return time.Unix(int64(v), 0).Sub(now)
	}
	return time.Duration(v * float64(time.Second))
}

// take counts a call, or says that none is left. A look-up leaves those for the lists that are still to come: without them no goal gets a clip.
func (b *budget) take(now time.Time, list bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !now.Before(b.resets) {
		b.remaining, b.resets, b.listed = float64(b.limit), now.Add(b.in), 0
	}
	if list {
		b.listed++
	}
	if b.remaining < 1 || !list && b.remaining < float64(1+b.lists-b.listed) {
		return false
	}
	b.remaining--
	return true
}

func (b *budget) left(now time.Time) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !now.Before(b.resets) {
		return b.limit
	}
	return max(int(b.remaining), 0)
}

func (b *budget) wait(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(b.resets.Sub(now), 0)
}

// exhausted is how long to wait where no call is left; 0 where some are.
func (b *budget) exhausted(now time.Time) time.Duration {
	if b.left(now) > 0 {
		return 0
	}
	return b.wait(now)
}
