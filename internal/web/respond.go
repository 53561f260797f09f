package web

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

	"github.com/found-footy/found-footy/internal/footy"
)

// answer is a built body with everything a conditional or compressed delivery needs.
type answer struct {
	status      int
	contentType string
	body        []byte
	packed      []byte // gzip; nil where not worth it
	etag        string
}

var packers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, 6)
	return z
}}

func newAnswer(status int, contentType string, body []byte) *answer {
	sum := sha256.Sum256(body)
	a := &answer{status: status, contentType: contentType, body: body, etag: base64.RawURLEncoding.EncodeToString(sum[:12])}
	if len(body) > 860 { // smaller ones fit one packet as they are
		var buf bytes.Buffer
		z := packers.Get().(*gzip.Writer)
		z.Reset(&buf)
		_, _ = z.Write(body)
		_ = z.Close()
		packers.Put(z)
		a.packed = buf.Bytes()
	}
	return a
}

// send delivers the answer: not at all if the client has it, compressed if it can unpack it.
func (a *answer) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-cache") // keep, but ask each time: an ETag makes asking cheap
	}
	addVary(h, "Accept-Encoding")
	body, etag := a.body, `"`+a.etag+`"`
	if a.packed != nil && acceptsGzip(r) {
		body, etag = a.packed, `"`+a.etag+`-gz"`
		h.Set("Content-Encoding", "gzip")
	}
	if a.status == http.StatusOK {
		h.Set("ETag", etag)
		if match(r.Header.Get("If-None-Match"), a.etag) {
			h.Del("Content-Encoding")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Type", a.contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// match compares weakly: both encodings of one body carry the same tag but for a suffix.
func match(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		tag = strings.Trim(strings.TrimPrefix(strings.TrimSpace(tag), "W/"), `"`)
		if tag == "*" || strings.TrimSuffix(tag, "-gz") == etag {
			return true
		}
	}
	return false
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

func addVary(h http.Header, name string) {
	if v := h.Get("Vary"); v == "" {
		h.Set("Vary", name)
	} else if !strings.Contains(v, name) {
		h.Set("Vary", v+", "+name)
	}
}

func jsonAnswer(status int, v any) (*answer, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf) // escapes <, > and &: harmless even where a browser guesses types
	if err := enc.Encode(v); err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "encode answer", err)
	}
	return newAnswer(status, "application/json; charset=utf-8", buf.Bytes()), nil
}

// reply sends a value as JSON.
func (s *Server) reply(w http.ResponseWriter, r *http.Request, status int, v any) {
	a, err := jsonAnswer(status, v)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	a.send(w, r)
}
