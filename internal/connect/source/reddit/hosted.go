package reddit

import (
	"context"
	"io"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/connect/source/x/tweet"
	"github.com/found-footy/found-footy/internal/connect/source/x/xtweet"
	"github.com/found-footy/found-footy/internal/footy"
)

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
	o.Lookup = func(ctx context.Context, _ string) ([]tweet.Variant, error) {
		a, err := f.source.opts.Table.Resolve(page, hosts.Asker(ctx, to))
		if err == nil && a.Gone != "" {
			err = row.Dead(a.Gone)
		}
		return []tweet.Variant{{URL: a.File}}, err
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
