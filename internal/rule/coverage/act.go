package coverage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// Act is an operator's last word about a clip that is out of sight.
type Act struct {
	Down   bool   // taken down for good; else hidden
	Reason string // the operator's own words
}

// Words tells it in the past, about "it", "a clip": "took it down: a claim".
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

// BringsBack reports whether a row makes a goal that was removed stand again: the feed listed it, or an operator said so.
func BringsBack(r footy.Entry) bool {
	return r.Kind == footy.EntryRestored || r.Kind == footy.EntryOperator && Text(r.Data, "restored_goal") == "true"
}

// Acts reads what operators did, by clip, from rows in time order; an act without a clip is about all there were.
func Acts(rows []footy.Entry) map[string]Act {
	out, known := map[string]Act{}, map[string]bool{}
	for _, r := range rows {
		switch r.Kind {
		case footy.EntryClip, footy.EntryMerged, footy.EntryReplaced:
			known[r.ClipID] = true
		case footy.EntryOperator:
			act := Act{Reason: strings.TrimRight(strings.TrimSpace(Text(r.Data, "reason")), ".")}
			switch Text(r.Data, "act") {
			case "hide":
			case "take down":
				act.Down = true
			case "restore":
				for id, was := range out {
					if !was.Down && (r.ClipID == "" || r.ClipID == id) {
						delete(out, id)
					}
				}
				continue
			default:
				continue
			}
			if r.ClipID != "" {
				out[r.ClipID] = act
				continue
			}
			for id := range known {
				if !out[id].Down {
					out[id] = act
				}
			}
		}
	}
	return out
}

// withdrawn says what operators did to the clips nobody can see any more.
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
		return number(n, "clip")
	}
	var parts []string
	if hidden > 0 {
		parts = append(parts, Act{}.Words(what(hidden)))
	}
	if down > 0 {
		parts = append(parts, Act{Down: true, Reason: strings.Join(reasons, "; ")}.Words(what(down)))
	}
	if len(parts) == 0 {
		return "Its clip is out of sight now"
	}
	return fmt.Sprintf("An operator %s", join(parts))
}
