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

	"github.com/tidwall/gjson"
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

// understood is the answer that these fields of a message hold.
func understood(said map[string]string, cut bool, written int) answer {
	a := answer{cut: cut, refusal: said["refusal"], written: written}
	content, thoughts := said["content"], said["reasoning_content"]+said["reasoning"]
	before, after, ended := strings.Cut(content, "</think>")
	if ended {
		content = after
	}
	a.thinks = thoughts != "" || strings.Contains(before, "<think>")
	a.thought = strings.HasPrefix(strings.TrimSpace(before), "<think>") && !ended || strings.TrimSpace(content) == "" && (thoughts != "" || a.cut)
	// Models that think although they were asked not to leave the content empty and the answer in their thoughts.
	for _, s := range []string{content, said["reasoning_content"], said["reasoning"]} {
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
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // said to people and to the model, of whom none knows Go
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

// readAnswer joins the pieces of an answer. Nothing beside it, like figures of usage, is a reason to refuse it. trouble is the JSON or text that
// stands in its place; nil: there is none.
func readAnswer(body []byte) (model string, out answer, trouble []byte) {
	body = payload(body)
	if !json.Valid(body) {
		body = tidy(body)
	}
	said, end, written, answered := map[string]string{}, "", 0, false
	for d := json.NewDecoder(bytes.NewReader(body)); ; {
		var raw json.RawMessage
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return model, out, body
		}
		piece := gjson.ParseBytes(raw)
		choice := piece.Get("choices.0")
		if piece.Get("error").Type != gjson.Null {
			return model, out, raw
		}
		if e := choice.Get("error"); e.Type != gjson.Null { // a gateway's, of the server behind it
			return model, out, []byte(e.Raw)
		}
		model = cmp.Or(model, text(piece.Get("model")))
		written = int(cmp.Or(piece.Get("usage.completion_tokens").Float(), float64(written)))
		end = cmp.Or(text(choice.Get("finish_reason")), end)
		answered = answered || choice.Exists()
		for _, part := range []string{"message", "delta"} { // the second is a piece of a stream
			for name, v := range choice.Get(part).Map() {
				said[name] += text(v)
			}
		}
	}
	if !answered {
		return model, out, body
	}
	return model, understood(said, end == "length", written), nil
}

// text is a string, or a list of parts; anything else is none.
func text(v gjson.Result) string {
	if v.Type == gjson.String {
		return v.Str
	}
	var parts strings.Builder
	for _, part := range v.Get("#.text").Array() {
		parts.WriteString(part.Str)
	}
	return parts.String()
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
