package debounce

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/identity"
)

func sayNew(e footy.Event) string {
	return fmt.Sprintf("%s reported: %s (%s), %s.", what(e), who(e.Player), e.Team.Name, minute(e.Minute))
}

func saySighting(e footy.Event, of int) string {
	n := len(e.MonitorWorkflows)
	switch {
	case e.Certain():
		return "Listed again with " + who(e.Player) + "."
	case n >= of && !identity.Named(e.Player):
		return fmt.Sprintf("Seen %d times; the scorer is not named yet.", n)
	case n >= of && e.ScorerPolls < 2:
		return fmt.Sprintf("Seen %d times; the scorer must be named twice in a row.", n)
	}
	if n > of {
		return fmt.Sprintf("Seen in %d polls, %d are needed.", n, of)
	}
	return fmt.Sprintf("Seen in %d of %d polls.", n, of)
}

func sayNotCounted(e footy.Event, score footy.Score) string {
	return fmt.Sprintf("Seen in %d polls, but the score %s does not count it yet: the search waits until it does.", len(e.MonitorWorkflows), tally(score))
}

func sayCertain(e footy.Event) string {
	return fmt.Sprintf("Certain: %s, %s. The search starts.", who(e.Player), minute(e.Minute))
}

func sayRound(e footy.Event) string {
	return fmt.Sprintf("The scorer is confirmed as %s: the search starts anew (round %d).", who(e.Player), e.Round)
}

func sayScorer(why footy.Reason, before, after footy.Event) string {
	switch why {
	case ReasonIdentified:
		return "The scorer is known: " + who(after.Player) + "."
	case ReasonNumbered:
		return "The feed gave " + who(after.Player) + " a number."
	case ReasonSpelling:
		return "The feed writes " + who(after.Player) + " now."
	}
	return fmt.Sprintf("The scorer is %s, not %s.", who(after.Player), who(before.Player))
}

func sayAbsence(n, of int, e footy.Event, score footy.Score) string {
	if e.Kind != footy.KindGoal {
		return fmt.Sprintf("Missing from the answer (%d of %d).", n, of)
	}
	return fmt.Sprintf("Missing from the answer (%d of %d), and the score %s does not need it.", n, of, tally(score))
}

func sayWithheld(why footy.Reason, score footy.Score) string {
	switch why {
	case footy.ReasonAnomaly:
		return "Missing from the answer, but the whole answer contradicts what is known: not believed."
	case ReasonEmptyList:
		return "Missing from an answer that lists nothing at all, although its score is " + tally(score) + ": not believed."
	case ReasonNotBegun:
		return "Missing from an answer that says the match has not begun: not believed."
	}
	if !score.Known() {
		return "Missing from an answer that gives no score: not believed."
	}
	return "Missing from the answer, but its score " + tally(score) + " still counts it: not believed."
}

func sayRemoved(e footy.Event, score footy.Score) string {
	if e.Kind != footy.KindGoal {
		return fmt.Sprintf("%s of %s no longer stands: hidden.", what(e), who(e.Player))
	}
	return fmt.Sprintf("Goal by %s no longer stands (score %s): hidden.", who(e.Player), tally(score))
}

func what(e footy.Event) string {
	switch e.Kind {
	case footy.KindGoal:
		return "Goal"
	case footy.KindRedCard:
		return "Red card"
	case footy.KindYellowCard:
		return "Yellow card"
	case footy.KindVAR:
		return "VAR decision"
	case footy.KindMissedPenalty:
		return "Missed penalty"
	case footy.KindShootout:
		return "Shoot-out kick"
	}
	return string(e.Kind)
}

func who(p footy.Person) string {
	if !identity.Named(p) {
		return "an unknown player"
	}
	return p.Name
}

func minute(m footy.Minute) string {
	if m.Extra > 0 {
		return fmt.Sprintf("%d+%d'", m.Elapsed, m.Extra)
	}
	return fmt.Sprintf("%d'", m.Elapsed)
}

func tally(s footy.Score) string {
	side := func(n *int) string {
		if n == nil {
			return "?"
		}
		return fmt.Sprint(*n)
	}
	return side(s.Home) + "-" + side(s.Away)
}
