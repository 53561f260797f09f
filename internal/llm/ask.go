package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/httpx"
)

// maxBody is far more than any answer; a server that sends more is not one.
const maxBody = 8 << 20

// JSON asks and decodes the answer into out, a pointer. An answer that cannot be used is asked for once more and then
// invalid. wait is called again and again while the caller has to be patient, on the caller's goroutine; nil is allowed.
func (c *Client) JSON(ctx context.Context, req Request, out any, wait func()) error {
	const op = "ask model"
	if wait == nil {
		wait = func() {}
	}
	tokens := req.MaxTokens
	if tokens <= 0 {
		tokens = 512
	}
	complaint := ""
	for try := 1; ; try++ {
		a, err := c.ask(ctx, req, tokens, complaint, wait)
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
		if a.cut {
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
		return r.fault(op, c.api)
	}
	return footy.Wrap(footy.CodeUnavailable, op, err)
}

// ask gets one completion: it waits for a server that is loading or busy, and gives up what the server does not know.
func (c *Client) ask(ctx context.Context, req Request, tokens int, complaint string, wait func()) (answer, error) {
	model, can := c.known()
	var first *refusal // of several objections the first is the telling one
	again := true      // one failure is forgiven
	for {
		body, err := req.body(model, can, tokens, complaint)
		if err != nil {
			return answer{}, footy.Errorf(footy.CodeInvalid, "write question", "%w", err)
		}
		a, err := c.send(ctx, body, wait)
		if err == nil {
			c.learn(can)
			return a, nil
		}
		var r *refusal
		if !errors.As(err, &r) {
			return answer{}, err
		}
		switch less, ok := can.without(r.text); {
		case r.passing():
			pause := max(r.after, c.o.Poll)
			if c.patience() < pause {
				return answer{}, r
			}
			if err := c.pause(ctx, pause, wait); err != nil {
				return answer{}, err
			}
		case r.objects() && ok:
			if first == nil {
				first = r
			}
			can = less
		case r.broken() && again:
			again = false
			if err := c.pause(ctx, c.o.Poll, wait); err != nil {
				return answer{}, err
			}
		case r.status == http.StatusNotFound && c.anyModel() && again:
			again = false
			if model, err = c.lookUp(ctx); err != nil {
				return answer{}, r
			}
			c.call(model)
		case first != nil:
			return answer{}, first
		default:
			return answer{}, r
		}
	}
}

// send queues for a slot, then gives the model its time.
func (c *Client) send(ctx context.Context, body []byte, wait func()) (answer, error) {
	if err := c.queue(ctx, wait); err != nil {
		return answer{}, err
	}
	defer func() { <-c.slots }()
	type result struct {
		a   answer
		err error
	}
	done := make(chan result, 1)
	go func() {
		a, err := c.post(ctx, body)
		done <- result{a, err}
	}()
	tick := time.NewTicker(c.o.Poll)
	defer tick.Stop()
	for {
		select {
		case r := <-done: // post ends with ctx: the slot is free only when the exchange is over
			return r.a, r.err
		case <-tick.C:
			wait()
		}
	}
}

func (c *Client) post(ctx context.Context, body []byte) (answer, error) {
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
		return answer{}, c.lost(ctx, limited, err)
	}
	defer httpx.Drain(res)
	data, err := httpx.ReadBody(res, maxBody)
	if err != nil {
		return answer{}, c.lost(ctx, limited, err)
	}
	if res.StatusCode != http.StatusOK {
		return answer{}, &refusal{status: res.StatusCode, text: message(res.StatusCode, data), body: start(data), after: httpx.RetryAfter(res.Header, time.Now())}
	}
	var out completion
	if err := json.Unmarshal(data, &out); err != nil || out.Choices == nil {
		// Some gateways say 200 and put the error into the body; a page of HTML is no model either.
		return answer{}, &refusal{status: http.StatusBadGateway, text: message(http.StatusBadGateway, data), body: start(data), odd: true}
	}
	c.call(out.Model)
	return out.answer(), nil
}

// lost tells the model's own slowness from a broken connection.
func (c *Client) lost(ctx, limited context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return &refusal{late: true, err: fmt.Errorf("%s gave no answer within %s: %w", c.Name(), c.o.ComputeTimeout, err)}
	}
	return &refusal{err: err}
}
