package llm

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
)

// refusal is an exchange that gave no completion.
type refusal struct {
	*kind
	status int
	text   string        // the server's words
	all    string        // these with the codes and fields beside them, in lower case
	after  time.Duration // when to come back, if it said so
	err    error         // of an exchange without an answer
	wanted string        // the model that is missing, "" if the settings name none
	listed []string      // models that the server has instead
}

// refused is the refusal that an answer is. What comes with status 200 and is no answer has the status that it names itself, else that of a
// gateway whose server failed.
func refused(status int, body []byte) *refusal {
	w, said := wordsOf(body), strconv.Itoa(status)
	r := &refusal{status: status, text: cmp.Or(strings.Join(w.text, "; "), http.StatusText(status))}
	if status == http.StatusOK {
		said, r.text = "200, but failed", cmp.Or(strings.Join(w.text, "; "), "what it sent is no answer")
		if r.status = cmp.Or(w.status, http.StatusBadGateway); w.status == 0 && json.Valid(body) {
			r.status = http.StatusInternalServerError
		}
	}
	r.all = lower(strings.Join(append(w.text, w.codes...), " "))
	if r.text, r.kind = shorten(r.text), kindOf(r.status, r.all); r.kind == absent || r.kind == failed {
		r.text = "answered " + said + ": " + r.text
	}
	return r
}

func (r *refusal) Error() string { return r.text }

// passing: the server is there, but loading or busy. Waiting helps.
func (r *refusal) passing() bool {
	return r.kind == loading || r.kind == busy || r.kind == absent && r.status == http.StatusServiceUnavailable
}

// broken: a dropped connection, or a failure that may be over when the server is asked once more.
func (r *refusal) broken() bool {
	return r.kind == missing || r.status != http.StatusNotFound && r.kind == absent || r.kind == failed && r.status >= 500
}

// objects: the server understood and does not want this request as it is. One whose words name a field of it counts, whatever its status.
func (r *refusal) objects(named ability) bool {
	return r.kind == failed && (named != 0 || r.status == http.StatusBadRequest || r.status == http.StatusUnprocessableEntity || r.status == http.StatusNotImplemented)
}

// asError translates to the product's codes and names the trouble.
func (r *refusal) asError(op, url string) error {
	if r.err != nil && r.kind != slow {
		return unreachable(op, url, r.err)
	}
	e := &footy.Error{Code: r.code, Op: op, Reason: r.reason, RetryAfter: r.after, Err: cmp.Or(r.err, fmt.Errorf(r.says, url, r.text))}
	switch {
	case r.kind == missing:
		e.Err = fmt.Errorf(r.says, url, strings.TrimRight(r.text, ". ")+r.whichModel())
	case (r.kind == absent || r.kind == failed) && r.status < 500:
		e.Code = footy.CodeInvalid
	}
	return e
}

// unreachable: no answer came, be it refused, dropped or from a name that is not known.
func unreachable(op, url string, err error) error {
	var known *footy.Error
	if errors.As(err, &known) {
		return &footy.Error{Code: known.Code, Op: op, Reason: footy.ReasonModelUnreachable, RetryAfter: known.RetryAfter, Err: err}
	}
	return &footy.Error{Code: footy.CodeUnavailable, Op: op, Reason: footy.ReasonModelUnreachable,
		Err: fmt.Errorf("no answer from the model server at %s: %w", url, network.InWords(err))}
}

// words are what an error body says.
type words struct {
	text   []string // to people
	codes  []string // to programs: codes, types, names of fields
	status int      // 0 = none
}

// wordsOf finds the words in a body, whose shape differs from server to server: JSON, a list of it, JSON in a string of it, text, a page.
func wordsOf(body []byte) (w words) {
	w.add("message", string(payload(body)))
	return w
}

// said are the keys under which servers put their words, codes where something of a request is named or numbered.
var (
	said  = []string{"message", "msg", "error", "errors", "detail", "details", "metadata", "raw"}
	codes = []string{"code", "type", "param", "status", "reason"}
)

func (w *words) add(key string, v any) {
	switch v := v.(type) {
	case string:
		v = strings.TrimSpace(v)
		var inner any
		switch {
		case strings.HasPrefix(v, "{") || strings.HasPrefix(v, "["):
			if json.Unmarshal([]byte(v), &inner) == nil || json.Unmarshal(tidy([]byte(v)), &inner) == nil {
				w.add(key, inner)
				return
			}
			w.text = append(w.text, v)
		case v == "" || strings.HasPrefix(v, "<") || slices.Contains(w.text, v):
		case slices.Contains(codes, key):
			w.codes = append(w.codes, v)
		default:
			w.text = append(w.text, v)
		}
	case float64:
		if w.status == 0 && slices.Contains(codes, key) && v >= 400 && v < 600 {
			w.status = int(v)
		}
	case []any:
		for _, one := range v[:min(len(v), 5)] {
			w.add(key, one)
		}
	case map[string]any:
		if at, ok := v["loc"].([]any); ok { // of a field that a form refuses
			v["message"] = strings.Trim(fmt.Sprint(at), "[]") + ": " + fmt.Sprint(v["msg"])
			delete(v, "msg")
		}
		for _, k := range slices.Concat(said, codes) {
			w.add(k, v[k])
		}
	}
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return s
}

// lower is the start of a text in lower case: what a server echoes of a question is not looked at.
func lower(s string) string { return strings.ToLower(s[:min(len(s), 2<<10)]) }

// whichModel says which models the server has where it lacks the one it was asked for, and what to set.
func (r *refusal) whichModel() string {
	names := shorten(strings.Join(r.listed, ", "))
	switch {
	case r.wanted == "" && len(r.listed) > 1:
		return ". It lists several models: set LLAMA_MODEL to one of " + names
	case r.wanted != "" && len(r.listed) > 0 && !slices.Contains(r.listed, r.wanted):
		return fmt.Sprintf(". LLAMA_MODEL is %s, which it does not list: set it to %s", r.wanted, names)
	}
	return ""
}
