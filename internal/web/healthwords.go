package web

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/footy"
)

// partView is a component in words for people; the API keeps the names programs know.
type partView struct {
	Component
	Title string
	Word  string // its state
	Lines []partFact
}

type partFact struct{ Name, Value string }

var partTitles = map[string]string{
	"engine": "Workflow engine", "state": "Database", "database": "Database", "clips": "Clip storage", "feed": "Match feed", "search": "X search",
	"fetch": "Fetching posts", "model": "Vision model", "ffmpeg": "Video tools", "notifications": "Notifications", "canary": "X check", "backup": "Backup", "schedule": "Schedule", "storage": "Storage", "ledger": "Posts that wait",
}

var stateWords = map[State]string{StateOK: "works", StateMissing: "not set up", StateDegraded: "works in part", StateDown: "down"}

var factNames = map[string]string{
	"calls_left_today": "calls left today", "calls_per_day": "calls a day", "calls_used_today": "calls used today", "live_polls_every": "live matches asked every",
	"waiting_polls_every": "waiting matches asked every", "tasks_waiting": "tasks waiting", "last_cycle_seconds_ago": "last look at the feed",
	"budget_left": "searches left", "budget": "searches allowed in 15 min", "login": "login", "model": "model", "bytes_free": "free on its disk", "bytes_kept": "clips in it",
	"waiting": "posts that wait", "oldest_wait": "the oldest since",
	"clip_seconds": "a clip takes", "clips_an_hour": "clips an hour it can look at", "last_verdict": "last verdict", "last_fetched": "last post fetched",
}

func viewParts(list []Component) []partView {
	out := make([]partView, 0, len(list))
	for _, c := range list {
		p := partView{Component: c, Title: partTitles[c.Name], Word: stateWords[c.State]}
		if p.Title == "" {
			p.Title = upperFirst(strings.ReplaceAll(c.Name, "_", " "))
		}
		if p.Reason != "" {
			p.Reason = upperFirst(strings.TrimRight(p.Reason, ". ")) + "."
		}
		if p.Word == "" {
			p.Word = string(c.State)
		}
		for k, v := range c.Facts {
			if f := viewFact(k, v); f.Value != "" {
				p.Lines = append(p.Lines, f)
			}
		}
		sort.Slice(p.Lines, func(i, j int) bool { return p.Lines[i].Name < p.Lines[j].Name })
		out = append(out, p)
	}
	return out
}

// viewFact says one figure; names nobody described yet lose at least their underscores and carry their unit.
func viewFact(key string, v any) partFact {
	value := ""
	switch x := v.(type) {
	case nil:
	case time.Time:
		value = x.UTC().Format("2 Jan 15:04 UTC")
	case int:
		value = grouped(int64(x))
	case int64:
		value = grouped(x)
	case float64:
		value = strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
	case bool:
		value = map[bool]string{true: "yes", false: "no"}[x]
	default:
		value = fmt.Sprint(x)
	}
	name := factNames[key]
	switch {
	case strings.HasSuffix(key, "_seconds_ago"):
		value += " s ago"
		key = strings.TrimSuffix(key, "_seconds_ago")
	case strings.HasSuffix(key, "_seconds"):
		value += " s"
		key = strings.TrimSuffix(key, "_seconds")
	case strings.HasPrefix(key, "bytes_"):
		if n, ok := number(v); ok {
			value = sizeLabel(n)
		}
	}
	if name == "" && slices.Contains(footy.WaitCauses(), footy.Reason(key)) {
		name = explain.Wait(footy.Reason(key))
	}
	if name == "" {
		name = strings.ReplaceAll(key, "_", " ")
	}
	return partFact{name, value}
}

func number(v any) (int64, bool) {
	switch x := v.(type) {
	case int:
		return int64(x), true
	case int64:
		return x, true
	case uint64:
		return int64(x), true //nolint:gosec // sizes of disks
	}
	return 0, false
}

// grouped writes 74844 as 74,844.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// worstFirst orders what is wrong by how much it hurts.
func worstFirst(list []partView) []partView {
	var out []partView
	for _, p := range list {
		if p.State != StateOK {
			out = append(out, p)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return severity[out[i].State] > severity[out[j].State] })
	return out
}
