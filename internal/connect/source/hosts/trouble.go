package hosts

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
)

// abused is a part of the names of hosts that serve a film in place of one that was taken down.
const abused = "terms-of-service-abuse"

// Dead is the refusal of a clip that its host no longer has: a suspicion about the post, as of any that is deleted.
func (r Row) Dead(why string) error {
	return footy.Reject("fetch a clip", footy.ReasonDeleted, "%s: %s", r.Name, why)
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
	case reason == footy.ReasonDeleted && !strings.HasPrefix(footy.RootCause(err), r.Name):
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
	return r.trouble("%s; %s", strings.TrimPrefix(footy.RootCause(gone), r.Name+": "), because)
}

// trouble is the host's, and never the post's.
func (r Row) trouble(format string, args ...any) *footy.Error {
	return &footy.Error{Code: footy.CodeUnavailable, Op: "fetch a clip", Reason: footy.ReasonHostFailed, Err: fmt.Errorf(r.Name+": "+format, args...)}
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
