package title

import (
	"regexp"
)

// The longest a match lasts, with its stoppage time.
const lastMinute = 135

var (
	// 45'+2', 45+2', 45e+2, 90'+ and 93'. The minute of a name such as U19 is none.
	minuteMark  = regexp.MustCompile(`(?:^|[^\w.+-])(\d{1,3})\s*(?:'{1,2}|"|\.|e(?:me)?)?\s*\(?\+\s*(\d{1,2})?\s*\)?\s*(?:'{1,2}|"|e(?:me)?\b)?|(?:^|[^\w.+-])(\d{1,3})\.?\s*(?:'{1,2}|")`)
	minuteWord  = regexp.MustCompile(`(?i)\b(\d{1,3})(?:st|nd|rd|th|e|eme)?[ .-]*(?:minutes?|mins?|m)\b\.?|\b(?:minute|min\.?)\s*(\d{1,3})\b`)
	minuteFirst = regexp.MustCompile(`(?:^|\s)'([1-9]\d{0,2})(?:\s*\+\s*(\d{1,2}))?(?:[\s)\]]|$)`)
	minuteBare  = regexp.MustCompile(`[a-zA-Z.]\s+([1-9]\d{0,2})\.?\s*$`)
	minuteNth   = regexp.MustCompile(`(?:^|[\s(\[])([1-9]\d{0,2})(?:\.|e|eme)\s*(?:$|[)\]])`) // 28e, 28.
	minuteGroup = regexp.MustCompile(`[\[(]\s*([1-9]\d{1,2})\s*[\])]`)
)

// minute is one found in a title: where, and what it says.
type minute struct {
	at            span
	minute, extra int
}

// findMinute finds the first minute in a span, rather a marked one.
func (l *line) findMinute(s span) (minute, bool) {
	for _, re := range []*regexp.Regexp{minuteMark, minuteWord, minuteFirst, minuteNth, minuteGroup} {
		for _, f := range re.FindAllSubmatchIndex(l.plain[s.from:s.to], -1) {
			m := minute{minute: -1}
			for i := 2; i < len(f); i += 2 {
				if f[i] < 0 {
					continue
				}
				n := atoi(l.plain[s.from+f[i] : s.from+f[i+1]])
				if m.minute < 0 {
					m.minute, m.at.from = n, s.from+f[i]
				} else {
					m.extra = n
				}
			}
			m.at.to = s.from + f[1]
			possessive := m.at.to < len(l.plain) && l.plain[m.at.to-1] == '\'' && letter(l.plain[m.at.to]) // Mainz 05's
			if m.minute > 0 && m.minute <= lastMinute && !possessive {
				return m, true
			}
		}
	}
	return minute{}, false
}

// bareMinute finds a minute without any sign at the end of what names the scorer: Salah 67.
func (l *line) bareMinute(s span) (minute, bool) {
	f := minuteBare.FindSubmatchIndex(l.plain[s.from:s.to])
	if f == nil {
		return minute{}, false
	}
	m := minute{at: span{s.from + f[2], s.from + f[1]}, minute: atoi(l.plain[s.from+f[2] : s.from+f[3]])}
	return m, m.minute <= lastMinute
}
