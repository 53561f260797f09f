// Package xtweet fetches the file of a post on X without a login: it asks tweet-result for the files and downloads the
// best one within the limits. It talks to the hosts it was given and to nobody else, wherever a redirect points.
package xtweet

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// Options of the fetcher.
type Options struct {
	SyndicationURL string        // where tweet-result is asked; "" = at X
	AllowedHosts   []string      // hosts (or host:port) that files may come from; none = X's
	AnyHost        bool          // the client alone confines them
	MaxBytes       int64         // the largest file taken; 0 = 200 MB
	Timeout        time.Duration // for one post as a whole; 0 = 90 s
	LookupTimeout  time.Duration // for one tweet-result; 0 = 15 s
	Tries          int           // of the file: a byte-403 and a broken transfer may pass on the next; 0 = 3
	Pause          time.Duration // before the second try; doubles; 0 = 300 ms

	// Lookup gives the file of a post in place of tweet-result: for posts of another place.
	Lookup func(ctx context.Context, postID string) (address string, err error)
}

func (o Options) withDefaults() Options {
	o.SyndicationURL = strings.TrimRight(cmp.Or(o.SyndicationURL, "https://cdn.syndication.twimg.com"), "/")
	if len(o.AllowedHosts) == 0 {
		o.AllowedHosts = []string{"video.twimg.com"}
	}
	o.MaxBytes, o.Tries = cmp.Or(o.MaxBytes, 200<<20), cmp.Or(o.Tries, 3)
	o.Timeout, o.LookupTimeout, o.Pause = cmp.Or(o.Timeout, 90*time.Second), cmp.Or(o.LookupTimeout, 15*time.Second), cmp.Or(o.Pause, 300*time.Millisecond)
	return o
}

// Fetcher implements source.Fetcher.
type Fetcher struct {
	opts   Options
	client *http.Client
}

var _ source.Fetcher = (*Fetcher)(nil)

// New makes a fetcher; zero options take their defaults. The client must confine every hop, redirects and resolved
// addresses included (httpx with AllowHosts and DenyPrivate does); the fetcher checks the first address again itself.
func New(opts Options, client *http.Client) *Fetcher {
	return &Fetcher{opts: opts.withDefaults(), client: client}
}

// Fetch writes the best file of a post to w. The address that the search gave is tried first. It proves nothing against the post: addresses expire,
// so one is asked for anew before each try after that; a byte-403 of one edge of the CDN often passes on the next answer.
func (f *Fetcher) Fetch(ctx context.Context, c footy.Candidate, w io.Writer) (source.Fetched, error) {
	op, caller := "fetch post "+c.PostID, ctx
	ctx, cancel := context.WithTimeout(ctx, f.opts.Timeout)
	defer cancel()
	t := &transfer{out: source.NewSink(w, f.opts.MaxBytes)}
	if f.given(ctx, c, t) {
		return t.out.Fetched(t.url), nil
	}
	if err := t.out.Err; footy.ReasonOf(err) == footy.ReasonMachine { // no other address helps
		return source.Fetched{}, withReason(caller, op, err)
	}
	for try := 1; ; try++ {
		file, err := f.resolve(ctx, c.PostID)
		if err == nil {
			err = f.download(ctx, file, t)
		}
		if err == nil {
			return t.out.Fetched(t.url), nil
		}
		again, ok := errors.AsType[*retriable](err)
		if !ok {
			return source.Fetched{}, withReason(caller, op, err)
		}
		if try >= f.opts.Tries || network.Pause(ctx, f.opts.Pause<<(try-1)) != nil {
			return source.Fetched{}, withReason(caller, op, again.final)
		}
	}
}

// given tries the addresses that came with the post: lower ones where a file is too large.
func (f *Fetcher) given(ctx context.Context, c footy.Candidate, t *transfer) bool {
	for _, address := range c.Files {
		err := f.download(ctx, address, t)
		if err == nil {
			return true
		}
		t.cuts = 0 // what is cut off here may be whole at another address
		if footy.ReasonOf(err) != footy.ReasonTooLarge {
			return false
		}
	}
	return false
}

// retriable is a failure that may pass; final is what it means when it did not.
type retriable struct{ final error }

func (r *retriable) Error() string { return r.final.Error() }
func (r *retriable) Unwrap() error { return r.final }
