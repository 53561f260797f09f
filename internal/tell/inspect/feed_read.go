package inspect

import (
	"cmp"
	"context"
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

	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
)

// FeedFiles reads recorded answers of the vendor: its account, day lists, polls and refusals, in any order.
func FeedFiles(paths []string, r FeedRules, now time.Time) (FeedAnswer, error) {
	files, err := expand(paths)
	if err != nil {
		return FeedAnswer{}, err
	}
	t := nothingTold()
	for _, path := range files {
		err := polls(path, func(responses []json.RawMessage) error {
			for _, raw := range responses {
				t.read(path, raw, now)
			}
			return nil
		})
		if err != nil {
			return FeedAnswer{}, err
		}
	}
	if t.empty() {
		return FeedAnswer{}, footy.Errorf(footy.CodeInvalid, "", "nothing of a plan is told here; %s", strings.Join(t.notes, "; "))
	}
	if r.Names != nil {
		var lists listed
		for _, day := range sortedKeys(t.days) {
			lists = append(lists, t.days[day]...)
		}
		if r.Follow, err = r.Names(lists); err != nil {
			return FeedAnswer{}, footy.Errorf(footy.CodeOf(err), "", "names are looked up in the recorded lists alone; there %s", footy.UserMessage(err))
		}
	}
	return t.answer(r, now), nil
}

// empty reports whether no answer told anything: all were refused, or none was an answer.
func (t *told) empty() bool {
	return t.plan.Name == "" && len(t.plan.Kinds) == 0 && len(t.params) == 0 && len(t.days) == 0 && t.limit.DayLimit < 0 && t.limit.MinuteLimit < 0
}

// listed finds teams and leagues by name among the matches of recorded lists.
type listed []footy.Snapshot

// Teams implements feed.Finder: those with the name, or a part of it, as the vendor finds them.
func (l listed) Teams(_ context.Context, name string) (out []footy.Team, err error) {
	for _, s := range l {
		for _, t := range []footy.Team{s.Teams.Home, s.Teams.Away} {
			if partOf(name, t.Name) {
				out = append(out, t)
			}
		}
	}
	return out, nil
}

// Leagues implements feed.Finder.
func (l listed) Leagues(_ context.Context, name string) (out []footy.League, err error) {
	for _, s := range l {
		if partOf(name, s.League.Name) || partOf(name, s.League.Country) {
			out = append(out, s.League)
		}
	}
	return out, nil
}

func partOf(asked, name string) bool { return strings.Contains(names.Fold(name), names.Fold(asked)) }

// TeamByID implements feed.Finder; a recorded list cannot tell that a team does not exist.
func (l listed) TeamByID(_ context.Context, id int64) (footy.Team, error) {
	return footy.Team{ID: id}, nil
}

// LeagueByID implements feed.Finder.
func (l listed) LeagueByID(_ context.Context, id int64) (footy.League, error) {
	return footy.League{ID: id}, nil
}

// read takes one recorded answer in. What cannot be used is noted: a set of answers may hold others, too.
func (t *told) read(path string, raw json.RawMessage, now time.Time) {
	body, status, headers := unwrap(raw)
	t.headers(headers)
	var kept struct {
		Get string `json:"get"`
	}
	_ = json.Unmarshal(body, &kept) // Open tells what is wrong with it
	if kept.Get == "" && status >= 400 {
		kept.Get = fmt.Sprintf("HTTP %d", status)
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
	case polled(param):
		t.plan, _ = t.plan.Learn(calls.Kind(param), calls.Ability{Allowed: true, At: now})
	default:
		t.allowed(param)
		t.list(env, now)
	}
}

// polled reports a parameter of polls.
func polled(param string) bool {
	return slices.Contains([]calls.Kind{calls.IDs, calls.ID, calls.Live}, calls.Kind(param))
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
	switch {
	case polled(param):
		t.plan, _ = t.plan.Learn(calls.Kind(param), calls.Ability{At: now, Said: said})
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
	if _, known := t.params[param]; !known && param != "" {
		t.params[param] = AbilityAnswer{Call: param, State: "allowed"}
	}
}

// list takes the fixtures of a day's list, or of another list by the days they are on.
func (t *told) list(env apifootball.Envelope, now time.Time) {
	good, _ := apifootball.Read(env, now, false).All()
	date := env.Parameters[string(calls.Date)]
	if _, err := time.Parse(time.DateOnly, date); err == nil {
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
	maps.Copy(byDay, t.days) // a day's own list is whole
	t.days = byDay
}

var perMinute = regexp.MustCompile(`(\d+) requests? per minute`)

// complain takes what failures tell: a limit of calls a minute that was met; the others are noted.
func (t *told) complain(path, get string, err error) {
	if m := perMinute.FindStringSubmatch(err.Error()); m != nil {
		t.limit.MinuteLimit, _ = strconv.Atoi(m[1])
		return
	}
	why := cmp.Or(get, "no answer of the feed") + ": " + footy.RootCause(err)
	var e *footy.Error
	switch {
	case strings.HasPrefix(get, "HTTP "):
		why = get
	case errors.As(err, &e) && e.Code == footy.CodeRateLimited && e.RetryAfter > time.Minute:
		why = "the day's calls were used up when it was asked"
	}
	t.note("%s: %s", filepath.Base(path), why)
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
