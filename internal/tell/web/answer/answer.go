// Package answer builds what goes back over HTTP: compressed and conditional bodies, JSON, and the status and words of errors.
package answer

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
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
