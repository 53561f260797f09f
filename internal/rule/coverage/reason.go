package coverage

import "github.com/found-footy/found-footy/internal/footy"

// words say each reason to people, as the end of "3 were ...".
var words = map[footy.Reason]string{
	footy.ReasonTooShort:     "too short",
	footy.ReasonTooLong:      "too long",
	footy.ReasonPortrait:     "portrait or square",
	footy.ReasonNotSoccer:    "not football",
	footy.ReasonScreen:       "a phone filming a screen",
	footy.ReasonWrongMinute:  "from another minute",
	footy.ReasonSiblingGoal:  "of another goal of this match",
	footy.ReasonTruncated:    "cut off",
	footy.ReasonUnreadable:   "unreadable",
	footy.ReasonTooLarge:     "too large",
	footy.ReasonDeleted:      "deleted before we came",
	footy.ReasonNoVideo:      "without a video",
	footy.ReasonGeoBlocked:   "blocked in this country",
	footy.ReasonForbiddenURL: "on a host that is not allowed",
	footy.ReasonDuplicate:    "copies of a clip we have",
	footy.ReasonUnvalidated:  "not checked, because no model answered",
	footy.ReasonUnavailable:  "not reachable",
	footy.ReasonTombstone:    "taken down before",
	footy.ReasonNotChosen:    "passed over for longer ones",
	footy.ReasonVAR:          "cancelled by VAR",
	footy.ReasonPlaceholder:  "a placeholder that disappeared",
	footy.ReasonScoreNeeds:   "still counted by the score",
	footy.ReasonAnomaly:      "in a poll we did not trust",
	footy.ReasonWindowOver:   "too late, the search window was over",
	footy.ReasonTriesUsed:    "given up after too many failed searches",
	footy.ReasonNoSource:     "not searched, because no source of clips was available",
	footy.ReasonGaveUp:       "given up by an operator",
	footy.ReasonEventGone:    "of a goal that no longer stands",
}

// Words says a reason to people; a reason nobody described yet is shown as it is, never dropped.
func Words(r footy.Reason) string {
	if w, ok := words[r]; ok {
		return w
	}
	out := []byte(r)
	for i := range out {
		if out[i] == '_' {
			out[i] = ' '
		}
	}
	return string(out)
}
