package llm

import (
	"context"
	"time"
)

// queue waits for a slot, however long that takes: only the caller's context ends it.
func (c *Client) queue(ctx context.Context, wait func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case c.slots <- struct{}{}:
		return nil
	default:
	}
	wait()
	tick := time.NewTicker(c.o.Poll)
	defer tick.Stop()
	for {
		select {
		case c.slots <- struct{}{}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			wait()
		}
	}
}

// pause waits for d.
func (c *Client) pause(ctx context.Context, d time.Duration, wait func()) error {
	wait()
	end := time.NewTimer(d)
	defer end.Stop()
	tick := time.NewTicker(c.o.Poll)
	defer tick.Stop()
	for {
		select {
		case <-end.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			wait()
		}
	}
}

// patience is how much longer to wait for a server that refuses. It is shared: five clips of a batch wait for a server
// that hangs in loading once, not five times. A refusal long after the last one begins a new wait.
func (c *Client) patience() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if c.refused.IsZero() || now.Sub(c.asked) > c.o.LoadTimeout {
		c.refused = now
	}
	c.asked = now
	return c.o.LoadTimeout - now.Sub(c.refused)
}

// known is what earlier requests found out.
func (c *Client) known() (model string, can ability) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !c.anyModel():
		model = c.o.Model
	case c.model != "":
		model = c.model
	default:
		model = "default"
	}
	return model, c.can
}

// learn remembers an ability that worked. What one request gave up is given up; what another found stays.
func (c *Client) learn(can ability) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused = time.Time{}
	c.can = ability{
		form:          max(c.can.form, can.form),
		noThinking:    c.can.noThinking || can.noThinking,
		newTokens:     c.can.newTokens || can.newTokens,
		noTemperature: c.can.noTemperature || can.noTemperature,
	}
}

func (c *Client) call(model string) {
	if model == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.model = model
}
