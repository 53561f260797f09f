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
	footy.EntryNew: {"First seen", Good}, footy.EntrySighting: {"Seen again", Plain}, footy.EntryAbsence: {"Missing", Warn},
	footy.EntryWithheld: {"Absence not counted", Warn}, footy.EntryChanged: {"Changed", Plain}, footy.EntryRenamed: {"Scorer corrected", Plain},
	footy.EntryCertain: {"Certain", Good}, footy.EntryRemoved: {"Removed", Bad}, footy.EntryRestored: {"Restored", Good},
	footy.EntrySearching: {"Search begins", Plain}, footy.EntryAliases: {"Names to search", Plain}, footy.EntryQuery: {"Search", Plain},
	footy.EntryCandidate: {"Post", Plain}, footy.EntryRejected: {"Refused", Bad}, footy.EntryVerdict: {"Checked", Plain},
	footy.EntryClip: {"Clip", Good}, footy.EntryMerged: {"Merged", Plain}, footy.EntryReplaced: {"Better copy", Good},
	footy.EntrySettled: {"Batch settled", Plain}, footy.EntryCompleted: {"Complete", Good}, footy.EntryDistrusted: {"Poll not trusted", Warn},
	footy.EntryPollFailed: {"Poll failed", Warn}, footy.EntryOperator: {"Operator", Warn}, footy.EntryActivated: {"Match activated", Plain},
	footy.EntryRescheduled: {"Rescheduled", Plain},
}

func line(r footy.Entry) Line {
	w, ok := words[r.Kind]
	if !ok {
		w.word, w.tone = strings.ReplaceAll(string(r.Kind), "_", " "), Plain
	}
	if r.Kind == footy.EntryCompleted {
		if n, ok := coverage.Number(r.Data, "clips"); ok && n == 0 {
			w.tone = Warn
		}
	}
	return Line{Key: r.Key, At: r.At, Kind: r.Kind, Word: w.word, Tone: w.tone, Text: r.Text, Reason: r.Reason, Times: 1, Facts: facts(r.Data)}
}

// line adds a row to a chapter; the same thing again and again becomes one line with a count.
func (b *builder) line(c *Chapter, r footy.Entry) {
	l := line(r)
	if n := len(c.Lines); n > 0 {
		if p := &c.Lines[n-1]; p.Kind == l.Kind && p.Text == l.Text && (l.Kind == footy.EntryPollFailed || l.Kind == footy.EntryDistrusted || l.Kind == footy.EntryWithheld) {
			p.Times++
			return
		}
	}
	c.Lines = append(c.Lines, l)
}

// facts lists a row's evidence by name; what a chapter or post already says is left out.
func facts(data map[string]any) []Fact {
	said := map[string]bool{"text": true, "url": true, "author": true, "posted_at": true, "duration_ms": true, "offered_by": true,
		"outcome": true, "poster": true, "poster_key": true, "query": true, "workflow": true, "votes": true, "of": true, "round": true, "download": true}
	var out []Fact
	for k, v := range data {
		if said[k] {
			continue
		}
		if s := value(v); s != "" {
			out = append(out, Fact{Name: strings.ReplaceAll(k, "_", " "), Value: s})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
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
	case nil:
		return ""
	case []any:
		parts := make([]string, 0, len(x))
		for _, e := range x {
			if s := value(e); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, " · ")
	case map[string]any:
		return reading(x)
	case string, float64, bool:
		return value(x)
	}
	return string(body)
}

// reading says what was read in one frame, or any other small record, as "name value" pairs.
func reading(m map[string]any) string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var parts []string
	for _, k := range keys {
		if s := value(m[k]); s != "" && s != "false" {
			parts = append(parts, strings.ReplaceAll(k, "_", " ")+" "+s)
		}
	}
	return strings.Join(parts, ", ")
}

// sum says a search's result in one line and picks the chapter's tone.
func (c *Chapter) sum() {
	if c.Kind == "end" {
		for _, l := range c.Lines {
			c.Tone = l.Tone
		}
	}
	if len(c.Posts) == 0 {
		return
	}
	count := map[string]int{}
	var names []string
	for _, p := range c.Posts {
		if count[p.Fate] == 0 {
			names = append(names, p.Fate)
		}
		count[p.Fate]++
		if p.Tone == Good {
			c.Tone = Good
		}
	}
	sort.Strings(names)
	var parts []string
	for _, n := range names {
		parts = append(parts, fmt.Sprintf("%d %s", count[n], n))
	}
	if c.Summary != "" {
		c.Summary += ": "
	}
	c.Summary += strings.Join(parts, ", ")
}
