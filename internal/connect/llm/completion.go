package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"regexp"
)

// completion is as much of the response as matters. Nothing beside it, like figures of usage, is a reason to refuse an answer.
type completion struct {
	Model   flexibleText    `json:"model"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Choices []choice        `json:"choices"`
}

type choice struct {
	FinishReason flexibleText    `json:"finish_reason"`
	Message      message         `json:"message"`
	Delta        message         `json:"delta"` // a piece of a stream
	Error        json.RawMessage `json:"error"` // a gateway's, of the server behind it
}

// message is what a model wrote, by the names of its fields: content, refusal, and reasoning or reasoning_content.
type message map[string]flexibleText

// readCompletion joins the pieces of an answer into its first choice. trouble is the JSON or text that stands in its place; nil: there is none.
func readCompletion(body []byte) (out completion, trouble []byte) {
	body = payload(body)
	if !json.Valid(body) {
		body = tidy(body)
	}
	whole := choice{Message: message{}}
	for d := json.NewDecoder(bytes.NewReader(body)); ; {
		var raw json.RawMessage
		var piece completion
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return out, body
		}
		if json.Unmarshal(raw, &piece) != nil || len(piece.Error) > 0 && string(piece.Error) != "null" {
			return out, raw
		}
		out.Model = cmp.Or(out.Model, piece.Model)
		if len(piece.Usage) > 0 {
			out.Usage = piece.Usage
		}
		for _, c := range piece.Choices[:min(len(piece.Choices), 1)] {
			if len(c.Error) > 0 {
				return out, c.Error
			}
			for _, part := range []message{c.Message, c.Delta} {
				for name, text := range part {
					whole.Message[name] += text
				}
			}
			whole.FinishReason = cmp.Or(c.FinishReason, whole.FinishReason)
			out.Choices = []choice{whole}
		}
	}
	if out.Choices == nil {
		return out, body
	}
	return out, nil
}

// payload is the JSON in a body. Some servers send a stream of lines although none was asked for.
func payload(body []byte) []byte {
	var out []byte
	for line := range bytes.Lines(body) {
		line = bytes.TrimSpace(line)
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok && string(bytes.TrimSpace(data)) != "[DONE]" {
			out = append(append(out, data...), '\n')
		}
	}
	if out == nil {
		return body
	}
	return out
}

// loose are strings, which stay, and what is nearly JSON: numbers that are none, and a comma behind the last element.
var loose = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|,\s*[}\]]|-?\b(?:NaN|nan|Infinity|inf)\b`)

// tidy mends what is nearly JSON.
func tidy(text []byte) []byte {
	return loose.ReplaceAllFunc(text, func(m []byte) []byte {
		switch m[0] {
		case '"':
			return m
		case ',':
			return m[len(m)-1:]
		}
		return []byte("null")
	})
}

// flexibleText is text: a string, or a list of parts; anything else is none.
type flexibleText string

// UnmarshalJSON implements json.Unmarshaler.
func (s *flexibleText) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*s = flexibleText(text)
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(b, &parts) == nil {
		for _, p := range parts {
			*s += flexibleText(p.Text)
		}
	}
	return nil
}
