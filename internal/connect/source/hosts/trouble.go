package hosts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// abused is a part of the names of hosts that serve a film in place of one that was taken down.
const abused = "terms-of-service-abuse"

// Dead is the refusal of a clip that its host no longer has: a suspicion about the post, as of any that is deleted.
func Dead(a Answer) error {
	return &footy.Error{Code: footy.CodeRejected, Op: "fetch a clip", Reason: footy.ReasonDeleted, Err: failure{a.Host, errors.New(a.Gone)}}
}

// Resting is trouble of a host that was asked for enough pages.
func (r Row) Resting(rec Record) error {
	return r.trouble("it failed alike for %d pages (%s), gave no clip yet, and is asked again after an hour", len(rec.Failed), rec.How)
}

// Failure says what it means that a file broke off which had begun as a video: the host's trouble. What is about the file itself stays as it
// is, and so does what this machine could not do.
func (r Row) Failure(err error) error {
	reason := footy.ReasonOf(err)
	switch {
	case errors.As(err, new(failure)): // it says so itself
		return err
	case reason == footy.ReasonForbiddenURL, reason == footy.ReasonDeleted:
	case footy.CodeOf(err) == footy.CodeRejected, reason != "" && reason != footy.ReasonFetchFailed && reason != footy.ReasonGeoBlocked:
		return err
	}
	out := r.trouble("%s", cause(err))
	if e, ok := errors.AsType[*footy.Error](err); ok && e.Code == footy.CodeRateLimited {
		out.Code, out.RetryAfter = e.Code, e.RetryAfter
	}
	return out
}

// Doubted is trouble in place of a refusal that may not be about the clip.
func (r Row) Doubted(gone error, because string) error {
	return r.trouble("%s; %s", What(gone), because)
}

// trouble is the host's, and never the post's.
func (r Row) trouble(format string, args ...any) *footy.Error {
	return &footy.Error{Code: footy.CodeUnavailable, Op: "fetch a clip", Reason: footy.ReasonHostFailed, Err: failure{r.Name, fmt.Errorf(format, args...)}}
}

// failure is what happened at the host of a row.
type failure struct {
	row  string
	what error
}

func (f failure) Error() string { return f.row + ": " + f.what.Error() }

func (f failure) Unwrap() error { return f.what }

// What is the failure without the name of its row.
func What(err error) string {
	if f, ok := errors.AsType[failure](err); ok {
		return f.what.Error()
	}
	return footy.RootCause(err)
}

// unlisted is trouble that an operator can end.
func (r Row) unlisted(at *url.URL) error {
	e := r.trouble("it lies at %s://%s, and the row %s names others that may serve it; change its files in %s", at.Scheme, at.Host, r.Name, File)
	e.Reason = footy.ReasonUnknownHost
	return e
}

// cause is what happened, without the addresses that differ by the clip.
func cause(err error) string {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return network.Shorten(failed.Err)
	}
	return footy.RootCause(err)
}

// The limits of one page, and of one exchange.
const (
	maxPage = 4 << 20
	within  = 15 * time.Second
)

// Asker asks hosts, as o confines it: over https on every hop. Of what is a video it reads the first bytes alone.
func Asker(ctx context.Context, o httpx.Options) Ask {
	return func(address string, whole bool) (Asked, error) {
		o.Timeout, o.OnlyHTTPS = within, true
		client := httpx.New(o)
		defer client.CloseIdleConnections()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return Asked{}, err
		}
		if !whole {
			req.Header.Set("Accept-Encoding", "identity")
			req.Header.Set("Range", fmt.Sprintf("bytes=0-%d", source.KindBytes-1))
		}
		res, err := client.Do(req)
		if err != nil {
			return Asked{}, err
		}
		defer res.Body.Close() // not drained: a server that ignores the range sends the whole file
		body, err := io.ReadAll(io.LimitReader(res.Body, source.KindBytes))
		got := Asked{Status: res.StatusCode, Body: body, Kind: source.KindOf(unpacked(body)), At: res.Request.URL, Wait: httpx.RetryAfter(res.Header, time.Now())}
		if err != nil || !whole || got.Kind == source.KindVideo || got.Status != http.StatusOK {
			return got, err
		}
		rest, err := io.ReadAll(io.LimitReader(res.Body, maxPage-int64(len(body))+1))
		if got.Body = append(body, rest...); err == nil && len(got.Body) > maxPage {
			err = httpx.ErrTooLarge
		}
		return got, err
	}
}

// hop is the address at which an exchange failed: where a redirect led, where one did; nil if nobody says.
func hop(err error) *url.URL {
	failed, ok := errors.AsType[*url.Error](err)
	if !ok {
		return nil
	}
	u, err := url.Parse(failed.URL)
	if err != nil {
		return nil
	}
	return u
}

// Site is the site of a page, which browsers name to those that serve its files. Some serve them to their own pages only.
func Site(page string) string {
	u, err := join(nil, page)
	if err != nil {
		return ""
	}
	return "https://" + u.Host + "/"
}
