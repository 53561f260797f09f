package llm

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
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
	if known, ok := errors.AsType[*footy.Error](err); ok {
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

// kind is what a refusal is about.
type kind struct {
	reason footy.Reason
	code   footy.Code
	says   string // of the server's address and its words
	words  *regexp.Regexp
}

const serverAt = "the model server at %s "

var (
	tooMuch = &kind{footy.ReasonModelContext, footy.CodeInvalid, "a question with pictures is more than the model at %s takes at once: %s", regexp.MustCompile(
		`context[ _-]?(length|size|window|limit)|n_ctx|(larger|longer) than the (model|context)|context the overflows|context shift|kv cache|max(imum)?[ _](model|seq)[ _]len` +
			`|(input|prompt|request|message)s? (is |are )?too (large|long)|max_new_tokens.? must be|\b(tokens?|prompt|input)\b.{0,60}\b(exceeds?|(longer|greater|larger|more) than)\b|(at most|up to) [1-9]\d* image|too many images`)}
	blind = &kind{footy.ReasonModelBlind, footy.CodeInvalid, "the model at %s cannot see images: %s", regexp.MustCompile(
		`mmproj|vision add-?on|(not|n't|cannot|unable to) (currently )?(support|accept|have|enable|handle|see|view|process)\w*( or \w+)? (the |any |these |those )?(vision|visual|multi-?modal|images\b|image (input|content)|image_url)` +
			`|(vision|visual|images?|image_(url|data).?|multi-?modal)( (input|content|modalit|capabilit|understanding)\w*)*( is| are)?( not|n't| only) (supported|enabled|available|accepted)` +
			`|(vision|images?|multi-?modal)( inputs?)?( is| are) disabled|not (a )?(multi-?modal|vision)|(no|lacks?|without)( a)? (vision|multi-?modal)|text-only|at most 0 image|support image input|data required for image` +
			`|only .?text.? (content|is)|should be .?text|(unsupported|unknown|invalid) (content|part)( part)? ?(type|\[)|unknown variant .image_url|enum messagecontent|(content|input).{0,20}(must|should) be a (valid )?string`)}
	denied = &kind{footy.ReasonModelDenied, footy.CodeAuthRequired, serverAt + "refuses the key, or its account: %s", regexp.MustCompile(
		`api[ _-]?key|unauthori[sz]ed|insufficient[_ ](quota|credits?|balance|funds)|credit balance|plan and billing`)}
	noMemory = &kind{footy.ReasonModelMemory, footy.CodeUnavailable, serverAt + "says: %s", regexp.MustCompile(
		`out ?of ?memory|(insufficient|not enough) (system |gpu |video )?(resources|memory|vram)|more (system |gpu )?memory|memoryerror|\boom\b|bad_alloc|malloc failed|(unable|fail\w*|attempting) to allocate`)}
	missing = &kind{footy.ReasonModelMissing, footy.CodeInvalid, serverAt + "says: %s", regexp.MustCompile(
		`model_not_found|provider not provided|\b(models?|deployment)\b.{0,160}\b((not|n't) ((been|yet|currently) )*(found|loaded|exist|available|served|in config)|unloaded|decommissioned)|model (parameter )?is required|(provide|specify) a model` +
			`|no models? ((is|are|was|were) )?(currently )?(loaded|available|found)|not a valid model|(invalid|unknown|unsupported|no such) model([:,.]| (name|id)| ?['"` + "`" + `]|$)|repository not found|no (allowed )?(router|endpoints|providers)\b` +
			`|(could not|cannot|can't) find\b.{0,60}\b(model|handler)|(fail\w*|error|unable|could not|cannot)( to)?:? load(ing)? (the )?(llama )?model|\bmodels?\b.{0,160}\b(fail\w*|could not|cannot)( to)?( be)? load`)}
	loading = &kind{footy.ReasonModelLoading, footy.CodeUnavailable, serverAt + "is not ready yet: %s", regexp.MustCompile(
		`^loading|server loading model|(is|still|are|currently) (re)?(loading|starting|initiali[sz]ing)|being (re)?(loaded|started|swapped|pulled|downloaded)|warming up|not ready|waiting for .{0,30} to (start|load)`)}
	busy = &kind{footy.ReasonModelSlow, footy.CodeRateLimited, serverAt + "is busy: %s", regexp.MustCompile(
		`\bbusy\b|overloaded|queue\b.{0,20}(full|exceeded)|(full|max\w*).{0,20}\bqueue|too many (\w+ )?requests|max\w* .{0,20}requests|at capacity|rate.?limit|no (free |available )?slot|slots? (\w+ )?unavailable|try again later`)}
	// failed is an objection to a field where it names one.
	failed = &kind{footy.ReasonModelError, footy.CodeUnavailable, serverAt + "%s", regexp.MustCompile(
		`chat_template_kwargs|enable_thinking|reasoning_effort|response_format|json_schema|max_completion_tokens`)}
	// The status decides where no words do.
	slow   = &kind{footy.ReasonModelSlow, footy.CodeUnavailable, serverAt + "gave no answer in time: %s", nil}
	absent = &kind{footy.ReasonModelUnreachable, footy.CodeUnavailable, serverAt + "%s", nil}
)

// kinds are those with words, in the order in which they are believed: "an image needs more than the context length" is about the context, and
// "vision add-on is not loaded" is about pictures.
var kinds = []*kind{tooMuch, blind, denied, failed, noMemory, loading, missing, busy}

// kindOf is what a refusal is about. The server's own words weigh more than its status: gateways put another status on them, and a model
// that cannot see answers 200, 400, 404, 500 or 501.
func kindOf(status int, words string) *kind {
	for _, k := range kinds {
		if k.words.MatchString(words) {
			return k
		}
	}
	switch status {
	case http.StatusRequestEntityTooLarge:
		return tooMuch
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden:
		return denied
	case http.StatusTooManyRequests:
		return busy
	case http.StatusGatewayTimeout, http.StatusRequestTimeout:
		return slow
	case http.StatusNotFound, http.StatusBadGateway, http.StatusServiceUnavailable: // a gateway without its server, or another server
		return absent
	}
	return failed
}

// unusable names the trouble of an answer that could not be read. One that ended at "length" before it had the tokens it was
// granted ran into the end of the context: pictures filled the rest.
func (a answer) unusable(granted int) footy.Reason {
	if a.cut && a.written > 0 && a.written < granted*9/10 {
		return footy.ReasonModelContext
	}
	if a.thought {
		return footy.ReasonModelThinks
	}
	for _, text := range a.texts { // some servers put their trouble where the answer belongs
		if k := kindOf(0, lower(text)); (k == blind || k == missing) && len(objects(text)) == 0 {
			return k.reason
		}
	}
	return footy.ReasonModelJunk
}
