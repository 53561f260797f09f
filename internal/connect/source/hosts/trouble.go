package hosts

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// abused is a part of the names of hosts that serve a film in place of one that was taken down.
const abused = "terms-of-service-abuse"

// Dead is the refusal of a clip that its host no longer has: a suspicion about the post, as of any that is deleted.
func (r Row) Dead(why string) error {
	return &footy.Error{Code: footy.CodeRejected, Op: "fetch a clip", Reason: footy.ReasonDeleted, Err: failure{r.Name, errors.New(why)}}
}

// Failure says what a failed exchange with the host means: that the clip is gone, or the host's trouble, or that our own list of its hosts
// does not have where it lies. What is about the file itself stays as it is, and so does what this machine could not do.
func (r Row) Failure(err error) error {
	at, reason := hop(err), footy.ReasonOf(err)
	var dial *net.OpError
	if reason == footy.ReasonForbiddenURL && errors.As(err, &dial) { // a name that leads to a private address, as in networks that block by DNS
		return r.trouble("%s", cause(err))
	}
	switch {
	case at != nil && strings.Contains(at.Hostname(), abused):
		return r.Dead("another film stands in its place, at " + at.Hostname())
	case reason == footy.ReasonForbiddenURL && at != nil:
		return r.unlisted(at, "files")
	case reason == footy.ReasonDeleted && !errors.As(err, new(failure)):
		return r.Dead(cause(err))
	case footy.CodeOf(err) == footy.CodeRejected, reason != "" && reason != footy.ReasonFetchFailed && reason != footy.ReasonGeoBlocked:
		return err
	}
	out := r.trouble("%s", cause(err))
	var e *footy.Error
	if errors.As(err, &e) && e.Code == footy.CodeRateLimited {
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
	var f failure
	if errors.As(err, &f) {
		return f.what.Error()
	}
	return footy.RootCause(err)
}

// unlisted is trouble that an operator can end.
func (r Row) unlisted(at *url.URL, field string) error {
	e := r.trouble("it lies at %s://%s, and the row %s names others that may serve it; change its %s in %s", at.Scheme, at.Host, r.Name, field, File)
	e.Reason = footy.ReasonUnknownHost
	return e
}

// cause is what happened, without the addresses that differ by the clip.
func cause(err error) string {
	var failed *url.Error
	if errors.As(err, &failed) {
		return network.Unreached(failed.Err)
	}
	return footy.RootCause(err)
}

// maxPage is more than any page with a player.
const maxPage = 4 << 20

// Asker asks hosts for pages: only the page's own host, as o confines it otherwise.
func Asker(ctx context.Context, o httpx.Options) func(page string) (Asked, error) {
	return func(page string) (Asked, error) {
		u, err := url.Parse(page)
		if err != nil {
			return Asked{}, err
		}
		o.Timeout, o.AllowHosts, o.OnlyHTTPS = 15*time.Second, []string{u.Host}, true
		client := httpx.New(o)
		defer client.CloseIdleConnections()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
		if err != nil {
			return Asked{}, err
		}
		res, body, err := httpx.Read(client, req, maxPage) //nolint:bodyclose // it closes it
		if res == nil {
			return Asked{}, err
		}
		return Asked{res.StatusCode, body}, err
	}
}

// hop is the address at which an exchange failed: where a redirect led, where one did; nil if nobody says.
func hop(err error) *url.URL {
	var failed *url.Error
	if !errors.As(err, &failed) {
		return nil
	}
	u, err := url.Parse(failed.URL)
	if err != nil {
		return nil
	}
	return u
}
