// Package xtweet fetches the video file of a post: it looks the post up without a login and takes the best copy within
// the limits. It follows addresses that strangers supply, so it reaches allowed hosts only.
package xtweet

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/source/tweet"
)

// Options confine the fetcher.
type Options struct {
	SyndicationURL string        // where posts are looked up
	AllowedHosts   []string      // hosts that files may come from
	MaxBytes       int64         // larger files are refused
	Timeout        time.Duration // of one file with all its tries
	Tries          int           // of a transfer that breaks or is refused
	Pause          time.Duration // between two tries
}

// Defaults are the product's own limits.
func Defaults() Options {
	return Options{
		SyndicationURL: "https://cdn.syndication.twimg.com", AllowedHosts: []string{"video.twimg.com"},
		MaxBytes: 200 << 20, Timeout: 90 * time.Second, Tries: 3, Pause: 300 * time.Millisecond,
	}
}

// Fetcher implements source.Fetcher.
type Fetcher struct {
	opts   Options
	client *http.Client
}

var _ source.Fetcher = (*Fetcher)(nil)

// maxLookup bounds the answer of a look-up.
const maxLookup = 4 << 20

// New makes a fetcher; zero fields of opts take their defaults. The client must check every redirect against the allowed
// hosts itself (httpx does).
func New(opts Options, client *http.Client) *Fetcher {
	d := Defaults()
	if opts.SyndicationURL == "" {
		opts.SyndicationURL = d.SyndicationURL
	}
	if len(opts.AllowedHosts) == 0 {
		opts.AllowedHosts = d.AllowedHosts
	}
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = d.MaxBytes
	}
	if opts.Timeout <= 0 {
		opts.Timeout = d.Timeout
	}
	if opts.Tries <= 0 {
		opts.Tries = d.Tries
	}
	if opts.Pause <= 0 {
		opts.Pause = d.Pause
	}
	opts.SyndicationURL = strings.TrimRight(opts.SyndicationURL, "/")
	return &Fetcher{opts: opts, client: client}
}

// Fetch writes the best copy of a candidate's video to w. A transfer that breaks goes on where it broke; a refused one
// looks the post up anew, because addresses expire.
func (f *Fetcher) Fetch(ctx context.Context, c footy.Candidate, w io.Writer, progress func(int64)) (source.Fetched, error) {
	ctx, cancel := context.WithTimeout(ctx, f.opts.Timeout)
	defer cancel()
	t := newTransfer(w, f.opts.MaxBytes, progress)
	var err error
	for try := range f.opts.Tries {
		if try > 0 {
			select {
			case <-ctx.Done():
				return source.Fetched{}, footy.Wrap(footy.CodeUnavailable, "fetch post "+c.PostID, ctx.Err())
			case <-time.After(time.Duration(try) * f.opts.Pause):
			}
		}
		var v tweet.Variant
		if v, err = f.lookup(ctx, c); err != nil {
			return source.Fetched{}, err
		}
		var again bool
		if again, err = f.transfer(ctx, v.URL, t); err == nil {
			return t.fetched(v.URL), nil
		}
		if !again {
			break
		}
	}
	return source.Fetched{}, err
}

// lookup asks for the post and chooses its best file.
func (f *Fetcher) lookup(ctx context.Context, c footy.Candidate) (tweet.Variant, error) {
	op := "look up post " + c.PostID
	token, err := tweet.Token(c.PostID)
	if err != nil {
		return tweet.Variant{}, footy.Reject(op, footy.ReasonDeleted, "%v", err)
	}
	q := url.Values{"id": {c.PostID}, "token": {token}, "lang": {"en"}}
	res, err := f.get(ctx, f.opts.SyndicationURL+"/tweet-result?"+q.Encode(), "")
	if err != nil {
		return tweet.Variant{}, httpx.Fault(op, err)
	}
	defer httpx.Drain(res)
	switch {
	case res.StatusCode == http.StatusNotFound:
		return tweet.Variant{}, footy.Reject(op, footy.ReasonDeleted, "the post is not available")
	case res.StatusCode == http.StatusForbidden: // final, unlike a refused file
		return tweet.Variant{}, footy.Errorf(footy.CodeGeoBlocked, op, "HTTP 403")
	case res.StatusCode == http.StatusTooManyRequests:
		return tweet.Variant{}, &footy.Error{Code: footy.CodeRateLimited, Op: op, RetryAfter: httpx.RetryAfter(res.Header, time.Now()), Err: fmt.Errorf("HTTP 429")}
	case res.StatusCode != http.StatusOK:
		return tweet.Variant{}, footy.Errorf(footy.CodeUnavailable, op, "HTTP %d", res.StatusCode)
	}
	body, err := httpx.ReadBody(res, maxLookup)
	if err != nil {
		return tweet.Variant{}, httpx.Fault(op, err)
	}
	post, err := tweet.Decode(body)
	if err != nil {
		return tweet.Variant{}, footy.Errorf(footy.CodeUnavailable, op, "%w", err)
	}
	return choose(op, post)
}

func choose(op string, t tweet.Tweet) (tweet.Variant, error) {
	switch t.Outcome {
	case tweet.OutcomeDeleted, tweet.OutcomeTombstone:
		return tweet.Variant{}, footy.Reject(op, footy.ReasonDeleted, "%s", t.Detail)
	case tweet.OutcomeGeoBlocked:
		return tweet.Variant{}, footy.Errorf(footy.CodeGeoBlocked, op, "%s", t.Detail)
	}
	best, ok := t.Best()
	if !ok {
		return best, footy.Reject(op, footy.ReasonNoVideo, "%s", t.Detail)
	}
	return best, nil
}

func (f *Fetcher) get(ctx context.Context, addr, span string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, addr, nil)
	if err != nil {
		return nil, err
	}
	if span != "" {
		req.Header.Set("Range", span)
	}
	return f.client.Do(req)
}
