package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// words of a part: its heading, and what a sentence calls it.
type words struct{ title, subject string }

func partWords() map[string]words {
	return map[string]words{
		Engine:   {"Workflow engine", "The workflow engine"},
		Database: {"Database", "The database"},
		Page:     {"Database", "The database"},
		Clips:    {"Clip storage", "Clip storage"},
		Feed:     {"Match feed", "The match feed"},
		Followed: {"Followed", "What is followed"},
		Search:   {"Finding posts", "The search for posts"},
		Fetch:    {"Fetching posts", "The fetching of posts"},
		Model:    {"Vision model", "The vision model"},
		Proof:    {"Proof of clips", "The proof of clips"},
		Programs: {"Video tools", "Ffmpeg"},
		Ledger:   {"Posts that wait", "The list of posts that wait"},
	}
}

// Title is the part's name as a heading.
func (p Part) Title() string {
	return cmp.Or(partWords()[p.Name].title, p.Heading, explain.UpperFirst(strings.ReplaceAll(p.Name, "_", " ")))
}

// Subject is the part's name at the beginning of a sentence.
func (p Part) Subject() string {
	return cmp.Or(partWords()[p.Name].subject, p.Called, explain.UpperFirst(p.Name))
}

// Sentence is the reason as a sentence; "" if there is none.
func (p Part) Sentence() string {
	if p.Reason == "" {
		return ""
	}
	if strings.HasSuffix(p.Reason, "?") {
		return explain.UpperFirst(p.Reason)
	}
	return explain.UpperFirst(strings.TrimRight(p.Reason, ". ")) + "."
}

// Word is the part's state in a word or three.
func (p Part) Word() string {
	if p.State == StateOK && p.Unasked {
		return "not asked yet"
	}
	return cmp.Or(map[State]string{StateOK: "works", StateMissing: "not set up", StateDegraded: "works in part"}[p.State], string(p.State))
}

// Tone is the state by whose colour the part is shown: one that was not asked is not green.
func (p Part) Tone() State {
	if p.State == StateOK && p.Unasked {
		return StateMissing
	}
	return p.State
}

// Verdict is the whole in a sentence.
func (r Report) Verdict() string {
	switch {
	case r.State == StateMissing:
		return "Works, with parts not set up."
	case r.State == StateDegraded:
		return "Works in part."
	case r.State == StateDown:
		return "Something is down."
	case slices.ContainsFunc(r.Parts, func(p Part) bool { return p.Unasked }):
		return "Nothing is known to be wrong; not every part was asked yet."
	}
	return "Everything works."
}

// WorstFirst are the parts of which something is wrong, by how much it hurts.
func WorstFirst(parts []Part) []Part {
	out := slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return p.State == StateOK })
	slices.SortStableFunc(out, func(a, b Part) int { return b.State.severity() - a.State.severity() })
	return out
}

// Share is a part of the shown clips.
type Share struct {
	Clips int     `json:"clips"`
	Share float64 `json:"share"` // 0..1
}

func (s Share) String() string { return fmt.Sprintf("%d (%.0f %%)", s.Clips, 100*s.Share) }

// Line is a fact in words.
type Line struct{ Name, Value string }

// Lines are the part's facts in words, in the order of their names.
func (p Part) Lines() []Line {
	var out []Line
	for k, v := range p.Facts {
		if l := line(k, v); l.Value != "" {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b Line) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func factNames() map[string]string {
	return map[string]string{
		"calls_per_day": "calls a day", "calls_used_today": "calls used today",
		"live_polls_every": "live matches asked every", "waiting_polls_every": "waiting matches asked every",
		"matches_listed_until": "matches listed until", "plan_lists_nothing_from": "not listed by your plan, from",
		"reddit_calls": "calls of Reddit", "reddit_list": "last list of Reddit", "feed": "matches come from",
		"last_cycle_seconds_ago": "last look at the feed",
		"budget_left":            "searches left", "budget": "searches allowed in 15 min", "bytes_free": "free on its disk", "bytes_kept": "clips in it",
		"waiting": "posts that wait", "oldest_wait": "the oldest since",
		"days_counted": "days counted",
		"clip_seconds": "a clip takes", "pictures_right": "read right", "shown": "it is shown", "last_fetched": "last from X", "last_fetched_reddit": "last from Reddit", "reddit_by": "Reddit is asked by", "reddit_archive": "last list of the archive",
	}
}

// line says one fact; names without a description lose at least their underscores and carry their unit.
func line(key string, v any) Line {
	value := ""
	switch x := v.(type) {
	case nil:
	case time.Time:
		value = x.UTC().Format("2 Jan 15:04 UTC")
	case int:
		return line(key, int64(x))
	case int64:
		value = grouped(x)
		if strings.HasPrefix(key, "bytes_") {
			value = explain.Size(x)
		}
	case float64:
		value = strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
	case bool:
		value = map[bool]string{true: "yes", false: "no"}[x]
	default:
		value = fmt.Sprint(x)
	}
	name := factNames()[key]
	switch {
	case strings.HasSuffix(key, "_seconds_ago"):
		value += " s ago"
		key = strings.TrimSuffix(key, "_seconds_ago")
	case strings.HasSuffix(key, "_seconds"):
		value += " s"
		key = strings.TrimSuffix(key, "_seconds")
	}
	if by, ok := strings.CutPrefix(key, "proven_"); ok {
		name = explain.ProvenBy(stats.By(by))
	}
	if name == "" && slices.Contains(footy.WaitCauses(), footy.Reason(key)) {
		name = explain.Wait(footy.Reason(key))
	}
	if name == "" {
		name = strings.ReplaceAll(key, "_", " ")
	}
	return Line{name, value}
}

// grouped writes 74844 as 74,844.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
