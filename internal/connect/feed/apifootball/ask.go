package apifootball

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

const (
	maxBody    = 64 << 20 // a whole day is 2 MB, twenty fixtures with line-ups and statistics are 3 MB
	tries      = 2        // the next cycle comes anyway
	firstPause = 500 * time.Millisecond
	vendorGone = 499 // the vendor's own time-out
)

func (f *Feed) fetchFixtures(ctx context.Context, op string, q url.Values) (Envelope, time.Time, error) {
	if err := f.spent(); err != nil {
		return Envelope{}, time.Time{}, footy.Wrap(footy.CodeRateLimited, op, err)
	}
	body, at, err := f.get(ctx, op, "/fixtures?"+q.Encode())
	if err != nil {
		return Envelope{}, at, err
	}
	env, err := Open(body, at)
	f.noteSpent(err, at)
	return env, at, footy.Wrap(footy.CodeUnavailable, op, err)
}

// get makes one call, and another where the first got no answer: what the vendor refuses, it refuses again. One slow try leaves room for the
// other.
func (f *Feed) get(ctx context.Context, op, path string) (body []byte, at time.Time, err error) {
	_, _ = backoff.Retry(ctx, func() (struct{}, error) { // err has how the last try ended
		if body, at, err = f.getOnce(ctx, op, path); footy.CodeOf(err) != footy.CodeUnavailable || errors.Is(err, feed.ErrWrongAddress) {
			return struct{}{}, backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(firstPause)), backoff.WithMaxTries(tries))
	return body, at, err
}

func (f *Feed) getOnce(ctx context.Context, op, path string) ([]byte, time.Time, error) {
	call := httpx.Call{Address: f.o.BaseURL + path, Within: f.o.Timeout / tries, Most: maxBody,
		Header: map[string]string{"x-apisports-key": f.o.Key, "Accept": "application/json"}}
	began := time.Now()
	resp, body, err := call.Do(ctx, f.client) //nolint:bodyclose // it closes it
	if resp == nil {
		return nil, time.Time{}, httpx.Fault(op, f.unanswered(err, began))
	}
	at := f.o.Now().UTC()
	f.noteQuota(resp.Header, at)
	if refused := f.refused(resp, body, at); refused != nil {
		f.noteSpent(refused, at)
		return nil, at, footy.Wrap(footy.CodeUnavailable, op, refused)
	}
	if err != nil {
		return nil, at, footy.Wrap(footy.CodeUnavailable, op, f.unanswered(err, began))
	}
	if !json.Valid(body) {
		what := "something that is not JSON"
		if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
			what = "a web page"
		}
		return nil, at, footy.Errorf(footy.CodeUnavailable, op, "%s answers with %s: %w", f.address(), what, feed.ErrWrongAddress)
	}
	return body, at, nil
}

// address is where the feed is, as the person who set it knows it.
func (f *Feed) address() string {
	at := f.o.BaseURL
	if u, err := url.Parse(at); err == nil {
		at = u.Redacted()
	}
	return "API_FOOTBALL_URL=" + at
}

// unanswered says whom we asked, and for how long where that is what failed.
func (f *Feed) unanswered(err error, began time.Time) error {
	switch {
	case network.Offline(err): // that is not the feed's fault
		return network.InWords(err)
	case httpx.Timeout(err):
		return fmt.Errorf("%s: %w, no answer within %d s", f.address(), network.InWords(err), max(1, int(time.Since(began).Round(time.Second).Seconds())))
	}
	return fmt.Errorf("%s gave no answer: %w", f.address(), network.InWords(err))
}

// refused translates a status that is no answer.
func (f *Feed) refused(resp *http.Response, body []byte, now time.Time) error {
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	// A refusal may explain itself in an envelope, which knows better.
	if _, err := Open(body, now); err != nil && footy.CodeOf(err) != footy.CodeUnavailable {
		return err
	}
	e := httpx.Refused("", f.address(), resp, now)
	if e.Code == footy.CodeUnavailable && resp.StatusCode < vendorGone { // the vendor refuses in words, with 200
		e.Err = fmt.Errorf("%w: %w", e.Err, feed.ErrWrongAddress)
	}
	return e
}

// noteQuota keeps what the vendor says of the calls left. A header that is missing or nonsense changes nothing.
func (f *Feed) noteQuota(h http.Header, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for name, field := range map[string]*int{
		"x-ratelimit-requests-limit":     &f.quota.DayLimit,
		"x-ratelimit-requests-remaining": &f.quota.DayRemaining,
		"X-RateLimit-Limit":              &f.quota.MinuteLimit,
		"X-RateLimit-Remaining":          &f.quota.MinuteRemaining,
	} {
		if n, err := strconv.Atoi(h.Get(name)); err == nil && n >= 0 {
			*field, f.quota.At = n, at
			f.counts = f.counts || field == &f.quota.DayRemaining
		}
	}
}

// spent is why no call is made now: the vendor said that none is left of the day or of the minute.
func (f *Feed) spent() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	now, minute := f.o.Now().UTC(), time.Minute/time.Duration(f.o.Scale)
	e := footy.Errorf(footy.CodeRateLimited, "", "the plan's calls of this minute are used up")
	switch day := lifecycle.Midnight(f.quota.At); {
	case f.quota.DayRemaining == 0 && now.Before(day):
		e.Err, e.RetryAfter = feed.ErrDaySpent, day.Sub(now)
	case f.quota.MinuteLimit > 0 && f.quota.MinuteRemaining == 0 && now.Sub(f.quota.At) < minute:
		e.RetryAfter = minute - now.Sub(f.quota.At)
	default:
		return nil
	}
	return e
}

// noteAccount notes the day's calls as the account has them, where no header tells or the last one told of none.
func (f *Feed) noteAccount(a feed.Account, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.counts || f.quota.DayRemaining == 0 {
		f.quota.DayLimit, f.quota.DayRemaining, f.quota.At = a.DayLimit, max(0, a.DayLimit-a.Used), at
	}
}

// noteSpent notes that the day's calls are used up, whatever the headers say: such an answer may have none.
func (f *Feed) noteSpent(err error, at time.Time) {
	if errors.Is(err, feed.ErrDaySpent) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.quota.DayRemaining, f.quota.At = 0, at
	}
}
