package llm

// ability is what the server was found to lack; the zero value assumes everything. It is remembered, so that only the
// first request pays for finding out.
type ability struct {
	form          format
	noTemplate    bool // knows no chat_template_kwargs
	noEffort      bool // knows no reasoning_effort
	thinks        bool // does so although it was asked not to
	newTokens     bool // wants max_completion_tokens
	noTemperature bool
}

// format is how the shape of the answer is enforced, best first.
type format int

const (
	schemaForm format = iota
	objectForm
	textForm
)

// without gives up what the server's objection names; an objection that names nothing we sent costs the cheapest first.
// false = there is nothing left to give up.
func (a ability) without(objection string) (ability, bool) {
	switch {
	case !a.newTokens && containsAny(objection, "max_completion_tokens"):
		a.newTokens = true
	case !a.noTemperature && containsAny(objection, "temperature"):
		a.noTemperature = true
	case !a.noTemplate && containsAny(objection, "chat_template_kwargs", "enable_thinking"):
		a.noTemplate = true
	case !a.noEffort && containsAny(objection, "reasoning"):
		a.noEffort = true
	case a.form < textForm && containsAny(objection, "response_format", "json_schema", "json_object", "schema", "grammar", "structured"):
		a.form++
	case !a.noTemplate:
		a.noTemplate = true
	case !a.noEffort:
		a.noEffort = true
	case a.form < textForm:
		a.form++
	default:
		return a, false
	}
	return a, true
}
