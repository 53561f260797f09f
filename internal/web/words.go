package web

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"unicode"

	"github.com/found-footy/found-footy/internal/footy"
)

// Phase is a match's state in broad words, for grouping and colour.
type Phase string

// The phases.
const (
	PhaseAhead Phase = "ahead"
	PhaseLive  Phase = "live"
	PhaseOver  Phase = "over"
	PhaseOff   Phase = "off" // postponed, abandoned, ...: nothing is being played
)

var fixed = map[string]struct {
	phase Phase
	label string
}{
	"TBD": {PhaseAhead, "Time to be set"}, "NS": {PhaseAhead, "Not started"},
	"HT": {PhaseLive, "HT"}, "BT": {PhaseLive, "Break"}, "P": {PhaseLive, "Penalties"},
	"SUSP": {PhaseOff, "Suspended"}, "INT": {PhaseLive, "Interrupted"},
	"FT": {PhaseOver, "FT"}, "AET": {PhaseOver, "After extra time"}, "PEN": {PhaseOver, "After penalties"},
	"PST": {PhaseOff, "Postponed"}, "CANC": {PhaseOff, "Cancelled"}, "ABD": {PhaseOff, "Abandoned"},
	"AWD": {PhaseOver, "Awarded"}, "WO": {PhaseOver, "Walkover"},
}

func viewStatus(st footy.Status) statusView {
	v := statusView{Code: st.Code, Elapsed: st.Elapsed, Extra: st.Extra, Phase: PhaseLive, Label: st.Code}
	if f, ok := fixed[st.Code]; ok {
		v.Phase, v.Label = f.phase, f.label
		return v
	}
	switch {
	case st.Code == "":
		v.Phase, v.Label = PhaseAhead, "Not started"
	case st.Elapsed != nil:
		m := footy.Minute{Elapsed: *st.Elapsed}
		if st.Extra != nil {
			m.Extra = *st.Extra
		}
		v.Label = minuteLabel(m)
	case st.Long != "":
		v.Label = st.Long
	}
	return v
}

func minuteLabel(m footy.Minute) string {
	if m.Extra > 0 {
		return fmt.Sprintf("%d+%d'", m.Elapsed, m.Extra)
	}
	return fmt.Sprintf("%d'", m.Elapsed)
}

func note(e *footy.Event) string {
	switch d := strings.ToLower(e.Detail); {
	case strings.Contains(d, "own"):
		return "own goal"
	case strings.Contains(d, "missed"):
		return "missed penalty"
	case strings.Contains(d, "penalty"):
		return "penalty"
	case e.Kind == footy.KindRedCard:
		return "🟥 " + d
	case e.Kind == footy.KindYellowCard:
		return "🟨 " + d
	case e.Kind == footy.KindVAR:
		return "VAR: " + d
	case e.Kind != footy.KindGoal && e.Detail != "":
		return d
	}
	return ""
}

func statusLabel(st footy.EventStatus, clips int) string {
	switch st {
	case footy.StatusValidating:
		return "Confirming"
	case footy.StatusExtracting:
		return "Searching"
	case footy.StatusWatching:
		return "Watching for better"
	case footy.StatusComplete:
		if clips == 0 {
			return "No clip"
		}
		return "Complete"
	case footy.StatusRemoved:
		return "Cancelled"
	}
	return string(st)
}

func score(n *int) string {
	if n == nil {
		return "–"
	}
	return fmt.Sprint(*n)
}

// lengthLabel is a clip's length: 0:07, 1:02.
func lengthLabel(seconds float64) string {
	s := int(math.Round(seconds))
	if s <= 0 {
		return ""
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func sizeLabel(bytes int64) string {
	switch {
	case bytes >= 10<<30:
		return fmt.Sprintf("%d GB", bytes>>30)
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
	case bytes > 0:
		return fmt.Sprintf("%d kB", (bytes+1023)/1024)
	}
	return ""
}

// safeURL lets only web addresses through: what a post or a feed supplies may say anything.
func safeURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" {
		return ""
	}
	return u.String()
}

// initials are up to two letters that stand for a name until its badge is there.
func initials(name string) string {
	out := ""
	for word := range strings.FieldsSeq(name) {
		for _, r := range word {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				out += string(unicode.ToUpper(r))
				break
			}
		}
		if len([]rune(out)) == 2 {
			break
		}
	}
	return url.QueryEscape(out)
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
