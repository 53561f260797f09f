package llm

import (
	"regexp"
	"time"
)

// ability is what a question leaves out because the server takes none with it, a bit each.
type ability uint

const (
	newTokens     ability = 1 << iota // max_tokens: it wants max_completion_tokens
	noTemperature                     //
	noTemplate                        // chat_template_kwargs
	noEffort                          // reasoning_effort
	noSchema                          // a schema: it may enforce a JSON object
	noFormat                          // response_format at all
)

func (a ability) lacks(what ability) bool { return a&what != 0 }

var aboutFormat = regexp.MustCompile(`response_format|json_schema|json_object|schema|grammar|structured`)

// fields are what can be left out, by the words that name them.
var fields = []struct {
	ability
	named *regexp.Regexp
}{
	{newTokens, regexp.MustCompile(`max_completion_tokens`)},
	{noTemperature, regexp.MustCompile(`temperature`)},
	{noTemplate, regexp.MustCompile(`chat_template_kwargs|enable_thinking`)},
	{noEffort, regexp.MustCompile(`reasoning|\bthink`)},
	{noSchema, aboutFormat},
	{noFormat, aboutFormat},
}

// suspects are what is left out in turn where an objection names nothing: each field alone, so that none is given up for another.
var suspects = []ability{noTemplate, noEffort, noTemplate | noEffort, noSchema, noFormat, noTemplate | noEffort | noFormat}

// terms are what one question leaves out while it is negotiated.
type terms struct {
	known   ability // found out by earlier questions
	trial   bool    // begin without known: the server may be another one by now
	failed  bool    // of the trial
	named   ability // objections of this question named it
	suspect ability // left out for an objection that named nothing
	tried   int     // of the suspects
}

func (t *terms) without() ability {
	if t.trial && !t.failed {
		return t.named
	}
	return t.known | t.named | t.suspect
}

// names is the field that an objection names, if the question has it; 0 = none.
func (t *terms) names(objection string) ability {
	for _, f := range fields {
		if !t.without().lacks(f.ability) && f.named.MatchString(objection) {
			return f.ability
		}
	}
	return 0
}

// yield leaves out more after an objection; false: there is nothing left.
func (t *terms) yield(named ability) bool {
	if t.trial && !t.failed {
		t.failed = true
		return true
	}
	if named != 0 {
		t.named, t.suspect = t.named|named, 0
		return true
	}
	for t.tried < len(suspects) {
		t.suspect, t.tried = suspects[t.tried]&^(t.known|t.named), t.tried+1
		if t.suspect != 0 {
			return true
		}
	}
	return false
}

func (c *Client) terms() *terms {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &terms{known: c.can, trial: c.can != 0 && time.Since(c.learned) >= c.o.Trial}
}

// learn keeps what a question did without: at once what an objection named, the rest once it has helped twice in a row. One refusal without
// a name may be about anything.
func (c *Client) learn(t *terms, a answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused, c.thinks = time.Time{}, a.thought || a.thinks && c.thinks
	can := t.without() &^ t.suspect
	if t.suspect == c.helped {
		can, c.helped = can|t.suspect, 0
	} else {
		c.helped = t.suspect
	}
	if can != c.can || t.trial {
		c.can, c.learned = can, time.Now()
	}
}

// away notes that the server was not there: the next question tries everything again, for another server or model may come back.
func (c *Client) away() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.learned = time.Time{}
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
