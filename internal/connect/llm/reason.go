package llm

import (
	"net/http"
	"regexp"

	"github.com/found-footy/found-footy/internal/footy"
)

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
			`|(input|prompt|request|message)s? (is |are )?too (large|long)|max_new_tokens. must be|\b(tokens?|prompt|input)\b.{0,60}\b(exceeds?|(longer|greater|larger|more) than)\b|at most [1-9]\d* image`)}
	blind = &kind{footy.ReasonModelBlind, footy.CodeInvalid, "the model at %s cannot see images: %s", regexp.MustCompile(
		`mmproj|vision add-?on|(not|n't|cannot|unable to) (currently )?(support|accept|have|enable|handle|see|view|process)\w*( or \w+)? (the |any |these |those )?(vision|visual|multi-?modal|images\b|image (input|content)|image_url)` +
			`|(vision|visual|images?|image_(url|data).?|multi-?modal)( (input|content|modalit|capabilit|understanding)\w*)*( is| are)?( not|n't| only) (supported|enabled|available|accepted)` +
			`|(vision|images?|multi-?modal)( inputs?)?( is| are) disabled|not (a )?(multi-?modal|vision)|(no|lacks?|without)( a)? (vision|multi-?modal)|text-only|at most 0 image|support image input|data required for image` +
			`|only .?text.? (content|is)|should be .?text|(unsupported|unknown|invalid) (content|part)( part)? ?(type|\[)|unknown variant .image_url|enum messagecontent|(content|input).{0,20}(must|should) be a (valid )?string`)}
	denied = &kind{footy.ReasonModelDenied, footy.CodeAuthRequired, serverAt + "refuses the key, or its account: %s", regexp.MustCompile(
		`api[ _-]?key|unauthori[sz]ed|insufficient[_ ](quota|credits?|balance|funds)|credit balance`)}
	noMemory = &kind{footy.ReasonModelMemory, footy.CodeUnavailable, serverAt + "says: %s", regexp.MustCompile(
		`out ?of ?memory|(insufficient|not enough) (system |gpu |video )?(resources|memory|vram)|more (system |gpu )?memory|memoryerror|\boom\b|bad_alloc|malloc failed|(unable|fail\w*|attempting) to allocate`)}
	missing = &kind{footy.ReasonModelMissing, footy.CodeInvalid, serverAt + "says: %s", regexp.MustCompile(
		`model_not_found|\bmodels?\b.{0,160}\b((not|n't) ((been|yet|currently) )*(found|loaded|exist|available|served|in config)|unloaded|decommissioned)|model (parameter )?is required|(provide|specify) a model` +
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
