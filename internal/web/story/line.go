package story

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/coverage"
)

var words = map[footy.EntryKind]struct {
	word string
	tone Tone
}{
	footy.EntryNew: {"First seen", Good}, footy.EntrySighting: {"Seen", Plain}, footy.EntryAbsence: {"Missing", Warn},
	footy.EntryWithheld: {"Absence not counted", Warn}, footy.EntryChanged: {"Changed", Plain}, footy.EntryRenamed: {"Scorer", Plain},
	footy.EntryCertain: {"Certain", Good}, footy.EntryRemoved: {"Removed", Bad}, footy.EntryRestored: {"Restored", Good},
	footy.EntrySearching: {"Search begins", Plain}, footy.EntryAliases: {"Names to search", Plain}, footy.EntryQuery: {"Search", Plain},
	footy.EntryCandidate: {"Post", Plain}, footy.EntryRejected: {"Refused", Bad}, footy.EntryVerdict: {"Checked", Good}, footy.EntryWaiting: {"Waits", Warn},
	footy.EntryClip: {"Clip", Good}, footy.EntryMerged: {"Merged", Plain}, footy.EntryReplaced: {"Better copy", Good},
	footy.EntrySettled: {"Batch done", Plain}, footy.EntryCompleted: {"Complete", Good}, footy.EntryDistrusted: {"Poll not trusted", Warn},
	footy.EntryPollFailed: {"Poll failed", Warn}, footy.EntryTrusted: {"Feed believed again", Good}, footy.EntryOperator: {"Operator", Warn}, footy.EntryActivated: {"Match followed", Plain},
	footy.EntryRescheduled: {"New date", Plain},
}

// line says one row. A copy of a clip we have was merged, not refused.
func (b *builder) line(r footy.Entry) Line {
	w, ok := words[r.Kind]
	if !ok {
		w.word, w.tone = strings.ReplaceAll(string(r.Kind), "_", " "), Plain
	}
	switch {
	case r.Kind == footy.EntryCompleted:
		if n, ok := coverage.Number(r.Data, "clips"); ok && n == 0 {
			w.tone = Warn
		}
	case r.Kind == footy.EntryRejected && r.Reason == footy.ReasonDuplicate && r.ClipID != "":
		w.word, w.tone = "Merged", Plain
	case r.Kind == footy.EntryWaiting:
		r.Text = footy.ExplainWait(r.Reason)
	case r.Kind == footy.EntryCandidate && r.Reason != "":
		w.word = "Passed over"
	case r.Reason == footy.ReasonUnvalidated:
		w.word, w.tone = "Waits for the model", Warn
	}
	l := Line{Key: r.Key, At: r.At, Kind: r.Kind, Word: w.word, Tone: w.tone, Text: b.plain(r.Text), Reason: r.Reason, Times: 1, Facts: b.facts(r.Data)}
	if name := b.name(r.ClipID); name != "" && r.PostID == "" {
		l.Text += " (" + name + ")"
	}
	return l
}

// labels name a row's evidence; "" leaves out what the line or its post says already.
var labels = map[string]string{
	"text": "", "url": "", "author": "", "posted_at": "", "duration_ms": "", "offered_by": "", "outcome": "", "poster_key": "", "votes": "", "of": "",
	"round": "", "new_id": "", "absences": "", "found": "", "state": "", "act": "",
	"query": "searched for", "calls": "calls to X", "new": "new posts", "since": "not before", "retry_after_s": "wait, seconds", "detail": "detail",
	"expected": "minute expected on the clock", "minute": "minute read", "model": "model", "readings": "frames", "sibling": "belongs to goal",
	"into": "stands for it now", "match": "comparison", "aliases": "words for the team", "attempts": "searches", "clips": "clips",
	"from": "was", "to": "is", "old_id": "address before", "workflow": "workflow", "download": "workflow", "why": "cause", "reason": "reason", "waited_for": "gave up",
}

// facts lists a row's evidence under names people understand.
func (b *builder) facts(data map[string]any) []Fact {
	var out []Fact
	for k, v := range data {
		name, known := labels[k]
		if !known {
			name = strings.ReplaceAll(k, "_", " ")
		}
		if name == "" {
			continue
		}
		s := value(v)
		switch k {
		case "readings":
			s = frames(v)
		case "waited_for":
			s = footy.ExplainWait(footy.Reason(s))
		case "into":
			s = b.name(s)
		case "retry_after_s", "calls":
			if s == "0" {
				s = ""
			}
		}
		if s != "" {
			out = append(out, Fact{Name: name, Value: s})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// frames says what was read where: "1.8 s 30:29 · 3.5 s no clock".
func frames(v any) string {
	body, err := json.Marshal(v)
	var rs []footy.Reading
	if err != nil || json.Unmarshal(body, &rs) != nil {
		return value(v)
	}
	var parts []string
	for _, r := range rs {
		s := fmt.Sprintf("%.1f s: ", r.At)
		switch {
		case !r.Soccer:
			s += "no football"
		case r.Clock == "" && r.StoppageClock == "":
			s += "no clock"
		default:
			s += strings.Join(strings.Fields(r.Clock+" "+r.Added+" "+r.StoppageClock+" "+r.Period), " ")
		}
		if r.Screen {
			s += ", filmed from a screen"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " · ")
}

// value says a piece of evidence in one line; empty things say nothing.
func value(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case float64:
		if x == float64(int64(x)) {
			return fmt.Sprintf("%d", int64(x))
		}
		return fmt.Sprintf("%.2f", x)
	case bool, int, int64:
		return fmt.Sprint(x)
	}
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	var plain any
	_ = json.Unmarshal(body, &plain)
	switch x := plain.(type) {
	case []any:
		parts := make([]string, 0, len(x))
		for _, e := range x {
			if s := value(e); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ", ")
	case map[string]any: // a person, or how two clips compare
		for _, key := range []string{"name", "Reason", "reason"} {
			if s, ok := x[key].(string); ok {
				return s
			}
		}
		return ""
	case string, float64, bool:
		return value(x)
	}
	return ""
}
