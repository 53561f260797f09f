package footy

import "strings"

// RoundOutcome is how a search round ended: with all its searches, or short of them for a reason. Zero: it did not end.
type RoundOutcome struct {
	Ended bool
	Lost  Reason // why it ended short; "" if it did not
}

// String is the outcome as it is stored and sent: "ok" or "lost(reason)"; "" for none.
func (o RoundOutcome) String() string {
	switch {
	case o.Lost != "":
		return "lost(" + string(o.Lost) + ")"
	case o.Ended:
		return "ok"
	}
	return ""
}

// ParseRoundOutcome reads what String writes.
func ParseRoundOutcome(s string) RoundOutcome {
	lost, _ := strings.CutPrefix(s, "lost(")
	if lost == s {
		lost = ""
	}
	return RoundOutcome{Ended: s != "", Lost: Reason(strings.TrimSuffix(lost, ")"))}
}
