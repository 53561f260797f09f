package reddit

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
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
	p, err := f.source.look(ctx, c)
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
	p, err := f.source.look(ctx, c)
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
	opts.Lookup = func(context.Context, string) (tweet.Variant, error) { return tweet.Variant{URL: v.url}, nil }
	return xtweet.New(opts, f.client)
}

// look looks a post up again: its file may have moved, and it may be gone. Of a comment it looks at what that links to.
func (s *Source) look(ctx context.Context, c footy.Candidate) (post, error) {
	op := "look up post " + c.PostID
	trouble := func(code footy.Code, res source.Result) error {
		e := footy.Errorf(code, op, "%s", res.Detail)
		e.Reason, e.RetryAfter = footy.ReasonFetchFailed, res.RetryAfter
		return e
	}
	posts, res, err := s.named(ctx, op, c)
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
func (s *Source) named(ctx context.Context, op string, c footy.Candidate) ([]post, source.Result, error) {
	id := c.PostID
	if c.Link != "" {
		return s.withFile(ctx, op, post{link: c.Link, external: true, file: file{playlist: s.playlistOf(c.Link)}})
	}
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

// fromHost writes the video of a page to w, which the table of hosts knows.
func (f *Fetcher) fromHost(ctx context.Context, row hosts.Row, c footy.Candidate, page string, w io.Writer) (source.Fetched, error) {
	files, done := f.hosted(row, page)
	defer done()
	got, err := files.Fetch(ctx, c, w)
	if ctx.Err() != nil {
		return got, err
	}
	if err != nil {
		err = row.Failure(err)
	}
	ledger := f.source.opts.Ledger
	if ledger == nil {
		return got, err
	}
	if footy.ReasonOf(err) == footy.ReasonDeleted {
		err = f.believed(ctx, row, c, page, err)
	}
	switch reason := footy.ReasonOf(err); {
	case err == nil:
		ledger.Note(ctx, row.Name, page, "")
	case reason == footy.ReasonHostFailed || reason == footy.ReasonUnknownHost: // anything else says nothing of the host
		ledger.Note(ctx, row.Name, page, hosts.What(err))
	}
	return got, err
}

// believed is whether a clip that is said to be gone may be: a host that has changed says so of every clip, of one that it had, too.
func (f *Fetcher) believed(ctx context.Context, row hosts.Row, c footy.Candidate, page string, gone error) error {
	r, err := f.source.opts.Ledger.Record(ctx, row.Name)
	if err != nil {
		return err
	}
	why := "no other clip of it was fetched yet"
	for _, known := range r.Known {
		if known == page {
			continue
		}
		files, done := f.hosted(row, known)
		err := files.Probe(ctx, c)
		done()
		if err == nil {
			return gone
		}
		why = "nor can one be fetched that could be before"
	}
	return row.Doubted(gone, why)
}

// hosted is the fetcher of the file that belongs to a page, confined to those who may serve it.
func (f *Fetcher) hosted(row hosts.Row, page string) (files *xtweet.Fetcher, done func()) {
	to := httpx.Options{DenyPrivate: !f.source.opts.Private, Instead: f.source.opts.HostsURL}
	o := f.files
	o.AllowedHosts = row.Files
	o.Lookup = func(ctx context.Context, _ string) (tweet.Variant, error) {
		a, err := f.source.opts.Table.Resolve(page, hosts.Asker(ctx, to))
		if err == nil && a.Gone != "" {
			err = row.Dead(a.Gone)
		}
		return tweet.Variant{URL: a.File}, err
	}
	at := to
	at.Timeout, at.AllowHosts, at.OnlyHTTPS = 90*time.Second, row.Files, true
	client := httpx.New(at)
	return xtweet.New(o, client), client.CloseIdleConnections
}

// unknown is a link that nobody here can fetch from: an operator can end that.
func (f *Fetcher) unknown(link string) error {
	_, _, err := f.source.opts.Table.Lookup(link)
	return &footy.Error{Code: footy.CodeUnavailable, Op: "fetch " + link, Reason: footy.ReasonUnknownHost, Err: err}
}

// known reports whether anybody here may know where the video of a link lies.
func (s *Source) known(link string) bool {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return false
	}
	return s.opts.Table.Knows(link) || len(s.hosts) > 0 && httpx.Allowed(u.Host, s.hosts)
}
