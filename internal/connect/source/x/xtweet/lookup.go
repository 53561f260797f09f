package xtweet

import (
	"context"
	"net/http"
	"net/url"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source/x/tweet"
	"github.com/found-footy/found-footy/internal/footy"
)

const opLookup = "look up post"

// lookupLimit bounds a tweet-result: real ones have some 20 kB.
const lookupLimit = 4 << 20

// resolve asks tweet-result for the MP4 files of a post, best first; it returns at least one or an error.
func (f *Fetcher) resolve(ctx context.Context, id string) ([]tweet.Variant, error) {
	const op = opLookup
	if f.opts.Lookup != nil {
		return f.opts.Lookup(ctx, id)
	}
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
		return nil, connectionError(op, err)
	}
	defer httpx.Drain(resp)
	if resp.StatusCode != http.StatusOK {
		return nil, statusError(lookupAnswers, op, resp)
	}
	raw, err := httpx.ReadBody(resp, lookupLimit)
	if err != nil {
		return nil, connectionError(op, err)
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
