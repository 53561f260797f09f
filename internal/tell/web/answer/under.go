package answer

import (
	"context"
	"net/http"
	"regexp"
	"strings"
)

type underKey struct{}

// Under is a request to a site that is mounted under base, like /footy: the paths in what is sent begin with it.
func Under(r *http.Request, base string) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), underKey{}, base))
}

// paths are those of this site in a text. Templates and the encoder escape quotes, so nothing that people wrote looks like one.
var paths = map[string]*regexp.Regexp{
	"text/html":        regexp.MustCompile(`\b((?:href|src|action|formaction|poster|page|await)=")(/[^/])`),
	"application/json": regexp.MustCompile(`("(?:path|page_path|url|logo_url|poster_url|film_url)":")(/[^/])`),
}

// under is the answer on the site of the request.
func (a *Answer) under(r *http.Request) *Answer {
	base, _ := r.Context().Value(underKey{}).(string)
	kind, _, _ := strings.Cut(a.ContentType, ";")
	if base == "" || paths[kind] == nil {
		return a
	}
	a.once.Do(func() { // a server has one base
		a.moved = New(a.status, a.ContentType, paths[kind].ReplaceAll(a.body, []byte("${1}"+base+"${2}")))
	})
	return a.moved
}
