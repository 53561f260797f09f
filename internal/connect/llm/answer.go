package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
)

// Checked is implemented by answers that can tell whether they make sense; one that does not is asked for again.
type Checked interface{ Check() error }

// answer is what the model said, not yet understood.
type answer struct {
	texts   []string // where JSON may be, likeliest first
	cut     bool     // the token limit ended it
	thinks  bool     // it has thoughts
	thought bool     // it was spent on thoughts: nothing is answered
	written int      // tokens it has; 0 = the server did not say
	refusal string
}

func (r completion) answer() answer {
	m := r.Choices[0].Message
	var usage struct {
		CompletionTokens float64 `json:"completion_tokens"`
	}
	_ = json.Unmarshal(r.Usage, &usage) // not every server counts
	a := answer{cut: r.Choices[0].FinishReason == "length", refusal: string(m["refusal"]), written: int(usage.CompletionTokens)}
	content, thoughts := string(m["content"]), string(m["reasoning_content"]+m["reasoning"])
	before, after, ended := strings.Cut(content, "</think>")
	if ended {
		content = after
	}
	a.thinks = thoughts != "" || strings.Contains(before, "<think>")
	a.thought = strings.HasPrefix(strings.TrimSpace(before), "<think>") && !ended || strings.TrimSpace(content) == "" && (thoughts != "" || a.cut)
	// Models that think although they were asked not to leave the content empty and the answer in their thoughts.
	for _, s := range []string{content, string(m["reasoning_content"]), string(m["reasoning"])} {
		if s = strings.TrimSpace(s); s != "" {
			a.texts = append(a.texts, s)
		}
	}
	return a
}

// into understands the answer or says, for people and for the model, why not. out changes only on success.
func (a answer) into(out any) error {
	why := errors.New("it was empty")
	if a.thought {
		why = errors.New("the model thinks instead of answering; it was asked not to")
	}
	if a.refusal != "" {
		why = fmt.Errorf("the model refused: %s", shorten(a.refusal))
	}
	for i, text := range a.texts {
		err := errors.New("it contained no complete JSON object")
		found := objects(text)
		if len(found) == 0 {
			found = objects(string(tidy([]byte(text))))
		}
		for _, object := range found {
			if err = decode(object, out); err == nil {
				return nil
			}
		}
		if i == 0 && !a.thought {
			why = err
		}
	}
	if a.cut {
		return fmt.Errorf("it was cut off by the token limit: %w", why)
	}
	return why
}

func decode(object json.RawMessage, out any) error {
	fresh := reflect.New(reflect.TypeOf(out).Elem())
	fresh.Elem().Set(reflect.ValueOf(out).Elem()) // with what the caller's check needs to know
	if err := json.Unmarshal(object, fresh.Interface()); err != nil {
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) { // said to people and to the model, of whom none knows Go
			return fmt.Errorf("%s must not be a %s", cmp.Or(wrong.Field, "the answer"), wrong.Value)
		}
		return err
	}
	if c, ok := fresh.Interface().(Checked); ok {
		if err := c.Check(); err != nil {
			return err
		}
	}
	reflect.ValueOf(out).Elem().Set(fresh.Elem())
	return nil
}

// objects finds the complete JSON objects in a text, be they fenced, announced or followed by talk; the last first,
// because drafts come before the final answer.
func objects(text string) []json.RawMessage {
	var found []json.RawMessage
	b := []byte(text)
	for range 100 { // the text is a stranger's: a page of braces must not cost seconds
		i := bytes.IndexByte(b, '{')
		if i < 0 {
			break
		}
		var raw json.RawMessage
		d := json.NewDecoder(bytes.NewReader(b[i:]))
		if d.Decode(&raw) != nil {
			b = b[i+1:]
			continue
		}
		found = append([]json.RawMessage{raw}, found...)
		b = b[i+int(d.InputOffset()):]
	}
	return found
}

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
