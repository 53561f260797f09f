package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
)

// Pace says why and how far polling is stretched on a plan, as the rest of a sentence.
func Pace(p lifecycle.Pace, plan calls.Plan) string {
	if plan.Refused(calls.IDs) {
		return FollowedEvery(plan, p.LiveEvery)
	}
	why := "the plan's calls would not last until midnight UTC"
	if p.MinuteLimit > 0 {
		why = fmt.Sprintf("the plan allows %s a minute", Plural(p.MinuteLimit, "call", "calls"))
	}
	return fmt.Sprintf("polls are stretched, because %s: live matches are looked at every %s, waiting ones every %s", why, Spoken(p.LiveEvery), Spoken(p.StagingEvery))
}

// FollowedEvery says how a plan that answers about one match only follows matches, with so long between two looks.
func FollowedEvery(plan calls.Plan, every time.Duration) string {
	return fmt.Sprintf("with %s each live match is looked at every %s; one that has ended, or does not begin, about every quarter of an hour; none before its kickoff",
		keyOf(plan), Spoken(every))
}

// keyOf names the key by its plan.
func keyOf(plan calls.Plan) string {
	switch name := strings.TrimSpace(plan.Name); {
	case strings.EqualFold(name, "free"):
		return "a free key"
	case name != "":
		return "plan " + name
	}
	return "this key"
}

// PollsBy says which calls a plan's polls are made by; "" before any answer told.
func PollsBy(plan calls.Plan) string {
	switch ids, live := plan.Refused(calls.IDs), plan.Refused(calls.Live); {
	case ids && live:
		return "one match in a call: the plan allows no more"
	case ids:
		return "all live matches in one call, others one by one: the plan does not allow several by id"
	case live && plan.Known(calls.IDs):
		return "twenty matches in a call: the plan does not allow all live matches in one"
	case plan.Known(calls.IDs) || plan.Known(calls.Live):
		return "twenty matches in a call, or all live matches where that takes fewer"
	}
	return ""
}

// PollWorks says what a poll that was tried came to.
func PollWorks(k calls.Kind, matches int, plan calls.Plan) string {
	switch k {
	case calls.IDs:
		return "a poll works"
	case calls.Live:
		return fmt.Sprintf("a poll works (%s are under way anywhere), with %s", Plural(matches, "match", "matches"), PollsBy(plan))
	}
	return "a poll works, with " + PollsBy(plan)
}
