package explain

import (
	"fmt"
	"strings"
	"text/template"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

// about names a row: its kind, and its reason where that has a sentence of its own.
type about struct {
	kind   footy.EntryKind
	reason footy.Reason
}

// eventCompleted is the kind of a completed row that is about an event: EntryCompleted is about its match.
const eventCompleted footy.EntryKind = "event_completed"

// sentences say rows; those that need more than their evidence are in row.go. The dot is the evidence.
var sentences = parse(map[about]string{
	{footy.EntryActivated, ""}:                            "The match is reported live{{if .Again}} again{{end}}.",
	{footy.EntryActivated, lifecycle.ReasonPreActivation}: "Kickoff is near: polled every cycle from now on.",
	{footy.EntryActivated, lifecycle.ReasonNamed}:         "Added by an operator after full time; searching for its goals.",
	{footy.EntryRescheduled, ""}:                          `The match has a new date: {{.Kickoff.UTC.Format "2 January 2006 15:04 UTC"}}`,
	{footy.EntryRescheduled, lifecycle.ReasonDelayed}:     `Delayed: kickoff is at {{.Kickoff.UTC.Format "15:04 UTC"}} now.`,
	{footy.EntryOver, ""}:                                 "The match is over ({{.Status}}). For an hour at most these keep it active: events that are not complete: {{.Open}}, goals the feed has not listed: {{.Unlisted}}.",
	{footy.EntryRescheduled, lifecycle.ReasonPostponed}:   "Postponed without a new date: asked rarely from now on.",
	{footy.EntryRescheduled, lifecycle.ReasonNeverBegan}:  "It never began and nobody says why: asked rarely from now on.",
	{footy.EntryCompleted, ""}:                            "The match is over ({{.Status}}){{if .Complete}} and every event is complete{{end}}.",
	{footy.EntryCompleted, lifecycle.ReasonGraceOver}:     "The match is over ({{.Status}}); the grace ended with open searches: {{.Open}}, goals the feed never listed: {{.Unlisted}}.",
	{footy.EntryCompleted, lifecycle.ReasonNeverResumed}:  "The feed has said {{status .Status}} for {{span .Lasted}}: the match counts as over, and is not asked about any more.",
	{footy.EntryPollFailed, ""}:                           "The feed gave no answer to trust; nothing is decided until it does",
	{footy.EntryDistrusted, ""}:                           "The feed contradicts itself; until it stops, nothing is removed or corrected: {{.Why}}",
	{footy.EntryTrusted, ""}:                              "The feed's answers can be believed again, after {{span .Lasted}}",
	{footy.EntryNew, ""}:                                  "{{kind .What}} reported: {{who .Player}} ({{.Team}}), {{minute .Time}}.",
	{footy.EntrySighting, debounce.ReasonNotCounted}:      "Seen in {{.Votes}} polls, but the score {{tally .Score}} does not count it yet: the search waits until it does.",
	{footy.EntrySighting, ""}: `{{if not .Votes}}Listed again with {{who .Player}}.
{{- else if lt .Votes .Of}}Seen in {{.Votes}} of {{.Of}} polls.
{{- else if not .Player}}Seen {{.Votes}} times; the scorer is not named yet.
{{- else if lt .Named 2}}Seen {{.Votes}} times; the scorer must be named twice in a row.
{{- else if gt .Votes .Of}}Seen in {{.Votes}} polls, {{.Of}} are needed.
{{- else}}Seen in {{.Votes}} of {{.Of}} polls.{{end}}`,
	{footy.EntryCertain, ""}:                        "Certain{{if .Time}}: {{who .Player}}, {{minute .Time}}. The search starts{{end}}.",
	{footy.EntryChanged, debounce.ReasonNewRound}:   "The scorer is confirmed as {{who .Player}}: the search starts anew (round {{.Round}}).",
	{footy.EntryChanged, debounce.ReasonClockAhead}: "It was seen{{if .Round}} or searched for while a clock was ahead: that is put right, and the search starts anew (round {{.Round}}).{{else}} while a clock was ahead: its time is put right.{{end}}",
	{footy.EntryChanged, debounce.ReasonIdentified}: "The scorer is known: {{person .To}}.",
	{footy.EntryChanged, debounce.ReasonNumbered}:   "The feed gave {{person .To}} a number.",
	{footy.EntryChanged, debounce.ReasonSpelling}:   "The feed writes {{person .To}} now.",
	{footy.EntryChanged, debounce.ReasonCorrected}:  "The scorer is {{person .To}}, not {{person .From}}.",
	{footy.EntryChanged, debounce.ReasonMinute}:     "The minute is {{minute .Time}} now, it was {{minute .Before}}.",
	{footy.EntryChanged, debounce.ReasonDetail}:     "It is listed as {{.Listed}} now, it was {{.Was}}.",
	{footy.EntryChanged, debounce.ReasonAssist}:     "Assist: {{person .To}}.",
	{footy.EntryAbsence, ""}:                        "Missing from the answer ({{.Absences}} of {{.Of}}){{if .What.Scores}}, and the score {{tally .Score}} does not need it{{end}}.",
	{footy.EntryWithheld, footy.ReasonAnomaly}:      "Missing from the answer, but the whole answer contradicts what is known: not believed.",
	{footy.EntryWithheld, footy.ReasonKept}:         "Missing from the answer, but an operator says that it stands: not believed.",
	{footy.EntryWithheld, debounce.ReasonEmptyList}: "Missing from an answer that lists nothing at all, although its score is {{tally .Score}}: not believed.",
	{footy.EntryWithheld, debounce.ReasonNotBegun}:  "Missing from an answer that says the match has not begun: not believed.",
	{footy.EntryWithheld, ""}:                       "Missing from {{if and .Score .Score.Known}}the answer, but its score {{tally .Score}} still counts it{{else}}an answer that gives no score{{end}}: not believed.",
	{footy.EntryRemoved, footy.ReasonListedTwice}:   "The feed listed one goal twice, and lists it once now: the other event stands for it.",
	{footy.EntryRemoved, footy.ReasonPlaceholder}:   "A goal without a scorer that was never confirmed is gone.",
	{footy.EntryRemoved, ""}: `{{if not .What}}It no longer stands: hidden.
{{- else if .What.Scores}}Goal by {{who .Player}} no longer stands (score {{tally .Score}}): hidden.
{{- else}}{{kind .What}} of {{who .Player}} no longer stands: hidden.{{end}}`,
	{footy.EntrySearching, ""}: `Searching for clips of {{or .Player "unknown scorer"}} {{minute .Time}}{{if gt .Round 1}} (round {{.Round}}){{end}}`,
	{footy.EntryAhead, ""}: `Searched before it is certain
{{- if .Found}}: {{posts .Found}} found
{{- else if .Looked}}: nothing found
{{- else if eq .State "not_now"}}; nothing found yet, and X was not asked, to save its calls
{{- else}}, and nobody could look: {{plain .State}}{{end}}`,
	{footy.EntryCandidate, footy.ReasonNotChosen}: "Passed over this time: longer ones came first",
	{footy.EntryClip, ""}:                         `{{if .Returned}}A clip of its own again: no better copy is known{{else}}New clip, {{printf "%.1f" .Duration}} s, {{.Width}}x{{.Height}}{{end}}`,
	{footy.EntryFirstClip, ""}:                    "{{firstClip .Stages}}",
	{eventCompleted, ""}:                          "Complete{{if not .Clips}} without a clip{{else if eq .Clips 1}}: one clip kept{{else}}: {{.Clips}} clips kept{{end}}{{lost .Outcome}}",
	{footy.EntryRestored, ""}:                     "Listed again after it had been removed: it stands, with everything found before.",
})

func parse(of map[about]string) map[about]*template.Template {
	words := template.FuncMap{"who": who, "person": person, "minute": minute, "tally": tally,
		"kind":      func(k footy.Kind) string { return UpperFirst(k.Info().One) },
		"status":    statusName,
		"posts":     func(n int) string { return Plural(n, "post", "posts") },
		"plain":     func(s footy.SearchState) string { return plain(footy.Reason(s)) },
		"firstClip": func(stages map[string]float64) string { return FirstClip(stages) },
		"lost": func(outcome string) string {
			if lost := footy.ParseRoundOutcome(outcome).Lost; lost != "" {
				return ": " + LowerFirst(Reason(lost))
			}
			return ""
		},
		"span": func(seconds float64) string { return Span(time.Duration(seconds * float64(time.Second))) }}
	out := make(map[about]*template.Template, len(of))
	for a, text := range of {
		out[a] = template.Must(template.New(fmt.Sprint(a)).Funcs(words).Parse(text))
	}
	return out
}

// statusName is a code of the feed with what it means, where that is known.
func statusName(code string) string {
	in := footy.Status{Code: code}.Info()
	if in.Phase == footy.PhaseUnknown {
		return fmt.Sprintf("%q, which is not a status that is known,", code)
	}
	return fmt.Sprintf("%q", in.Label)
}

// sentence says such a row; "" for any other.
func sentence(r footy.Entry) string {
	switch {
	case r.Kind == footy.EntryCompleted && r.EventUID != "":
		r.Kind = eventCompleted
	case r.Kind == footy.EntryRenamed:
		r.Kind = footy.EntryChanged
	}
	t := sentences[about{r.Kind, r.Reason}]
	if t == nil {
		t = sentences[about{r.Kind, ""}]
	}
	if t == nil {
		return ""
	}
	var b strings.Builder
	if err := t.Execute(&b, r.Data); err != nil {
		return "" // what a row of another release may lack
	}
	return b.String()
}
