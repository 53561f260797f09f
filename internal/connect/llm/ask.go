package llm

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// maxBody is far more than any answer; a server that sends more is not one.
const maxBody = 8 << 20

// roomToThink is how many tokens a model gets that thinks although it was asked not to: such models spend 500 to 4,000 before they answer.
const roomToThink = 4000

// JSON asks and decodes the answer into out, a pointer. An answer that cannot be used is asked for once more and then
// invalid.
func (c *Client) JSON(ctx context.Context, req Request, out any) error {
	const op = "ask model"
	tokens := c.room(cmp.Or(max(req.MaxTokens, 0), 512))
	complaint := ""
	for try := 1; ; try++ {
		a, err := c.complete(ctx, req, tokens, complaint)
		if err != nil {
			return c.translate(ctx, op, err)
		}
		if err = a.into(out); err == nil {
			return nil
		}
		if try == 2 {
			return &footy.Error{Code: footy.CodeInvalid, Op: op, Reason: a.unusable(tokens),
				Err: fmt.Errorf("the answer of %s could not be used: %w", c.Name(), err)}
		}
		complaint = err.Error()
		if a.cut || a.thought {
			tokens = c.room(2 * tokens)
		}
	}
}

func (c *Client) translate(ctx context.Context, op string, err error) error {
	if ctx.Err() != nil {
		return footy.Wrap(footy.CodeUnavailable, op, ctx.Err())
	}
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.asError(op, c.api)
	}
	return footy.Wrap(footy.CodeUnavailable, op, err)
}

// complete gets one completion: it waits for a server that is loading or busy, and leaves out what the server does not know.
func (c *Client) complete(ctx context.Context, req Request, tokens int, complaint string) (answer, error) {
	model, t := c.Name(), c.terms()
	var first *refusal     // of several objections the first says most
	var brokenOff *refusal // it may have died of the question, and then nobody is there to be asked again
	again := true          // one failure is forgiven, and one objection that names no field
	for {
		body, err := req.body(model, t.without(), tokens, complaint)
		if err != nil {
			return answer{}, footy.Errorf(footy.CodeInvalid, "write question", "%w", err)
		}
		a, err := c.post(ctx, body)
		if err == nil {
			c.learn(t, a)
			return a, nil
		}
		r, ok := errors.AsType[*refusal](err)
		if !ok {
			return answer{}, err
		}
		if r.broken() || r.passing() && r.kind != busy {
			c.away()
		}
		if r.kind == missing || r.status == http.StatusNotFound && r.kind == absent {
			if r.listed = c.lookUp(ctx); !c.anyModel() {
				r.wanted = model
				again = again && (len(r.listed) == 0 || slices.Contains(r.listed, model))
			} else if again && len(r.listed) == 1 && r.listed[0] != model {
				again, model = false, r.listed[0]
				c.setModel(model)
				continue
			}
		}
		pause, named := c.o.Poll, t.names(r.all)
		switch objects := r.objects(named); {
		case r.passing():
			if pause = max(r.after, c.o.Poll); c.patience() < pause {
				return answer{}, r
			}
		case (r.broken() || objects) && named == 0 && again:
			if again = false; objects {
				first = cmp.Or(first, r)
			} else if network.BrokenOff(r.err) {
				brokenOff = r
			}
		case objects && t.yield(named):
			first, pause = cmp.Or(first, r), 0
		case r.err != nil && r.kind != slow:
			return answer{}, cmp.Or(first, brokenOff, r)
		case r.kind != failed:
			return answer{}, r
		default:
			return answer{}, cmp.Or(first, r)
		}
		if err := network.Pause(ctx, pause); err != nil {
			return answer{}, err
		}
	}
}

// post waits for a slot, however long that takes, then gives the model its time.
func (c *Client) post(ctx context.Context, body []byte) (answer, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return answer{}, ctx.Err()
	}
	limited, cancel := context.WithTimeout(ctx, c.o.ComputeTimeout)
	defer cancel()
	header := c.key()
	header["Content-Type"] = "application/json"
	call := httpx.Call{Method: http.MethodPost, Address: c.api + "/chat/completions", Header: header, Body: body, Most: maxBody}
	res, data, err := call.Do(limited, c.http) //nolint:bodyclose // it closes it
	if err != nil {
		return answer{}, c.noAnswer(ctx, limited, err)
	}
	if res.StatusCode != http.StatusOK {
		r := refused(res.StatusCode, data)
		r.after = httpx.RetryAfter(res.Header, time.Now())
		return answer{}, r
	}
	model, a, trouble := readAnswer(data)
	if trouble != nil {
		return answer{}, refused(res.StatusCode, trouble)
	}
	c.setModel(model)
	return a, nil
}

// noAnswer says whether the model was too slow or the connection broke.
func (c *Client) noAnswer(ctx, limited context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return &refusal{kind: slow, err: fmt.Errorf("%s gave no answer within %s", c.Name(), limit(c.o.ComputeTimeout))}
	}
	return &refusal{kind: absent, err: err}
}

// limit is a time-out for people.
func limit(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return d.String()
}

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
