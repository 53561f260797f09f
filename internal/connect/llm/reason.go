package llm

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// What servers say when they cannot take pictures, in lower case. The same trouble has as many wordings as there are
// servers; a new one is a line here and a line in the table of trouble_test.go.
var blindWords = []string{
	"image input is not supported",                                                                   // llama.cpp without --mmproj, TabbyAPI
	"mmproj",                                                                                         // llama.cpp: "hint: ... you may need to provide the mmproj"
	"does not support multimodal",                                                                    // llama.cpp of 2024: "This server does not support multimodal. Start it with `--mmproj`"
	"multimodal is not supported",                                                                    //
	"unsupported content[].type",                                                                     // llama.cpp before it could see
	"unsupported content part type",                                                                  // its Jinja templates
	"not a multimodal model",                                                                         // vLLM, SGLang
	"at most 0 image",                                                                                // vLLM with --limit-mm-per-prompt image=0
	"unknown part type: image",                                                                       // vLLM of 2024
	"missing data required for image input",                                                          // Ollama, a model without its projector
	"does not support vision",                                                                        // Ollama's list of abilities
	"does not support image",                                                                         // LM Studio, LiteLLM, hosted ones
	"doesn't support image",                                                                          //
	"do not support image",                                                                           //
	"not support image input",                                                                        // OpenRouter and others
	"that support image input",                                                                       // OpenRouter: "No endpoints found that support image input"
	"image input is not enabled",                                                                     // Mistral
	"image_url is only supported by certain models",                                                  // OpenAI
	"unknown variant `image_url`",                                                                    // servers written in Rust, DeepSeek
	"only 'text' content type is supported",                                                          // mlx_lm.server
	"only text content",                                                                              //
	"input should be a valid string", "content must be a string", "content : value must be a string", // Groq; servers whose messages are plain text
}

// What servers say when a question does not fit the model's context.
var contextWords = []string{
	"exceed_context_size",                              // llama.cpp: type of its error
	"n_ctx",                                            // llama.cpp: fields of its error, and its older messages
	"available context size",                           // llama.cpp
	"context size has been exceeded",                   // llama.cpp, while it writes
	"max context size",                                 // llama.cpp
	"larger than the context", "the context overflows", // LM Studio
	"context shift is disabled",        // llama.cpp
	"input is too large to process",    // llama.cpp: a picture larger than its batch
	"context length", "context_length", // vLLM, SGLang, Ollama, OpenAI, LM Studio
	"context window",                        // hosted ones
	"maximum model length", "max_model_len", // vLLM: "The decoder prompt (length 5500) is longer than the maximum model length of 4096"
	"prompt is too long", "prompt too long",
	"`max_new_tokens` must be <=", // text-generation-inference
}

// tooMany is vLLM's limit of pictures, one a question for years: such a model sees, if it is asked about less at once.
var tooMany = regexp.MustCompile(`at most [1-9]\d* image`)

// trouble says what kind of trouble a refused question is. The server's own words weigh more than its status: gateways
// put another status on them, and a model that cannot see answers 400, 404, 500 or 501.
func (r *refusal) trouble() footy.Reason {
	switch {
	case r.late:
		return footy.ReasonModelSlow
	case r.err != nil:
		return footy.ReasonModelUnreachable
	case r.overflow(): // before blind: "an image needs more than the context length" is about the context
		return footy.ReasonModelContext
	case r.blind():
		return footy.ReasonModelBlind
	case r.odd:
		return footy.ReasonModelJunk
	}
	if r.loading() {
		return footy.ReasonModelLoading
	}
	switch r.status {
	case http.StatusTooManyRequests, http.StatusGatewayTimeout, http.StatusRequestTimeout:
		return footy.ReasonModelSlow
	case http.StatusBadGateway, http.StatusServiceUnavailable, // a gateway without its server
		http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound: // a server, but not our model
		return footy.ReasonModelUnreachable
	}
	return footy.ReasonModelJunk
}

// overflow: the question is more than the server takes at once.
func (r *refusal) overflow() bool {
	return r.containsAny(contextWords) || tooMany.MatchString(strings.ToLower(r.text)) || tooMany.MatchString(r.body)
}

// loading: llama.cpp says so until its model is in memory, and so do servers that load one when it is first asked for.
func (r *refusal) loading() bool {
	return r.status == http.StatusServiceUnavailable && r.containsAny([]string{"loading", "not loaded", "warming up", "starting"})
}

func (r *refusal) blind() bool { return r.containsAny(blindWords) }

// containsAny searches the message and the start of the raw body, whose type and code fields are the plainest.
func (r *refusal) containsAny(words []string) bool {
	return containsAny(r.text, words...) || containsAny(r.body, words...)
}

// bodyWords is how much of an error body is looked at: servers that echo the question would else be judged by our own words.
const bodyWords = 2 << 10

func bodyStart(body []byte) string {
	return strings.ToLower(string(body[:min(len(body), bodyWords)]))
}

// unusable names the trouble of an answer nobody could read. One that ended at "length" before it had the tokens it was
// granted ran into the end of the context: pictures filled the rest.
func (a answer) unusable(granted int) footy.Reason {
	if a.cut && a.written > 0 && a.written < granted*9/10 {
		return footy.ReasonModelContext
	}
	if a.thought {
		return footy.ReasonModelThinks
	}
	return footy.ReasonModelJunk
}
