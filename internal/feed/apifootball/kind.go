package apifootball

import (
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// KindOf tells what the vendor's words mean. Documentation and wire differ in case, so case means nothing. Type "Goal"
// covers missed penalties and the kicks of a shoot-out, which are no goals of the match.
func KindOf(typ, detail, comments string) footy.Kind {
	typ, detail, comments = lower(typ), lower(detail), lower(comments)
	switch typ {
	case "goal":
		switch {
		case strings.Contains(comments, "shootout") || strings.Contains(comments, "shoot-out"):
			return footy.KindShootout
		case strings.Contains(detail, "missed"):
			return footy.KindMissedPenalty
		case strings.Contains(detail, "cancelled") || strings.Contains(detail, "disallowed"):
			return footy.KindVAR
		}
		return footy.KindGoal
	case "card":
		switch {
		case strings.Contains(detail, "red") || strings.Contains(detail, "second yellow"):
			return footy.KindRedCard
		case strings.Contains(detail, "yellow"):
			return footy.KindYellowCard
		}
	case "var":
		return footy.KindVAR
	}
	return footy.KindOther
}

func lower(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
