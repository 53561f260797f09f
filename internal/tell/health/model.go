package health

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/footy"
)

// ModelTrouble says what a vision model suffers from and what a person can do; known is false for anything else. A server in
// perfect health may be one whose every question with a picture fails.
func ModelTrouble(why footy.Reason) (what, remedy string, known bool) {
	t, known := map[footy.Reason][2]string{
		footy.ReasonNoModel: {"LLAMA_URL is not set: only clips whose running clock can be read are shown, others wait",
			"Start an OpenAI-compatible server with a vision model and set LLAMA_URL, or set PROOF=clock to use no model."},
		footy.ReasonModelUnreachable: {"the model cannot be reached",
			"Start the model server, or correct LLAMA_URL, LLAMA_MODEL and LLAMA_API_KEY. Posts found meanwhile wait for it."},
		footy.ReasonModelDenied: {"the model's server refuses the key",
			"Correct LLAMA_API_KEY, or see to the credit and the rights of its account. Posts found meanwhile wait for it."},
		footy.ReasonModelMissing: {"the server does not have the model",
			"Load it there (Ollama: ollama pull; LM Studio: load it, or let it load models when they are asked for), or set LLAMA_MODEL to one that it lists. Posts found meanwhile wait for it."},
		footy.ReasonModelLoading: {"the model is loading",
			"Wait: a large model takes minutes. If it never ends, the server's own log says why. Posts found meanwhile wait for it."},
		footy.ReasonModelBlind: {"the model cannot see pictures",
			"Serve a vision model: llama.cpp needs its projector (--mmproj), LM Studio the same file beside the model, Ollama a model that lists vision, vLLM a multimodal model with --limit-mm-per-prompt of 5 images. Posts wait for it."},
		footy.ReasonModelContext: {"the model's context is too small for a question with pictures",
			"Give it 8,192 tokens or more for each request: " + contextSettings + ". Posts wait for it."},
		footy.ReasonModelThinks: {"the model thinks instead of answering, although it was asked not to",
			"Take one that does not think (an \"instruct\" variant), or update the server so that it understands reasoning_effort or chat_template_kwargs. Posts wait for it."},
		footy.ReasonModelMemory: {"the model's machine has too little memory",
			"Take a smaller model, a smaller context or fewer slots, or free memory there. Posts wait for it."},
		footy.ReasonModelError: {"the model's server answers with an error",
			"The server's own log says why. Posts wait for it."},
		footy.ReasonModelJunk: {"the model's answers cannot be read",
			"Take a model that follows a JSON schema, or a server that enforces one (llama.cpp, vLLM). Posts wait for it."},
		footy.ReasonModelSlow: {"the model gives no answer in time",
			"Take a smaller model or a faster machine; LLAMA_SLOTS must not be more than the server works on at once. Posts wait for it."},
	}[why]
	return t[0], t[1], known
}

const contextSettings = "llama.cpp -c (shared by the slots of -np), vLLM --max-model-len and --limit-mm-per-prompt, Ollama OLLAMA_CONTEXT_LENGTH"

// enoughContext is what a question with frames in full size takes, with its answer.
const enoughContext = 12288

// ModelReduced says why a model is shown less than the settings ask for, and what to do; shown is what Shown says.
func ModelReduced(why footy.Reason, shown string) (what, remedy string) {
	if why == footy.ReasonModelSlow {
		return "it gave no answer in time to frames in full size, so it is shown less: " + shown,
			"Small clocks are misread more often. Take a smaller model or a faster machine; MODEL_FRAME_LINES says how large frames are at most."
	}
	return "frames in full size are more than it takes at once, so it is shown less: " + shown,
		fmt.Sprintf("Small clocks are misread more often. Give it %s tokens for each request: %s.", grouped(enoughContext), contextSettings)
}

// Shown says what a question shows the model: frames of so many lines at most, with their corners or not, one a question or
// those of a clip.
func Shown(lines int, corners, alone bool) string {
	out := fmt.Sprintf("frames of up to %d lines", lines)
	if alone {
		out += ", one a question"
	}
	if corners {
		return out + ", with their corners enlarged"
	}
	return out
}
