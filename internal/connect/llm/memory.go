package llm

import "time"

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

// modelAndAbility is the model's name and the ability that earlier requests found.
func (c *Client) modelAndAbility() (model string, can ability) {
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

// remember remembers an ability that worked. What one request gave up is given up; what another found stays.
func (c *Client) remember(can ability) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused = time.Time{}
	c.can = ability{
		form:          max(c.can.form, can.form),
		noTemplate:    c.can.noTemplate || can.noTemplate,
		noEffort:      c.can.noEffort || can.noEffort,
		thinks:        c.can.thinks || can.thinks,
		newTokens:     c.can.newTokens || can.newTokens,
		noTemperature: c.can.noTemperature || can.noTemperature,
	}
}

// setModel keeps the name the server gives its model.
func (c *Client) setModel(model string) {
	if model == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.model = model
}
