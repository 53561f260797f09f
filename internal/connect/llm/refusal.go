package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
)

// refusal is an exchange that gave no completion.
type refusal struct {
	status int
	text   string        // the server's words
	body   string        // start of what it sent, in lower case
	odd    bool          // it said 200, but what came is no completion
	after  time.Duration // when to come back, if it said so
	err    error         // of an exchange without an answer
	late   bool          // the compute deadline passed: asking again would take as long
}

// refused is the refusal that an answer is.
func refused(status int, body []byte) *refusal {
	return &refusal{status: status, text: message(status, body), body: bodyStart(body)}
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
func (r *refusal) broken() bool {
	if r.err != nil {
		return !r.late
	}
	return r.status >= 500 && !r.passing() && !r.overflow() && !r.blind()
}

// objects: the server understood and does not want this request as it is. A failure to build a grammar counts, whatever
// its status.
func (r *refusal) objects() bool {
	switch r.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return !r.overflow() && !r.blind()
	case http.StatusInternalServerError:
		return !r.overflow() && !r.blind() && containsAny(r.text, "grammar", "schema", "response_format")
	}
	return false
}

// asError translates to the product's codes and names the trouble.
func (r *refusal) asError(op, url string) error {
	e := &footy.Error{Code: footy.CodeInvalid, Op: op, Reason: r.trouble()}
	switch {
	case r.err != nil && !r.late:
		return unreachable(op, url, r.err)
	case r.late:
		e.Code, e.Err = footy.CodeUnavailable, r.err
	case r.overflow():
		e.Err = fmt.Errorf("a question with pictures is more than the model at %s takes at once: %s", url, r.text)
	case r.blind():
		e.Err = fmt.Errorf("the model at %s cannot see images: %s", url, r.text)
	case r.status == http.StatusTooManyRequests:
		e.Code, e.RetryAfter = footy.CodeRateLimited, r.after
		e.Err = fmt.Errorf("the model server at %s is busy: %s", url, r.text)
	case r.status == http.StatusServiceUnavailable:
		e.Code, e.Err = footy.CodeUnavailable, fmt.Errorf("the model server at %s is not ready yet: %s", url, r.text)
	case r.status == http.StatusUnauthorized || r.status == http.StatusForbidden:
		e.Code, e.Err = footy.CodeAuthRequired, fmt.Errorf("the model server at %s refuses the key: %s", url, r.text)
	default:
		if r.status >= 500 || r.status < 400 {
			e.Code = footy.CodeUnavailable
		}
		e.Err = fmt.Errorf("the model server at %s answered %d: %s", url, r.status, r.text)
	}
	return e
}

// unreachable: no answer came, be it refused, dropped or from a name nobody knows.
func unreachable(op, url string, err error) error {
	var known *footy.Error
	if errors.As(err, &known) {
		return &footy.Error{Code: known.Code, Op: op, Reason: footy.ReasonModelUnreachable, RetryAfter: known.RetryAfter, Err: err}
	}
	return &footy.Error{Code: footy.CodeUnavailable, Op: op, Reason: footy.ReasonModelUnreachable,
		Err: fmt.Errorf("no answer from the model server at %s: %w", url, network.InWords(err))}
}

// message finds the readable message in an error body, whose shape differs from server to server.
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
				return shorten(s)
			case json.Unmarshal(raw, &nested) == nil && nested.Message != "":
				return shorten(nested.Message)
			}
		}
		if shapes.Message != "" {
			return shorten(shapes.Message)
		}
	}
	if text == "" || strings.HasPrefix(text, "<") {
		text = http.StatusText(status)
	}
	return shorten(text)
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return s
}

func containsAny(text string, words ...string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
