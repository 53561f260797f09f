package reddit

import (
	"context"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
)

// Fetcher gets the videos of posts on Reddit: its own files, and those of the hosts that posts link to.
type Fetcher struct {
	source *Source
	files  xtweet.Options
	client *http.Client
}

var _ source.Fetcher = (*Fetcher)(nil)

// NewFetcher makes a fetcher. Files come with the limits given, over a client that must confine every hop to allowed hosts; the posts
// themselves are looked up with the source's app and budget.
func NewFetcher(s *Source, files xtweet.Options, client *http.Client) *Fetcher {
	return &Fetcher{source: s, files: files, client: client}
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
	return f.fromHost(ctx, c, p.link, w)
}

// file is the fetcher of one file, whose address is known.
func (f *Fetcher) file(v file) *xtweet.Fetcher {
	opts := f.files
	opts.Lookup = func(context.Context, string) (string, error) { return v.url, nil }
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
	case !posts[0].hasVideo():
		return post{}, footy.Reject(op, footy.ReasonNoVideo, "it links to no video that can be fetched")
	}
	return posts[0], nil
}

// named is the post of that name as Reddit has it now, with the file of its video; none if it knows no such post. A state that is not empty says
// why it could not be asked.
func (s *Source) named(ctx context.Context, op string, c footy.Candidate) ([]post, source.Result, error) {
	var p post
	if c.Link != "" {
		p.link, p.external = c.Link, !s.own(&p, video{}, c.Link)
	} else {
		posts, res, err := s.byName(ctx, op, c.PostID)
		if err != nil || res.State != "" || len(posts) == 0 {
			return nil, res, err
		}
		p = posts[0]
	}
	if p.file.playlist == "" || p.file.url != "" {
		return []post{p}, source.Result{}, nil
	}
	res, err := s.resolve(ctx, op, &p.file)
	p.removed = p.removed || p.file.url == "" && res.State == "" && err == nil
	return []post{p}, res, err
}

func (s *Source) byName(ctx context.Context, op, id string) ([]post, source.Result, error) {
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

func (f *Fetcher) fromHost(ctx context.Context, c footy.Candidate, page string, w io.Writer) (source.Fetched, error) {
	row, _, err := f.source.opts.Table.Lookup(page)
	if err != nil {
		return source.Fetched{}, footy.Reject("fetch a clip", footy.ReasonNoVideo, "%w", err)
	}
	var r hosts.Record
	ledger := f.source.opts.Ledger
	if ledger != nil {
		if r, err = ledger.Record(ctx, row.Name); err != nil {
			return source.Fetched{}, err
		}
	}
	if !row.Known() && r.Rests(f.source.opts.Now()) {
		return source.Fetched{}, row.Resting(r)
	}
	o := f.files
	var answer hosts.Answer
	o.AnyHost = true // the client confines it
	o.Lookup = func(ctx context.Context, _ string) (string, error) {
		var err error
		answer, err = f.at(ctx, page, r.Way, false)
		return answer.File, err
	}
	to := f.hosts(page)
	to.Timeout, to.AllowHosts, to.OnlyHTTPS = 90*time.Second, row.Files, true
	client := httpx.New(to)
	defer client.CloseIdleConnections()
	got, err := xtweet.New(o, client).Fetch(ctx, c, w)
	if ctx.Err() != nil {
		return got, err
	}
	if err != nil {
		err = row.Failure(err)
	}
	if ledger == nil {
		return got, err
	}
	if footy.ReasonOf(err) == footy.ReasonDeleted {
		err = f.believed(ctx, row, r, page, err)
	}
	switch reason := footy.ReasonOf(err); {
	case err == nil:
		ledger.Note(ctx, row.Name, hosts.Outcome{Page: page, Way: answer.Way})
	case reason == footy.ReasonNoVideo && !row.Known():
		ledger.Note(ctx, row.Name, hosts.Outcome{Page: page, Failure: hosts.NoVideo + hosts.What(err)})
	case reason == footy.ReasonHostFailed || reason == footy.ReasonUnknownHost: // anything else says nothing of the host
		ledger.Note(ctx, row.Name, hosts.Outcome{Page: page, Failure: hosts.What(err)})
	}
	return got, err
}

// believed is whether a clip that is said to be gone may be: a host that has changed, or closed, says so of every clip, of one that it had, too.
// Where its pages name the files, a guess that still fits an older clip is no proof.
func (f *Fetcher) believed(ctx context.Context, row hosts.Row, r hosts.Record, page string, gone error) error {
	why := "no other clip of it was fetched yet"
	for _, known := range r.Known {
		if known == page {
			continue
		}
		if _, err := f.at(ctx, known, r.Way, row.Names()); err == nil {
			return gone
		}
		why = "nor can one be fetched that could be before"
	}
	return row.Doubted(gone, why)
}

// lookWithin is what it may take to find a file, all ways together.
const lookWithin = 45 * time.Second

func (f *Fetcher) at(ctx context.Context, page, way string, pages bool) (hosts.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	a, err := f.source.opts.Table.Resolve(page, way, pages, hosts.Asker(ctx, f.hosts(page)))
	if err == nil && a.Gone != "" {
		err = hosts.Dead(a)
	}
	return a, err
}

// hosts is how they may be asked about a page.
func (f *Fetcher) hosts(page string) httpx.Options {
	return httpx.Options{DenyPrivate: !f.source.opts.Private, Instead: f.source.opts.HostsURL, Referer: hosts.Site(page)}
}

// mayBeClip reports whether the video of a link may be found: on a host of the table, or wherever a page points at one.
func (s *Source) mayBeClip(link string) bool {
	return !hosts.Never(link) || s.opts.Table.Knows(link)
}

// AddSound puts the sound of one file to the picture of another, into a third.
type AddSound func(ctx context.Context, video, audio, out string) error

const opSound = "fetch the sound of a video of Reddit"

// withSound writes the video of a post with its sound to w, which Reddit keeps in a file of its own. Where that cannot be had, the video
// goes without: a silent clip is a clip.
func (f *Fetcher) withSound(ctx context.Context, p post, c footy.Candidate, w io.Writer) (source.Fetched, error) {
	dir, err := f.source.opts.temp("footy-reddit-*")
	if err != nil {
		return source.Fetched{}, unwritten(err)
	}
	defer os.RemoveAll(dir)
	video, audio, both := filepath.Join(dir, "video.mp4"), filepath.Join(dir, "audio.mp4"), filepath.Join(dir, "both.mp4")
	got, err := into(video, func(w io.Writer) (source.Fetched, error) { return f.file(p.file).Fetch(ctx, c, w) })
	if err != nil {
		return got, err
	}
	whole := video
	if track, err := f.track(ctx, p.file.playlist); err == nil {
		if _, err := into(audio, func(w io.Writer) (source.Fetched, error) { return f.file(file{url: track}).Fetch(ctx, c, w) }); err == nil &&
			f.source.opts.AddSound(ctx, video, audio, both) == nil {
			whole = both
		}
	}
	if ctx.Err() != nil { // or the clip would be silent because somebody gave up
		return source.Fetched{}, footy.Wrap(footy.CodeUnavailable, opSound, ctx.Err())
	}
	in, err := os.Open(whole)
	if err != nil {
		return source.Fetched{}, unwritten(err)
	}
	defer in.Close()
	out := source.NewSink(w, math.MaxInt64)
	if _, err = io.Copy(out, in); err != nil {
		return source.Fetched{}, unwritten(err)
	}
	return out.Fetched(got.URL), nil
}

// unwritten is a failure of this machine's disk.
func unwritten(err error) error {
	return &footy.Error{Code: footy.CodeUnavailable, Op: opSound, Reason: footy.ReasonMachine, Err: err}
}

func into(path string, write func(io.Writer) (source.Fetched, error)) (source.Fetched, error) {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return source.Fetched{}, unwritten(err)
	}
	got, err := write(out)
	if closed := out.Close(); err == nil && closed != nil {
		err = unwritten(closed)
	}
	return got, err
}

// track is the address of the best sound that a play-list names. Whether its host is allowed is looked at when it is fetched.
func (f *Fetcher) track(ctx context.Context, address string) (string, error) {
	if at, err := url.Parse(address); err != nil || !httpx.Allowed(at.Host, f.files.AllowedHosts) {
		return "", footy.Reject(opSound, footy.ReasonForbiddenURL, "%s is not on an allowed host", address)
	}
	track, status, err := trackOf(ctx, f.client, f.source.opts.Timeout, opSound, address, "audio")
	if err == nil && track == "" {
		err = footy.Errorf(footy.CodeNotFound, opSound, "its play-list names none (HTTP %d)", status)
	}
	return track, err
}

// trackOf asks for a play-list, and gives the address of its best track of a kind (video, audio); "" if it names none, or is refused: the
// status says so.
func trackOf(ctx context.Context, client *http.Client, within time.Duration, op, address, kind string) (track string, status int, err error) {
	resp, raw, err := httpx.Call{Address: address, Within: within, Most: 1 << 20}.Do(ctx, client) //nolint:bodyclose // it closes it
	if resp == nil {
		return "", 0, httpx.Fault(op, err)
	}
	if resp.StatusCode != http.StatusOK {
		return "", resp.StatusCode, nil
	}
	var list hosts.Playlist
	if err == nil {
		list, err = hosts.ReadPlaylist(raw)
	}
	if track = list.Best(kind); err != nil || track == "" {
		return "", resp.StatusCode, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if base, err := url.Parse(address); err == nil {
		if u, err := base.Parse(track); err == nil {
			return u.String(), resp.StatusCode, nil
		}
	}
	return "", resp.StatusCode, nil
}
