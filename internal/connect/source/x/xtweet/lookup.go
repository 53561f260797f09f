package xtweet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/connect/source/x/tweet"
	"github.com/found-footy/found-footy/internal/footy"
)

const opLookup = "look up post"

// lookupLimit bounds a tweet-result: real ones have some 20 kB.
const lookupLimit = 4 << 20

func (f *Fetcher) resolve(ctx context.Context, id string) (address string, err error) {
	const op = opLookup
	if f.opts.Lookup != nil {
		return f.opts.Lookup(ctx, id)
	}
	id, video := snowflake.Split(id)
	token, err := tweet.Token(id)
	if err != nil {
		return "", footy.Reject(op, footy.ReasonDeleted, "%w", err)
	}
	address = f.opts.SyndicationURL + "/tweet-result?" + url.Values{"id": {id}, "lang": {"en"}, "token": {token}}.Encode()
	resp, raw, err := httpx.Call{Address: address, Within: f.opts.LookupTimeout, Most: lookupLimit}.Do(ctx, f.client) //nolint:bodyclose // it closes it
	if resp != nil && resp.StatusCode != http.StatusOK {
		return "", statusError(op, resp)
	}
	if err != nil {
		return "", connectionError(op, err)
	}
	t, err := tweet.Decode(raw, video)
	if err != nil {
		return "", &retriable{footy.Wrap(footy.CodeUnavailable, op, err)}
	}
	switch t.Outcome {
	case tweet.OutcomeOK:
		return t.Variants[0].URL, nil
	case tweet.OutcomeDeleted, tweet.OutcomeTombstone:
		return "", footy.Reject(op, footy.ReasonDeleted, "%s: %s", t.Outcome, t.Detail)
	case tweet.OutcomeGeoBlocked:
		return "", footy.Errorf(footy.CodeGeoBlocked, op, "%s", t.Detail)
	}
	return "", footy.Reject(op, footy.ReasonNoVideo, "%s", t.Detail)
}

// statusError says what X's answers mean that are no success. Three kinds of answers are told apart:
//
//   - A fact about the post: refused with its reason, for good. No video, too large, cut off at the same byte twice, an
//     address on a host that is not allowed.
//   - A suspicion about the post: refused as deleted, or geo-blocked. X answers a blocked address or an outdated token
//     with the same 403, 404 or {} for every post, so one such answer proves nothing: whoever asks believes it when it
//     comes again later while other posts can be fetched.
//   - Trouble, with the reason fetch_failed: it says nothing about the post, which can only wait.
//
// Bodies that came with 200 are read by package tweet: tombstones of any wording and {} are deleted, media that are
// withheld are geo_blocked or deleted, a post without an MP4 is no_video; what is no tweet-result at all is trouble.
// So are 400 and 401 of a look-up: they mean a token that X no longer takes.
//
// The address of a file may be stale, and one edge of the CDN may refuse what another gives: it is asked for anew before that counts.
func statusError(op string, resp *http.Response) error {
	status, stale := resp.StatusCode, false
	e := &footy.Error{Code: footy.CodeUnavailable, Op: op, Err: fmt.Errorf("HTTP %d", status)}
	switch status {
	case http.StatusNotFound, http.StatusGone:
		e.Code, e.Reason, stale = footy.CodeRejected, footy.ReasonDeleted, true
	case http.StatusForbidden:
		e.Code, stale = footy.CodeGeoBlocked, true
	case http.StatusUnavailableForLegalReasons:
		e.Code = footy.CodeGeoBlocked
	case http.StatusTooManyRequests:
		e.Code, e.RetryAfter = footy.CodeRateLimited, httpx.RetryAfter(resp.Header, time.Now())
	}
	if status >= 500 || op == opFile && stale {
		return &retriable{e}
	}
	return e
}

// connectionError translates a failure below HTTP. A redirect to a host that is not allowed is the post's doing. A refused dial
// is not: an allowed name led to a private address, as the names of X do in networks that block it by DNS.
func connectionError(op string, err error) error {
	fault := httpx.Fault(op, err)
	var dial *net.OpError
	if footy.CodeOf(fault) != footy.CodeRejected {
		return &retriable{fault}
	}
	if op == opLookup || errors.As(err, &dial) {
		return footy.Errorf(footy.CodeUnavailable, op, "%w", uncoded{err})
	}
	return fault
}

// uncoded hides the code of a cause.
type uncoded struct{ error }

// withReason gives every failure that leaves the package its reason; one that the caller itself ended has none.
func withReason(ctx context.Context, op string, err error) error {
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*footy.Error](footy.Wrap(footy.CodeUnavailable, op, err))
	if ok && e.Reason == "" && ctx.Err() == nil {
		switch e.Code {
		case footy.CodeGeoBlocked:
			e.Reason = footy.ReasonGeoBlocked
		default:
			e.Reason = footy.ReasonFetchFailed
		}
	}
	return e
}
