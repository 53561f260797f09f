package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
)

// refusal is an exchange that gave no completion.
type refusal struct {
	status int
	text   string        // the server's words
	after  time.Duration // when to come back, if it said so
	err    error         // of an exchange without an answer
	late   bool          // the compute deadline passed: asking again would take as long
}

func (r *refusal) Error() string {
	if r.err != nil {
		return r.err.Error()
	}
	return fmt.Sprintf("status %d: %s", r.status, r.text)
}

// passing: the server is there, but loading or busy. Waiting helps.
func (r *refusal) passing() bool {
	return r.status == http.StatusServiceUnavailable || r.status == http.StatusTooManyRequests
}

// broken: a dropped connection or a failure of the server; once more may help.
func (r *refusal) broken() bool { return r.err != nil && !r.late || r.status >= 500 && !r.passing() }

// objects: the server understood and does not want this request as it is. A failure to build a grammar counts, whatever
// its status.
func (r *refusal) objects() bool {
	switch r.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return !r.overflow() && !r.blind()
	case http.StatusInternalServerError:
		return mentions(r.text, "grammar", "schema", "response_format")
	}
	return false
}

func (r *refusal) overflow() bool {
	return mentions(r.text, "exceed_context_size", "exceeds the available context", "maximum context length")
}

func (r *refusal) blind() bool {
	return mentions(r.text, "image input is not supported", "mmproj", "does not support image", "not a multimodal model")
}

// fault translates to the product's codes.
func (r *refusal) fault(op, url string) error {
	code := footy.CodeInvalid
	switch {
	case r.err != nil && !r.late:
		return unreachable(op, url, r.err)
	case r.late:
		return footy.Wrap(footy.CodeUnavailable, op, r.err)
	case r.status == http.StatusTooManyRequests:
		return &footy.Error{Code: footy.CodeRateLimited, Op: op, RetryAfter: r.after, Err: fmt.Errorf("the model server at %s is busy: %s", url, r.text)}
	case r.status == http.StatusServiceUnavailable:
		return footy.Errorf(footy.CodeUnavailable, op, "the model server at %s is not ready yet: %s", url, r.text)
	case r.status == http.StatusUnauthorized || r.status == http.StatusForbidden:
		return footy.Errorf(footy.CodeAuthRequired, op, "the model server at %s refuses the key: %s", url, r.text)
	case r.blind():
		return footy.Errorf(code, op, "the model at %s cannot see images: %s", url, r.text)
	case r.status >= 500 || r.status < 400:
		code = footy.CodeUnavailable
	}
	return footy.Errorf(code, op, "the model server at %s answered %d: %s", url, r.status, r.text)
}

func unreachable(op, url string, err error) error {
	var known *footy.Error
	if errors.As(err, &known) {
		return httpx.Fault(op, err)
	}
	return footy.Errorf(footy.CodeUnavailable, op, "no answer from the model server at %s: %w", url, err)
}

// message finds the words for people in an error body, whose shape differs from server to server.
func message(status int, body []byte) string {
	var shapes struct {
		Error   json.RawMessage `json:"error"`
		Detail  json.RawMessage `json:"detail"`
		Message string          `json:"message"`
	}
	text := strings.TrimSpace(string(body))
	if json.Unmarshal(body, &shapes) == nil {
		for _, raw := range []json.RawMessage{shapes.Error, shapes.Detail} {
			var s string
			var nested struct {
				Message string `json:"message"`
				Type    string `json:"type"`
			}
			switch {
			case len(raw) == 0 || string(raw) == "null":
			case json.Unmarshal(raw, &s) == nil && strings.HasPrefix(s, "{"):
				return message(status, []byte(s)) // a gateway put the whole body into a string
			case s != "":
				return clip(s)
			case json.Unmarshal(raw, &nested) == nil && nested.Message != "":
				return clip(nested.Message)
			}
		}
		if shapes.Message != "" {
			return clip(shapes.Message)
		}
	}
	if text == "" || strings.HasPrefix(text, "<") {
		text = http.StatusText(status)
	}
	return clip(text)
}

func clip(s string) string {
	if r := []rune(s); len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return s
}

func mentions(text string, words ...string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
