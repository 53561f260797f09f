package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
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
