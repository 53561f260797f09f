package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// Act is an operator's last word about a clip that is hidden.
type Act struct {
	Down   bool   // taken down for good; else hidden
	Reason string // the operator's own words
}

// Words says it in the past, about "it", "a clip": "took it down: a claim".
func (a Act) Words(what string) string {
	if !a.Down {
		return "hid " + what
	}
	s := "took " + what + " down"
	if a.Reason != "" {
		s += ": " + a.Reason
	}
	return s
}

// Gone is what a link to the clip shows, before the operator's reason.
func (a Act) Gone() string {
	if !a.Down {
		return "This clip was hidden by the operator."
	}
	return "This clip was taken down by the operator."
}

// ownWords are an operator's, ready to stand in a sentence.
func ownWords(s string) string { return strings.TrimRight(strings.TrimSpace(s), ".") }

// TakenDown is the act that a tombstone keeps.
func TakenDown(t footy.Tombstone) Act { return Act{Down: true, Reason: ownWords(t.Reason)} }

// Operator says what an operator did.
func Operator(r footy.Entry) string {
	which, act := "a clip", r.Data.Act
	if r.ClipID == "" {
		which = "every clip"
	}
	switch act {
	case "hide", "take down":
		return "An operator " + Act{Down: act == "take down", Reason: r.Data.Reason}.Words(which)
	case "restore":
		if r.Data.RestoredGoal {
			return "An operator brought it back: the feed can cancel it only after listing it again"
		}
		return "An operator made " + which + " visible again"
	case "pin":
		if r.ClipID == "" {
			return "An operator unpinned the first clip"
		}
		return "An operator pinned " + which + " as the first"
	case "search again":
		return "An operator asked for another search"
	}
	return "An operator asked: " + act
}

// Acts is what operators did to the clips that are hidden, by clip. Rows hold their reasons.
func Acts(e *footy.Event, rows []footy.Entry) map[string]Act {
	out := map[string]Act{}
	for _, c := range e.Clips {
		if c.Hidden {
			out[c.ID] = Act{}
		}
	}
	for _, r := range rows {
		if _, hidden := out[r.ClipID]; hidden && r.Kind == footy.EntryOperator && r.Data.Act == "take down" {
			out[r.ClipID] = Act{Down: true, Reason: ownWords(r.Data.Reason)}
		}
	}
	return out
}

// withdrawn says what operators did to the clips that are not visible any more.
func withdrawn(acts []Act) string {
	hidden, down, reasons := 0, 0, []string{}
	for _, a := range acts {
		if !a.Down {
			hidden++
			continue
		}
		down++
		if a.Reason != "" && !slices.Contains(reasons, a.Reason) {
			reasons = append(reasons, a.Reason)
		}
	}
	slices.Sort(reasons)
	what := func(n int) string {
		if hidden+down == 1 {
			return "it"
		}
		return Plural(n, "clip", "clips")
	}
	var parts []string
	if hidden > 0 {
		parts = append(parts, Act{}.Words(what(hidden)))
	}
	if down > 0 {
		parts = append(parts, Act{Down: true, Reason: strings.Join(reasons, "; ")}.Words(what(down)))
	}
	if len(parts) == 0 {
		return "Its clip is hidden now"
	}
	return fmt.Sprintf("An operator %s", join(parts))
}
