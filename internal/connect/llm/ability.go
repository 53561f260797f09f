package llm

import "time"

// ability is what the server was found to lack, a bit each; zero assumes everything. It is remembered, so that only the first requests
// pay for finding out.
type ability uint

const (
	newTokens     ability = 1 << iota // wants max_completion_tokens
	noTemperature                     //
	noTemplate                        // knows no chat_template_kwargs
	noEffort                          // knows no reasoning_effort
	noSchema                          // enforces no schema, but may a JSON object
	noFormat                          // knows no response_format at all
	thinks                            // does so although it was asked not to
)

func (a ability) lacks(what ability) bool { return a&what != 0 }

// givenUp is what is given up for an objection that has one of the words. Those that may be given up for an objection without a
// name are in this order: the cheapest first.
var givenUp = []struct {
	what    ability
	unnamed bool
	words   []string
}{
	{newTokens, false, []string{"max_completion_tokens"}},
	{noTemperature, false, []string{"temperature"}},
	{noTemplate, true, []string{"chat_template_kwargs", "enable_thinking"}},
	{noEffort, true, []string{"reasoning"}},
	{noSchema, true, formatWords},
	{noFormat, true, formatWords},
}

var formatWords = []string{"response_format", "json_schema", "json_object", "schema", "grammar", "structured"}

// objected is what to give up for an objection, and whether it names that; 0 = there is nothing left.
func (a ability) objected(text string) (what ability, named bool) {
	for _, g := range givenUp {
		if !a.lacks(g.what) && containsAny(text, g.words...) {
			return g.what, true
		}
		if what == 0 && g.unnamed && !a.lacks(g.what) {
			what = g.what
		}
	}
	return what, false
}

// remember keeps what a request did without: at once what an objection named, the rest once it has helped twice. One refusal without a
// name may be about anything.
func (c *Client) remember(without, named ability) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused = time.Time{}
	c.can |= named | without&c.helped
	c.helped |= without
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
