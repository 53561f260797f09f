package explain

import (
	"cmp"
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
)

// longestID is the largest id that a vendor gives; those above it are made of a name, and tell a person nothing.
const longestID = 1 << 32

// Followed says which matches are followed.
func Followed(leagues, teams []lifecycle.Followed) string {
	of := func(list []lifecycle.Followed, what string) string {
		var out []string
		for _, n := range list {
			switch {
			case n.Name == "":
				out = append(out, fmt.Sprintf("%s %d", what, n.ID))
			case n.ID > longestID && (n.Country == "" || n.Country == "World"):
				out = append(out, n.Name)
			case n.ID > longestID:
				out = append(out, fmt.Sprintf("%s (%s)", n.Name, n.Country))
			case n.Country == "" || n.Country == "World":
				out = append(out, fmt.Sprintf("%s (%d)", n.Name, n.ID))
			default:
				out = append(out, fmt.Sprintf("%s (%s, %d)", n.Name, n.Country, n.ID))
			}
		}
		return join(out)
	}
	switch {
	case len(leagues) == 0:
		return "only the matches of " + of(teams, "team") + ", in any competition"
	case len(teams) == 0:
		return "the matches of " + of(leagues, "league")
	}
	return "the matches of " + of(leagues, "league") + ", and every match of " + of(teams, "team")
}

// Pace says how often live matches are polled where the plan lacks the calls for as often as wanted, as the rest of a sentence.
func Pace(wanted, every time.Duration) string {
	if every > time.Minute {
		every = every.Round(10 * time.Second)
	}
	return fmt.Sprintf("the plan cannot be polled every %s: with the calls left, live matches are polled every %s, and goals come later", Spoken(wanted), Spoken(every))
}

// Objective says how the objective of coverage fared in the last days.
func Objective(o stats.Objective, k stats.Kept, days int) string {
	share, within, last := int(100*o.Share+0.5), Span(o.Within), "the last "+Plural(days, "day", "days")
	if days == 1 {
		last = "the last 24 hours"
	}
	if k.Goals() == 0 {
		return fmt.Sprintf("%d %% of the goals should have a verified clip within %s; no goal of %s is that old yet.", share, within, last)
	}
	return fmt.Sprintf("In %s %d %% of %s had a verified clip within %s; the objective is %d %%.", last, k.Percent(), Plural(k.Goals(), "goal", "goals"), within, share)
}

// ProofOrder says what proves clips, and in which order: by a running clock, by a model, which may not be there, the model first or
// not. set is the setting.
func ProofOrder(clock, modelAsked, modelThere, modelFirst bool, set string) string {
	out := "the running clock alone"
	switch {
	case !clock && !modelThere:
		out = "nothing, for there is no model: no clip is shown"
	case !clock:
		out = "the model alone"
	case !modelAsked:
	case !modelThere:
		out += ", for there is no model"
	case modelFirst:
		out = "first the model, then the running clock"
	default:
		out = "first the running clock, then the model"
	}
	return out + " (PROOF=" + set + ")"
}

// ProvenBy says what a clip was proven by.
func ProvenBy(b stats.By) string {
	return cmp.Or(map[stats.By]string{
		stats.ByClockAndPicture: "by its running clock and a model's check", stats.ByModel: "by the model alone", stats.ByClock: "by its running clock alone",
		stats.ByKnownFootage: "by known footage", stats.ByUnknown: "by a proof no longer kept", stats.NotProven: "unverified",
	}[b], string(b))
}
