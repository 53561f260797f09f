package llm

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"strings"
)

// Request is one question.
type Request struct {
	System     string
	Prompt     string
	Images     []Image // in order
	SchemaName string
	Schema     any // JSON Schema of the answer
	MaxTokens  int // of the answer; 0 = 512
}

// Image is one picture of a question.
type Image struct {
	Label string // what introduces it, like "Frame 1:"; without one models lose count
	JPEG  []byte
}

// body writes the question for a server of that ability. complaint says what was wrong with the last answer.
func (r Request) body(model string, can ability, tokens int, complaint string) ([]byte, error) {
	system := r.System
	schema, err := json.Marshal(r.Schema)
	if err != nil {
		return nil, err
	}
	// A server that does not enforce the shape must at least read it; so must one that ignored it.
	if can.lacks(noSchema|noFormat) || complaint != "" {
		system += "\nAnswer with one JSON object and nothing else. Its JSON schema: " + string(schema)
	}
	prompt := r.Prompt
	if complaint != "" {
		prompt += "\nYour last answer could not be used: " + complaint + ". Answer again, briefly, in the shape asked for."
	}
	out := map[string]any{
		"model":    model,
		"messages": []any{map[string]any{"role": "system", "content": strings.TrimSpace(system)}, map[string]any{"role": "user", "content": r.content(prompt)}},
		"stream":   false,
	}
	if can.lacks(newTokens) {
		out["max_completion_tokens"] = tokens
	} else {
		out["max_tokens"] = tokens
	}
	if !can.lacks(noTemperature) {
		out["temperature"] = 0
	}
	// Not to think: 34 s became 13 s, at no loss. llama.cpp and vLLM read the first, Ollama the second alone.
	if !can.lacks(noTemplate) {
		out["chat_template_kwargs"] = map[string]any{"enable_thinking": false}
	}
	if !can.lacks(noEffort) {
		out["reasoning_effort"] = "none"
	}
	switch {
	case can.lacks(noFormat):
	case can.lacks(noSchema):
		out["response_format"] = map[string]any{"type": "json_object"}
	default:
		name := cmp.Or(r.SchemaName, "answer")
		out["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": name, "strict": true, "schema": json.RawMessage(schema)}}
	}
	return json.Marshal(out)
}

// content is plain text, or text and pictures, each behind its label.
func (r Request) content(prompt string) any {
	if len(r.Images) == 0 {
		return prompt
	}
	parts := []any{map[string]any{"type": "text", "text": prompt}}
	for _, img := range r.Images {
		parts = append(parts, map[string]any{"type": "text", "text": img.Label},
			map[string]any{"type": "image_url", "image_url": map[string]any{"url": "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(img.JPEG)}})
	}
	return parts
}
