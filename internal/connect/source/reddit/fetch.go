package reddit

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/tweet"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
)

// Fetcher gets the videos of posts on Reddit: its own files and those of the table of hosts over HTTP, those of further hosts through yt-dlp.
type Fetcher struct {
	source *Source
	files  xtweet.Options
	client *http.Client
	ytdlp  ytdlp
}

var _ source.Fetcher = (*Fetcher)(nil)

// NewFetcher makes a fetcher. Files come with the limits given, over a client that must confine every hop to allowed hosts; the posts
// themselves are looked up with the source's app and budget.
func NewFetcher(s *Source, files xtweet.Options, client *http.Client) *Fetcher {
	return &Fetcher{source: s, files: files, client: client,
		ytdlp: ytdlp{path: s.opts.Program, hosts: s.hosts, private: s.opts.Private, temp: s.opts.temp, within: cmp.Or(s.opts.FileTime, fileTime)}}
}

// Fetch writes the video of a post to w.
func (f *Fetcher) Fetch(ctx context.Context, c footy.Candidate, w io.Writer) (source.Fetched, error) {
	p, err := f.source.look(ctx, c.PostID)
	if err != nil {
		return source.Fetched{}, err
	}
	switch {
	case p.file.playlist != "" && f.source.opts.AddSound != nil:
		return f.withSound(ctx, p, c, w)
	case p.file.url != "":
		return f.file(p.file).Fetch(ctx, c, w)
	}
	row, _, err := f.source.opts.Table.Lookup(p.link)
	switch {
	case err == nil:
		return f.fromHost(ctx, row, c, p.link, w)
	case !f.ytdlp.knows(p.link):
		return source.Fetched{}, f.unknown(p.link)
	}
	return f.ytdlp.fetch(ctx, p.link, w)
}

// Probe looks whether a post can still be fetched.
func (f *Fetcher) Probe(ctx context.Context, c footy.Candidate) error {
	p, err := f.source.look(ctx, c.PostID)
	switch {
	case err != nil:
		return err
	case p.file.url != "":
		return f.file(p.file).Probe(ctx, c)
	}
	row, _, err := f.source.opts.Table.Lookup(p.link)
	if err != nil {
		return nil // what yt-dlp fetches is not asked twice
	}
	files, done := f.hosted(row, p.link)
	defer done()
	return files.Probe(ctx, c)
}

// file is the fetcher of one file, whose address is known.
func (f *Fetcher) file(v file) *xtweet.Fetcher {
	opts := f.files
	opts.Lookup = func(context.Context, string) ([]tweet.Variant, error) {
		return []tweet.Variant{{URL: v.url, Width: v.width, Height: v.height, DurationMS: int(v.seconds * 1000)}}, nil
	}
	return xtweet.New(opts, f.client)
}

// look looks a post up again: its file may have moved, and it may be gone.
func (s *Source) look(ctx context.Context, id string) (post, error) {
	op := "look up post " + id
	trouble := func(code footy.Code, res source.Result) error {
		e := footy.Errorf(code, op, "%s", res.Detail)
		e.Reason, e.RetryAfter = footy.ReasonFetchFailed, res.RetryAfter
		return e
	}
	posts, res, err := s.named(ctx, op, id)
	switch {
	case ctx.Err() != nil:
		return post{}, footy.Wrap(footy.CodeUnavailable, op, ctx.Err())
	case err != nil:
		return post{}, trouble(footy.CodeUnavailable, source.Result{Detail: err.Error()})
	case res.Status == http.StatusUnavailableForLegalReasons:
		return post{}, &footy.Error{Code: footy.CodeGeoBlocked, Op: op, Reason: footy.ReasonGeoBlocked}
	case res.State == source.StateRateLimited:
		return post{}, trouble(footy.CodeRateLimited, res)
	case res.State != "":
		return post{}, trouble(footy.CodeUnavailable, res)
	case len(posts) == 0:
		return post{}, footy.Reject(op, footy.ReasonDeleted, "Reddit knows no such post")
	case posts[0].removed || posts[0].author == "[deleted]":
		return post{}, footy.Reject(op, footy.ReasonDeleted, "the post was removed")
	case !posts[0].hasVideo() && !posts[0].elsewhere():
		return post{}, footy.Reject(op, footy.ReasonNoVideo, "it links to no video that can be fetched")
	}
	return posts[0], nil
}

// named is the post of that name as Reddit has it now; none if it knows no such post. A state that is not empty says why it could not be asked.
func (s *Source) named(ctx context.Context, op, id string) ([]post, source.Result, error) {
	if s.opts.Way() != ByApp {
		return s.namedByRSS(ctx, op, id)
	}
	raw, res, err := s.call(ctx, op, "/api/info", url.Values{"id": {id}, "raw_json": {"1"}})
	if err != nil || res.State != "" {
		return nil, res, err
	}
	list, res := s.read(raw)
	return list.posts, res, nil
}
