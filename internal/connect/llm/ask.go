package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
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
	tokens := cmp.Or(max(req.MaxTokens, 0), 512)
	if c.ability().lacks(thinks) {
		tokens = max(tokens, roomToThink)
	}
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
		switch {
		case a.thought:
			tokens = max(2*tokens, roomToThink)
			c.remember(thinks, thinks)
		case a.cut:
			tokens *= 2
		}
	}
}

func (c *Client) translate(ctx context.Context, op string, err error) error {
	if ctx.Err() != nil {
		return footy.Wrap(footy.CodeUnavailable, op, ctx.Err())
	}
	var r *refusal
	if errors.As(err, &r) {
		return r.asError(op, c.api)
	}
	return footy.Wrap(footy.CodeUnavailable, op, err)
}

// complete gets one completion: it waits for a server that is loading or busy, and leaves out what the server does not know.
func (c *Client) complete(ctx context.Context, req Request, tokens int, complaint string) (answer, error) {
	model, can := c.Name(), c.ability()
	var named ability      // what objections named
	var first *refusal     // of several objections the first says most
	var brokenOff *refusal // it may have died of the question, and then nobody is there to be asked again
	again := true          // one failure is forgiven
	for {
		body, err := req.body(model, can, tokens, complaint)
		if err != nil {
			return answer{}, footy.Errorf(footy.CodeInvalid, "write question", "%w", err)
		}
		a, err := c.post(ctx, body)
		if err == nil {
			c.remember(can, named)
			return a, nil
		}
		var r *refusal
		if !errors.As(err, &r) {
			return answer{}, err
		}
		pause := c.o.Poll
		switch what, isNamed := can.objected(r.text); {
		case r.passing():
			if pause = max(r.after, c.o.Poll); c.patience() < pause {
				return answer{}, r
			}
		case r.objects() && what != 0 && (isNamed || !again):
			first, pause, can = cmp.Or(first, r), 0, can|what
			if isNamed {
				named |= what
			}
		case (r.broken() || r.objects() && what != 0) && again:
			if again = false; r.objects() {
				first = cmp.Or(first, r)
			} else if network.BrokenOff(r.err) {
				brokenOff = r
			}
		case r.status == http.StatusNotFound && c.anyModel() && again:
			again, pause = false, 0
			if model, err = c.lookUp(ctx); err != nil {
				return answer{}, r
			}
			c.setModel(model)
		case r.err != nil && !r.late:
			return answer{}, cmp.Or(first, brokenOff, r)
		default:
			return answer{}, cmp.Or(first, r)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return answer{}, ctx.Err()
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
	req, err := http.NewRequestWithContext(limited, http.MethodPost, c.api+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return answer{}, footy.Errorf(footy.CodeInvalid, "ask model", "%w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	c.sign(req)
	res, err := c.http.Do(req) //nolint:bodyclose // httpx.Drain closes it
	if err != nil {
		return answer{}, c.noAnswer(ctx, limited, err)
	}
	defer httpx.Drain(res)
	data, err := httpx.ReadBody(res, maxBody)
	if err != nil {
		return answer{}, c.noAnswer(ctx, limited, err)
	}
	if res.StatusCode != http.StatusOK {
		r := refused(res.StatusCode, data)
		r.after = httpx.RetryAfter(res.Header, time.Now())
		return answer{}, r
	}
	var out completion
	if err := json.Unmarshal(data, &out); err != nil || out.Choices == nil {
		// Some gateways say 200 and put the error into the body; a page of HTML is no model either.
		r := refused(http.StatusBadGateway, data)
		r.odd = true
		return answer{}, r
	}
	c.setModel(out.Model)
	return out.answer(), nil
}

// noAnswer says whether the model was too slow or the connection broke.
func (c *Client) noAnswer(ctx, limited context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return &refusal{late: true, err: fmt.Errorf("%s gave no answer within %s", c.Name(), limit(c.o.ComputeTimeout))}
	}
	return &refusal{err: err}
}

// limit is a time-out for people.
func limit(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return d.String()
}
