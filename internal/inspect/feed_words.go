package inspect

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/explain"
	"github.com/found-footy/found-footy/internal/rule/calls"
	"github.com/found-footy/found-footy/internal/rule/lifecycle"
)

// The vendor's free plan, where answers do not tell.
const (
	freeDay    = 100
	freeMinute = 10
)

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
		t.limit.MinuteLimit = freeMinute
		t.note("%d calls a minute are taken from what is known of the free plan; no answer told", freeMinute)
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
	if by := explain.PollsBy(plan); by != "" {
		return by
	}
	return explain.PollsBy(calls.Plan{Kinds: map[calls.Kind]calls.Ability{calls.IDs: {Allowed: true}}})
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
	name := p.Name
	if name == "" {
		name = "not told"
	}
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
