package inspect

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/calls"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
)

// FeedRules are the settings that decide what a day costs.
type FeedRules struct {
	Follow  lifecycle.Follow
	Windows lifecycle.Windows
	Cycle   time.Duration // between two polls of live matches at full pace
	Minute  time.Duration // that the vendor counts calls by
}

// FeedAnswer is what a plan allows and what days cost on it.
type FeedAnswer struct {
	Plan  PlanAnswer  `json:"plan"`
	Days  []DayAnswer `json:"days"`
	Notes []string    `json:"notes,omitempty"` // what was assumed, and which answers were of no use
}

// PlanAnswer is what was told of the plan; numbers are -1 where nothing told.
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

// Feed asks the vendor itself: its account, one poll and today's list. That costs two calls, and one for each refusal.
func Feed(ctx context.Context, f feed.Feed, r FeedRules, now time.Time) (FeedAnswer, error) {
	t := nothingTold()
	account, err := f.Account(ctx)
	if err != nil {
		return FeedAnswer{}, err
	}
	t.plan.Name, t.used = account.Plan, account.Used
	list, err := f.Day(ctx, now)
	if err != nil {
		return FeedAnswer{}, err
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
		return FeedAnswer{}, err
	}
	t.limit = f.Quota()
	t.limit.DayLimit = account.DayLimit
	return t.answer(r, now), nil
}

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
	return t.answer(r, now), nil
}

// answer reckons what the days cost.
func (t *told) answer(r FeedRules, now time.Time) FeedAnswer {
	t.assume(now)
	limit := t.plan.MinuteLimit(t.limit.MinuteLimit)
	out := FeedAnswer{Days: []DayAnswer{}, Plan: PlanAnswer{Name: t.plan.Name, DayLimit: t.limit.DayLimit, UsedToday: t.used, MinuteLimit: countOr(limit)}}
	out.Plan.Calls, out.Plan.PollsBy = t.abilities(), pollsBy(t.plan)
	reckoning := lifecycle.Reckoning{Windows: r.Windows, Cycle: r.Cycle, Minute: r.Minute, Together: feed.MaxIDs, Can: t.plan.Can(now)}
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
	midnight, _ := time.Parse(time.DateOnly, date) // it was written by Format
	need := r.Ahead(kickoffs, midnight, lifecycle.Midnight(midnight))
	d.FullPace = need.Live + need.Staging + need.Fixed
	q := lifecycle.Quota{DayLimit: t.limit.DayLimit, DayRemaining: -1, MinuteLimit: t.plan.MinuteLimit(t.limit.MinuteLimit)}
	if q.DayLimit >= 0 {
		q.DayRemaining = max(0, q.DayLimit-lifecycle.DayLists)
	}
	f := r.Forecast(kickoffs, midnight, q)
	d.Calls, d.Live, d.IDs, d.ID, d.BusyMinute, d.Unseen = f.Calls, f.ByKind.Live, f.ByKind.IDs, f.ByKind.ID, f.Minute, f.Unseen
	d.LookEvery, d.LongestPause = f.Usual.Seconds(), f.Longest.Seconds()
	d.Sentence = t.sentence(f, d, r.Cycle)
	return d
}

// countOr is a number that was told, or -1.
func countOr(n int) int {
	if n <= 0 {
		return -1
	}
	return n
}
