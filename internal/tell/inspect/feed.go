package inspect

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// FeedRules are the settings that decide what a day costs.
type FeedRules struct {
	Follow  lifecycle.Follow
	Names   func(feed.Finder) (lifecycle.Follow, error) // looks up what is followed among the matches that recorded lists hold; nil: Follow it is
	Windows lifecycle.Windows
	Cycle   time.Duration // between two polls of live matches at full pace
}

// FeedAnswer is what a plan allows and what days cost on it.
type FeedAnswer struct {
	Plan  PlanAnswer  `json:"plan"`
	Days  []DayAnswer `json:"days"`
	Notes []string    `json:"notes,omitempty"` // what was assumed, and which answers were of no use
}

// PlanAnswer is what was told of the plan; a number is -1 if no answer told it.
type PlanAnswer struct {
	Name        string          `json:"name"`
	DayLimit    int             `json:"day_limit"`
	UsedToday   int             `json:"used_today"`
	MinuteLimit int             `json:"minute_limit"`
	Calls       []AbilityAnswer `json:"calls"`
	PollsBy     string          `json:"polls_by"`
}

// AbilityAnswer is one parameter of a call: allowed, limited (to some values), refused, or not told.
type AbilityAnswer struct {
	Call  string `json:"call"`
	State string `json:"state"`
	Said  string `json:"said,omitempty"` // the vendor's words of a refusal
}

// DayAnswer is what following a day's matches costs, played through cycle by cycle.
type DayAnswer struct {
	Date         string         `json:"date"`
	Listed       int            `json:"listed"`
	Followed     int            `json:"followed"`
	Kickoffs     map[string]int `json:"kickoffs,omitempty"` // "15:00" UTC to how many followed matches begin
	Calls        int            `json:"calls"`              // of polls
	Live         int            `json:"live_calls"`
	IDs          int            `json:"ids_calls"`
	ID           int            `json:"id_calls"`
	Lists        int            `json:"list_calls"`      // of a day's ingest, not in calls
	FullPace     int            `json:"full_pace_calls"` // what a look at each cycle would take
	BusyMinute   int            `json:"busiest_minute"`
	LookEvery    float64        `json:"look_every_s"` // mean seconds between two looks at a live match; 0 = none is live
	LongestPause float64        `json:"longest_pause_s"`
	Unseen       int            `json:"never_seen"` // matches that were never looked at while under way
	Sentence     string         `json:"sentence"`
}

// told collects what answers tell of a plan.
type told struct {
	plan    calls.Plan
	params  map[string]AbilityAnswer // parameters that polls do not need
	limit   feed.Quota
	used    int
	days    map[string][]footy.Snapshot
	notes   []string
	assumed bool
}

func nothingTold() *told {
	return &told{used: -1, limit: feed.Quota{DayLimit: -1, DayRemaining: -1, MinuteLimit: -1, MinuteRemaining: -1}, days: map[string][]footy.Snapshot{}, params: map[string]AbilityAnswer{}}
}

// Feed asks the vendor itself: its account, one poll and today's list. That costs two calls, and one for each refusal. With an error
// comes what was told before it: the account at least, or an empty answer.
func Feed(ctx context.Context, f feed.Feed, r FeedRules, now time.Time) (FeedAnswer, error) {
	t := nothingTold()
	account, err := f.Account(ctx)
	if err != nil {
		return FeedAnswer{}, err
	}
	t.plan.Name, t.used, t.limit.DayLimit = account.Plan, account.Used, account.DayLimit
	list, err := f.Day(ctx, now)
	if err != nil {
		return t.answer(r, now), err
	}
	t.days[now.UTC().Format(time.DateOnly)] = list
	t.allowed(string(calls.Date))
	var ids []int64
	for _, s := range list {
		switch {
		case s.Match.Status.InPlay(): // its answer tells most
			ids = slices.Insert(ids, 0, s.Match.ID)
		case lifecycle.Tracked(s, r.Follow) || len(ids) == 0:
			ids = append(ids, s.Match.ID)
		}
	}
	if t.plan, _, err = feed.Try(ctx, f, t.plan, ids, now); err != nil {
		return t.answer(r, now), err
	}
	t.limit = f.Quota()
	t.limit.DayLimit = account.DayLimit
	return t.answer(r, now), nil
}

// answer reckons what the days cost.
func (t *told) answer(r FeedRules, now time.Time) FeedAnswer {
	t.assume(now)
	limit := t.plan.MinuteLimit(t.limit.MinuteLimit)
	out := FeedAnswer{Days: []DayAnswer{}, Plan: PlanAnswer{Name: t.plan.Name, DayLimit: t.limit.DayLimit, UsedToday: t.used, MinuteLimit: cmp.Or(limit, -1)}}
	out.Plan.Calls, out.Plan.PollsBy = t.abilities(), pollsBy(t.plan)
	reckoning := lifecycle.Reckoning{Windows: r.Windows, Cycle: r.Cycle, Minute: time.Minute, Together: feed.MaxIDs, Can: t.plan.Can(now)}
	for _, date := range sortedKeys(t.days) {
		out.Days = append(out.Days, t.day(date, r.Follow, reckoning))
	}
	if len(out.Days) == 0 {
		t.notes = append(t.notes, "no list of a day's matches was told: what an afternoon costs is not known")
	}
	out.Notes = t.notes
	return out
}

func (t *told) day(date string, follow lifecycle.Follow, r lifecycle.Reckoning) DayAnswer {
	d := DayAnswer{Date: date, Listed: len(t.days[date]), Lists: lifecycle.DayLists, Kickoffs: map[string]int{}}
	var kickoffs []time.Time
	for _, s := range t.days[date] {
		if k := s.Match.Kickoff.UTC(); lifecycle.Tracked(s, follow) && !k.IsZero() {
			kickoffs = append(kickoffs, k)
			d.Kickoffs[k.Format("15:04")]++
		}
	}
	d.Followed = len(kickoffs)
	midnight, _ := time.Parse(time.DateOnly, date) // days holds no other
	need := r.Ahead(kickoffs, midnight, lifecycle.Midnight(midnight))
	d.FullPace = need.Live + need.Staging + need.Fixed
	f := r.Day(kickoffs, midnight, t.limit.DayLimit, t.plan.MinuteLimit(t.limit.MinuteLimit))
	d.Calls, d.Live, d.IDs, d.ID, d.BusyMinute, d.Unseen = f.Calls, f.ByKind.Live, f.ByKind.IDs, f.ByKind.ID, f.Minute, f.Unseen
	d.LookEvery, d.LongestPause = f.Usual.Seconds(), f.Longest.Seconds()
	d.Sentence = t.sentence(f, d, r.Cycle)
	return d
}

// freeDay is what the vendor's free plan allows, where no answer tells.
const freeDay = 100

// assume fills in what no answer told from the plan's name, and says so.
func (t *told) assume(now time.Time) {
	if t.plan.Refused(calls.IDs) && !t.plan.Known(calls.ID) {
		t.note("no answer told whether one match by its id is allowed; that it is, is taken from what is known of all plans")
	}
	if !strings.EqualFold(t.plan.Name, "free") && (t.plan.Name != "" || !t.plan.Refused(calls.IDs)) {
		return
	}
	if !t.plan.Known(calls.IDs) {
		t.plan, _ = t.plan.Learn(calls.IDs, calls.Ability{At: now})
		t.assumed = true
		t.note("that a free plan refuses several matches by id is taken from what is known of it; no answer told")
	}
	if t.limit.DayLimit < 0 {
		t.limit.DayLimit = freeDay
		t.note("%d calls a day are taken from what is known of the free plan; no answer told", freeDay)
	}
	if t.limit.MinuteLimit < 0 {
		t.limit.MinuteLimit = t.plan.MinuteLimit(-1)
		t.note("%d calls a minute are taken from what is known of the free plan; no answer told", t.limit.MinuteLimit)
	}
}

// abilities lists what polls need, then what else was told.
func (t *told) abilities() []AbilityAnswer {
	var out []AbilityAnswer
	for _, k := range []calls.Kind{calls.IDs, calls.ID, calls.Live} {
		a := AbilityAnswer{Call: string(k), State: "not told"}
		switch {
		case t.plan.Refused(k) && !(t.assumed && k == calls.IDs):
			a.State, a.Said = "refused", t.plan.Kinds[k].Said
		case t.plan.Known(k) && !t.plan.Refused(k):
			a.State = "allowed"
		}
		out = append(out, a)
	}
	if _, told := t.params[string(calls.Date)]; !told {
		out = append(out, AbilityAnswer{Call: string(calls.Date), State: "not told"})
	}
	for _, param := range sortedKeys(t.params) {
		out = append(out, t.params[param])
	}
	return out
}

func pollsBy(plan calls.Plan) string {
	return cmp.Or(explain.PollsBy(plan), explain.PollsBy(calls.Plan{Kinds: map[calls.Kind]calls.Ability{calls.IDs: {Allowed: true}}}))
}

func (t *told) sentence(f lifecycle.Forecast, d DayAnswer, cycle time.Duration) string {
	switch {
	case d.Followed == 0:
		return "No match of this day is followed."
	case f.Usual == 0:
		return "No match is looked at while it is under way."
	case f.Unseen > 0:
		return fmt.Sprintf("The plan is too small: %s never looked at while under way.", explain.Plural(f.Unseen, "match is", "matches are"))
	case t.plan.Refused(calls.IDs):
		return explain.UpperFirst(explain.FollowedEvery(t.plan, f.Usual)) + "."
	case f.Usual > cycle+cycle/2:
		return fmt.Sprintf("The calls do not last for full pace: each live match is looked at every %s.", explain.Spoken(f.Usual))
	}
	return fmt.Sprintf("Full pace: each live match is looked at every %s.", explain.Spoken(f.Usual))
}

// String explains the answer to people.
func (a FeedAnswer) String() string {
	var b strings.Builder
	b.WriteString("plan: " + a.Plan.text() + "\n")
	for _, c := range a.Plan.Calls {
		fmt.Fprintf(&b, "  %-6s %s", c.Call, c.State)
		if c.Said != "" {
			fmt.Fprintf(&b, " (%s)", c.Said)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "polls are made by: %s\n", a.Plan.PollsBy)
	for _, d := range a.Days {
		fmt.Fprintf(&b, "\n%s: %d of %s followed", d.Date, d.Followed, explain.Plural(d.Listed, "match", "matches"))
		for i, at := range sortedKeys(d.Kickoffs) {
			fmt.Fprintf(&b, "%s%s UTC (%d)", map[bool]string{true: "; kickoffs ", false: ", "}[i == 0], at, d.Kickoffs[at])
		}
		fmt.Fprintf(&b, "\n  polls cost %d calls: %d for all live matches, %d for several by id, %d for one; and %d for lists\n", d.Calls, d.Live, d.IDs, d.ID, d.Lists)
		if d.Followed > 0 {
			fmt.Fprintf(&b, "  full pace would cost %d; %d in the busiest minute; the longest time without a look is %s\n", d.FullPace, d.BusyMinute, explain.Spoken(time.Duration(d.LongestPause*float64(time.Second))))
		}
		fmt.Fprintf(&b, "  %s\n", d.Sentence)
	}
	for _, n := range a.Notes {
		fmt.Fprintf(&b, "\nnote: %s", n)
	}
	if len(a.Notes) > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// text names the plan and its limits, as far as they are known.
func (p PlanAnswer) text() string {
	name := cmp.Or(p.Name, "not told")
	for _, limit := range []struct {
		n    int
		text string
	}{{p.DayLimit, "%d calls a day"}, {p.MinuteLimit, "%d a minute"}, {p.UsedToday, "%d used today"}} {
		if limit.n >= 0 {
			name += ", " + fmt.Sprintf(limit.text, limit.n)
		}
	}
	return name
}
