package check

import (
	"context"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/connect/feed/follow"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/tell/explain"
	"github.com/found-footy/found-footy/internal/tell/health"
)

// followed says which matches are followed, and which ids in the settings the feed does not know: such a page would stay empty in silence.
// What the last list of matches was read for is reported, so that a look asks the feed nothing.
func (c *Checker) followed(ctx context.Context) health.Part {
	p := health.Part{Name: health.Followed, State: health.StateOK, Unasked: true, Reason: "no list of matches was read yet"}
	var last ingest.LastIngest
	if c.opt.Store.State(ctx, ingest.StateKey, &last) != nil || len(last.Leagues)+len(last.Teams) == 0 {
		return p // before the first list; a database that does not answer has a part of its own
	}
	p.Unasked, p.Reason = false, explain.Followed(last.Leagues, last.Teams)
	if len(last.Unknown) > 0 {
		p.State, p.Reason = health.StateDegraded, reasonUnknown(last.Unknown)
		p.Remedy = c.remedyUnknown(follow.Choice{Leagues: last.Leagues, Teams: last.Teams}, last.Unknown)
	}
	return p
}

func reasonUnknown(unknown []follow.Unknown) string {
	var out []string
	for _, u := range unknown {
		out = append(out, u.String())
	}
	return strings.Join(out, "; ")
}

// remedyUnknown is what to do about ids that the feed does not know, and what is followed without them.
func (c *Checker) remedyUnknown(choice follow.Choice, unknown []follow.Unknown) string {
	without := func(list []lifecycle.Followed, setting string) []lifecycle.Followed {
		return slices.DeleteFunc(slices.Clone(list), func(n lifecycle.Followed) bool {
			return slices.ContainsFunc(unknown, func(u follow.Unknown) bool { return u.ID == n.ID && u.Setting == setting })
		})
	}
	const leagues, teams = "TRACK_LEAGUES", "TRACK_TEAMS"
	of := func(setting string) bool {
		return slices.ContainsFunc(unknown, func(u follow.Unknown) bool { return u.Setting == setting })
	}
	var find []string
	if of(teams) {
		find = append(find, "footy teams search NAME")
	}
	if of(leagues) {
		find = append(find, "footy leagues search NAME")
	}
	out := "Find the right id with " + strings.Join(find, " or ") + ", correct the setting and start again."
	if c.byESPN() && of(teams) {
		out += " If the club is between two seasons, the id may be right: its matches are followed as soon as ESPN lists them."
	}
	choice = follow.Choice{Leagues: without(choice.Leagues, leagues), Teams: without(choice.Teams, teams)}
	if len(choice.Leagues)+len(choice.Teams) == 0 {
		return out + " No match is followed until then."
	}
	return out + " Followed meanwhile: " + explain.Followed(choice.Leagues, choice.Teams) + "."
}
