package llm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
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
	var r *refusal
	if errors.As(err, &r) {
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
		var r *refusal
		if !errors.As(err, &r) {
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
	req, err := http.NewRequestWithContext(limited, http.MethodPost, c.api+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return answer{}, footy.Errorf(footy.CodeInvalid, "ask model", "%w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	c.sign(req)
	res, data, err := httpx.Read(c.http, req, maxBody) //nolint:bodyclose // it closes it
	if err != nil {
		return answer{}, c.noAnswer(ctx, limited, err)
	}
	if res.StatusCode != http.StatusOK {
		r := refused(res.StatusCode, data)
		r.after = httpx.RetryAfter(res.Header, time.Now())
		return answer{}, r
	}
	out, trouble := readCompletion(data)
	if trouble != nil {
		return answer{}, refused(res.StatusCode, trouble)
	}
	c.setModel(string(out.Model))
	return out.answer(), nil
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
