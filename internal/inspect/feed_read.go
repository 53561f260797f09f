package inspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/feed/apifootball"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/calls"
)

// recorded is how an answer may be kept: as it came, or with what came with it.
type recorded struct {
	HTTP    int             `json:"http"`
	Status  int             `json:"status"`
	Headers map[string]any  `json:"headers"`
	Body    json.RawMessage `json:"body"`
	Get     string          `json:"get"`
	Errors  json.RawMessage `json:"errors"`
}

// read takes one recorded answer in. What cannot be used is noted: a set of answers may hold others, too.
func (t *told) read(path string, raw json.RawMessage, now time.Time) {
	var kept recorded
	if json.Unmarshal(raw, &kept) != nil && len(kept.Body) == 0 && kept.Get == "" {
		kept = recorded{}
	}
	body := []byte(raw)
	if len(kept.Body) > 0 && kept.Errors == nil {
		body = kept.Body
		t.headers(kept.Headers)
		var inner recorded
		if json.Unmarshal(body, &inner) == nil {
			kept.Get = inner.Get
		}
	}
	if kept.Get == "status" {
		account, err := apifootball.ReadAccount(body, now)
		if err != nil {
			t.complain(path, "status", err)
			return
		}
		t.plan.Name, t.limit.DayLimit, t.used = account.Plan, account.DayLimit, account.Used
		return
	}
	if status := max(kept.HTTP, kept.Status); kept.Get == "" && status >= 400 {
		kept.Get = fmt.Sprintf("HTTP %d", status)
	}
	env, err := apifootball.Open(body, now)
	if err == nil && kept.Get != "" && kept.Get != "fixtures" {
		t.note("%s: an answer about %s tells nothing here", filepath.Base(path), kept.Get)
		return
	}
	param := paramOf(env.Parameters, err)
	switch {
	case footy.CodeOf(err) == footy.CodeNotInPlan:
		_, said, _ := strings.Cut(footy.RootCause(err), ": ") // behind the key of the complaint
		t.refused(param, said, now)
	case err != nil:
		t.complain(path, kept.Get, err)
	default:
		if k := calls.Kind(param); k == calls.IDs || k == calls.ID || k == calls.Live {
			t.plan, _ = t.plan.Learn(k, calls.Ability{Allowed: true, At: now})
		} else if param != "" {
			t.allowed(param)
		}
		t.list(env, calls.Kind(param), now)
	}
}

// paramOf is the parameter that was answered or refused. A refusal's own words go before what was asked with it.
func paramOf(params map[string]string, err error) string {
	names := []string{"ids", "id", "live", "last", "next", "season", "date"}
	if err != nil {
		said := strings.ToLower(err.Error())
		for _, name := range names {
			if strings.Contains(said, "the "+name+" parameter") || strings.Contains(said, "this "+name) {
				return name
			}
		}
	}
	for _, name := range names {
		if params[name] != "" {
			return name
		}
	}
	return ""
}

// refused notes a refusal of the plan. Whose words are those of a free plan is one.
func (t *told) refused(param, said string, now time.Time) {
	if t.plan.Name == "" && strings.HasPrefix(strings.ToLower(said), "free plans") {
		t.plan.Name = "Free"
	}
	switch k := calls.Kind(param); {
	case k == calls.IDs || k == calls.ID || k == calls.Live:
		t.plan, _ = t.plan.Learn(k, calls.Ability{At: now, Said: said})
	case param == "":
		t.note("the plan refused something: %s", said)
	case strings.Contains(said, "try from"):
		t.params[param] = AbilityAnswer{Call: param, State: "limited", Said: said}
	default:
		t.params[param] = AbilityAnswer{Call: param, State: "refused", Said: said}
	}
}

// allowed notes that a parameter was answered; other values of it may be refused.
func (t *told) allowed(param string) {
	if _, known := t.params[param]; !known {
		t.params[param] = AbilityAnswer{Call: param, State: "allowed"}
	}
}

// list takes the fixtures of a day's list, or of any other list by the days they are on; polls are no lists.
func (t *told) list(env apifootball.Envelope, kind calls.Kind, now time.Time) {
	if kind == calls.IDs || kind == calls.ID || kind == calls.Live {
		return
	}
	good, _ := apifootball.Read(env, now, false).All()
	if date := env.Parameters[string(calls.Date)]; date != "" {
		t.days[date] = good
		return
	}
	byDay := map[string][]footy.Snapshot{}
	for _, s := range good {
		if !s.Match.Kickoff.IsZero() {
			day := s.Match.Kickoff.UTC().Format(time.DateOnly)
			byDay[day] = append(byDay[day], s)
		}
	}
	for day, list := range byDay {
		if _, whole := t.days[day]; !whole {
			t.days[day] = list
		}
	}
}

// perMinute finds the limit that a refusal names.
func perMinute(said string) (int, bool) {
	m := regexp.MustCompile(`(\d+) requests? per minute`).FindStringSubmatch(said)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil
}

// complain takes what failures tell: limits that were met; the others are noted.
func (t *told) complain(path, get string, err error) {
	if n, ok := perMinute(err.Error()); ok {
		t.limit.MinuteLimit = n
		return
	}
	if strings.HasPrefix(get, "HTTP ") {
		t.note("%s: %s", filepath.Base(path), get)
		return
	}
	var e *footy.Error
	if errors.As(err, &e) && e.Code == footy.CodeRateLimited && e.RetryAfter > time.Minute {
		t.note("%s: the day's calls were used up when it was asked", filepath.Base(path))
		return
	}
	if get == "" {
		get = "no answer of the feed"
	}
	t.note("%s: %s: %s", filepath.Base(path), get, footy.RootCause(err))
}

func (t *told) note(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(t.notes, s) {
		t.notes = append(t.notes, s)
	}
}

// headers takes the limits from headers that were kept, in any spelling and as text, number or list.
func (t *told) headers(h map[string]any) {
	for name, v := range h {
		if list, ok := v.([]any); ok && len(list) > 0 {
			v = list[0]
		}
		n, err := strconv.Atoi(strings.TrimSpace(fmt.Sprint(v)))
		if err != nil || n < 0 {
			continue
		}
		switch strings.ToLower(name) {
		case "x-ratelimit-requests-limit":
			t.limit.DayLimit = n
		case "x-ratelimit-limit":
			t.limit.MinuteLimit = n
		}
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
