package inspect

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/feed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/calls"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
	"github.com/found-footy/found-footy/internal/rule/query"
)

// FeedRules are the settings that decide what a day costs.
type FeedRules struct {
	Follow  lifecycle.Follow
	Names   func(feed.Finder) (lifecycle.Follow, error) // looks up what is followed among the matches that recorded lists hold; nil: Follow it is
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
		if r.Follow, err = r.Names(listed{t.days}); err != nil {
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
type listed struct{ days map[string][]footy.Snapshot }

func (l listed) each(visit func(footy.Snapshot)) {
	for _, day := range sortedKeys(l.days) {
		for _, s := range l.days[day] {
			visit(s)
		}
	}
}

// Teams implements feed.Finder: those with the name, or a part of it, as the vendor finds them.
func (l listed) Teams(_ context.Context, name string) (out []footy.Team, err error) {
	l.each(func(s footy.Snapshot) {
		for _, t := range []footy.Team{s.Teams.Home, s.Teams.Away} {
			if partOf(name, t.Name) {
				out = append(out, t)
			}
		}
	})
	return out, nil
}

// Leagues implements feed.Finder.
func (l listed) Leagues(_ context.Context, name string) (out []footy.League, err error) {
	l.each(func(s footy.Snapshot) {
		if partOf(name, s.League.Name) || partOf(name, s.League.Country) {
			out = append(out, s.League)
		}
	})
	return out, nil
}

func partOf(asked, name string) bool { return strings.Contains(query.Fold(name), query.Fold(asked)) }

// TeamByID implements feed.Finder; recorded lists say of nobody that he does not exist.
func (l listed) TeamByID(_ context.Context, id int64) (footy.Team, error) {
	return footy.Team{ID: id}, nil
}

// LeagueByID implements feed.Finder.
func (l listed) LeagueByID(_ context.Context, id int64) (footy.League, error) {
	return footy.League{ID: id}, nil
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
	f := r.Day(kickoffs, midnight, t.limit.DayLimit, t.plan.MinuteLimit(t.limit.MinuteLimit))
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
