// Package answer builds what goes back over HTTP: compressed and conditional bodies, JSON, and the status and words of errors.
package answer

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Handler answers a request, or returns why it cannot.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Answer is a body, its compressed form and its ETag.
type Answer struct {
	status      int
	ContentType string
	body        []byte
	packed      []byte // gzip; nil where not worth it
	etag        string

	once  sync.Once
	moved *Answer // for a site that is not at the root of its host
}

var gzipWriters = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, 6)
	return z
}}

// New builds an answer.
func New(status int, contentType string, body []byte) *Answer {
	sum := sha256.Sum256(body)
	a := &Answer{status: status, ContentType: contentType, body: body, etag: base64.RawURLEncoding.EncodeToString(sum[:12])}
	if len(body) > 860 { // a smaller one fits into one packet
		var buf bytes.Buffer
		z := gzipWriters.Get().(*gzip.Writer)
		z.Reset(&buf)
		_, _ = z.Write(body)
		_ = z.Close()
		gzipWriters.Put(z)
		a.packed = buf.Bytes()
	}
	return a
}

// Send sends the answer: compressed if the client can unpack it, or only "not modified" if it has it.
func (a *Answer) Send(w http.ResponseWriter, r *http.Request) {
	a = a.under(r)
	h := w.Header()
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-cache") // keep, but ask each time: an ETag makes asking cheap
	}
	Vary(h, "Accept-Encoding")
	h.Set("Content-Type", a.ContentType)
	body, etag := a.body, a.etag
	if a.packed != nil && acceptsGzip(r) {
		body, etag = a.packed, a.etag+"-gz"
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if a.status == http.StatusOK {
		h.Set("ETag", `"`+etag+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
		return
	}
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if name == "gzip" || name == "*" {
			q = strings.ReplaceAll(q, " ", "")
			return q != "q=0" && q != "q=0.0"
		}
	}
	return false
}

// Vary names a request header that the answer depends on.
func Vary(h http.Header, name string) {
	if v := h.Get("Vary"); v == "" {
		h.Set("Vary", name)
	} else if !strings.Contains(v, name) {
		h.Set("Vary", v+", "+name)
	}
}

// NewJSON builds an answer of a value.
func NewJSON(status int, v any) (*Answer, error) {
	var buf bytes.Buffer // an encoder escapes <, > and &: harmless even where a browser guesses types
	if err := json.NewEncoder(&buf).Encode(v); err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "encode answer", err)
	}
	return New(status, "application/json; charset=utf-8", buf.Bytes()), nil
}

// JSON sends a value.
func JSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	a, err := NewJSON(status, v)
	if err == nil {
		a.Send(w, r)
	}
	return err
}

// ReadBody reads the one JSON object of a request, whose size limit.Guard has checked; an empty body changes nothing. A strict body may not have fields that into
// lacks: an action that understands half of a request would do something else.
func ReadBody(r *http.Request, strict bool, into any) error {
	d := json.NewDecoder(r.Body)
	if strict {
		d.DisallowUnknownFields()
	}
	err := d.Decode(into)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		if _, err = d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err == nil {
			return footy.Errorf(footy.CodeInvalid, "read body", "the body goes on after its JSON object; send one object")
		}
	}
	return bodyError(err, into)
}

// bodyError says what is wrong without the names of our types.
func bodyError(err error, into any) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return footy.Errorf(footy.CodeInvalid, "read body", "the body is a JSON %s; it must be an object", kind.Value)
	case errors.As(err, &kind):
		return footy.Errorf(footy.CodeInvalid, "read body", "field %q is a JSON %s; it must be a %s", kind.Field, kind.Value, kind.Type.Kind())
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return footy.Errorf(footy.CodeInvalid, "read body", "field %s is not known here; known are %s", name, fieldsOf(into))
	}
	return footy.Errorf(footy.CodeInvalid, "read body", "the body is not JSON: %w", err)
}

// fieldsOf lists the names a body may use: "clip_id and reason".
func fieldsOf(into any) string {
	t := reflect.TypeOf(into).Elem()
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Redirect sends the client to another path, with the query it came with.
func Redirect(w http.ResponseWriter, r *http.Request, path string, status int) {
	http.Redirect(w, r, (&url.URL{Path: path, RawQuery: r.URL.RawQuery}).String(), status)
}

// localPath has segments of plain characters that begin with no dot, so nothing in it is cleaned, decoded or read as a host by Go, a proxy or a
// browser, which drops tabs and line breaks and takes a backslash for a slash. Behind it come a query and a fragment of printable ASCII.
var localPath = regexp.MustCompile(`^/(\w[\w.~-]*/)*(\w[\w.~-]*)?([?#][!-\[\]-~]*)?$`)

// LocalPath reports whether Go and every browser read an address that a request carried as a path of this site.
func LocalPath(address string) bool { return localPath.MatchString(address) }

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
