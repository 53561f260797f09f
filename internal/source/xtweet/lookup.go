package xtweet

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/source/tweet"
)

// lookupLimit bounds a tweet-result: real ones have some 20 kB.
const lookupLimit = 4 << 20

// resolve asks tweet-result for the MP4 files of a post, best first; it returns at least one or an error.
func (f *Fetcher) resolve(ctx context.Context, id string) ([]tweet.Variant, error) {
	const op = "look up post"
	token, err := tweet.Token(id)
	if err != nil {
		return nil, footy.Reject(op, footy.ReasonDeleted, "%w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, f.opts.LookupTimeout)
	defer cancel()
	address := f.opts.SyndicationURL + "/tweet-result?" + url.Values{"id": {id}, "lang": {"en"}, "token": {token}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, op, err)
	}
	resp, err := f.client.Do(req) //nolint:bodyclose // httpx.Drain closes it
	if err != nil {
		return nil, transport(op, err)
	}
	defer httpx.Drain(resp)
	switch s := resp.StatusCode; {
	case s == http.StatusNotFound, s == http.StatusGone:
		return nil, footy.Reject(op, footy.ReasonDeleted, "the post is gone (HTTP %d)", s)
	case s == http.StatusForbidden, s == http.StatusUnavailableForLegalReasons:
		// Unlike a 403 of the file's bytes this never passes on retry.
		return nil, footy.Errorf(footy.CodeGeoBlocked, op, "HTTP %d", s)
	case s == http.StatusTooManyRequests:
		return nil, rateLimited(op, resp)
	case s >= 500:
		return nil, &retriable{footy.Errorf(footy.CodeUnavailable, op, "HTTP %d", s)}
	case s != http.StatusOK:
		return nil, footy.Errorf(footy.CodeUnavailable, op, "HTTP %d", s)
	}
	raw, err := httpx.ReadBody(resp, lookupLimit)
	if err != nil {
		return nil, transport(op, err)
	}
	t, err := tweet.Decode(raw)
	if err != nil {
		return nil, &retriable{footy.Wrap(footy.CodeUnavailable, op, err)}
	}
	switch t.Outcome {
	case tweet.OutcomeOK:
		return t.Variants, nil
	case tweet.OutcomeDeleted, tweet.OutcomeTombstone:
		return nil, footy.Reject(op, footy.ReasonDeleted, "%s: %s", t.Outcome, t.Detail)
	case tweet.OutcomeGeoBlocked:
		return nil, footy.Errorf(footy.CodeGeoBlocked, op, "%s", t.Detail)
	}
	return nil, footy.Reject(op, footy.ReasonNoVideo, "%s", t.Detail)
}

// transport translates a failure below HTTP; a refused address is final, the rest may pass.
func transport(op string, err error) error {
	fault := httpx.Fault(op, err)
	if footy.CodeOf(fault) == footy.CodeRejected {
		return fault
	}
	return &retriable{fault}
}

func rateLimited(op string, resp *http.Response) error {
	e := footy.Errorf(footy.CodeRateLimited, op, "HTTP %d", resp.StatusCode)
	e.RetryAfter = httpx.RetryAfter(resp.Header, time.Now())
	return e
}
