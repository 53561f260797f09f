package clock

import (
	"regexp"
	"strconv"
	"strings"
)

// half is what follows first or second in the label of a half.
const half = `(?:T|TEMPO|TIEMPO|PARTE|MITAD|HALF|HZ|HALBZEIT|YARI|HELFT|MT|MI-TEMPS)`

var (
	tidy = strings.NewReplacer("’", "'", "′", "'", "´", "'", "`", "'", "‘", "'", "\"", "'", "″", "'", "：", ":", "·", ":", "∶", ":", "＋", "+", "ª", "º", "°", "º", "\u00a0", " ")

	labels = []struct {
		p  Period
		re *regexp.Regexp
	}{
		{Extra2, regexp.MustCompile(`\b(?:ET ?2|2(?:ND)? ?ET|ET ?2ND|2ND (?:HALF )?(?:OF )?EXTRA TIME|EXTRA TIME (?:2|SECOND)(?:ND)?(?: HALF)?|OT ?2|2º? ?TS|2º? ?T\w* PR[OÓ]RROGA(?:ÇÃO|CAO)?)\b|延長後半`)},
		{Extra1, regexp.MustCompile(`\b(?:ET ?1|1(?:ST)? ?ET|ET ?1ST|1ST (?:HALF )?(?:OF )?EXTRA TIME|EXTRA TIME (?:1|FIRST)(?:ST)?(?: HALF)?|OT ?1|1º? ?TS|1º? ?T\w* PR[OÓ]RROGA(?:ÇÃO|CAO)?)\b|延長前半`)},
		{Extra, regexp.MustCompile(`\b(?:EXTRA TIME|AET|ET|OT|PR[OÓ]RROGA(?:ÇÃO|CAO)?)\b|延長`)},
		{First, regexp.MustCompile(`\b(?:1(?:ST|ER|RE|ÈRE|E|\.|º)? ?` + half + `|FIRST(?: HALF)?|PRIM(?:O|ER|ERA|EIRO|EIRA) ` + half + `|1ST|1H|H1|T1|P1|MT1|HALF 1)\b\.?|\b1º|^PT$|前半|전반|上半[场場]`)},
		{Second, regexp.MustCompile(`\b(?:2(?:ND|DO|DA|E|ÈME|EME|\.|º)? ?` + half + `|SECOND(?: HALF)?|(?:SECOND|SEGUND)[OA] ` + half + `|2ND|2H|H2|T2|P2|MT2|HALF 2)\b\.?|\b2º|^ST$|後半|후반|下半[场場]`)},
	}

	glued    = regexp.MustCompile(`\b([12][TH])(\d)`)
	negative = regexp.MustCompile(`^[-−–]\d`)
	hours    = regexp.MustCompile(`\d\s*:\s*\d+\s*:\s*\d`)
	plus     = regexp.MustCompile(`(\d{1,3})\s*'?\s*(?:[:.]\s*00)?\s*'?\s*\+\s*(\d{1,2})\b(?:\s*[:.']\s*(\d{2}))?`)
	beside   = regexp.MustCompile(`(?:^|\D)(\d{1,3})\s*[:.']\s*00\s+(\d{1,2})\s*[:.']\s*([0-5]\d)$`)
	oneDigit = regexp.MustCompile(`^\d\s*[:.']\s*[0-5]\s?\d$`)
	running  = regexp.MustCompile(`(\d[\d ]*?)\s*[:.']\s*([0-5]\s?\d)(?:\D|$)`)
	bare     = regexp.MustCompile(`^\D{0,3}?(\d{1,3})\s*'?\s*(?:MIN\w*)?$`)
	addedRE  = regexp.MustCompile(`^\+?\s*(\d{1,2})\s*'?\s*(?:MIN\w*)?\+?$`)
	stopRE   = regexp.MustCompile(`^\+?\s*(\d{1,2})\s*[:.']\s*([0-5]\d)$`)
	stopBare = regexp.MustCompile(`^\+\s*(\d{1,2})\s*'?$`)
	breaks   = regexp.MustCompile(`\b(?:HT|FT|(?:HALF|FULL)[- ]?TIME|INTERVALL?O|DESCANSO|ENTRETIEMPO|PAUSE)\b|^(?:HALBZEIT|MI-TEMPS)$|中场|ハーフタイム`)
)

func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if r >= '０' && r <= '９' { // full-width digits
			return r - '０' + '0'
		}
		return r
	}, text)
	return strings.TrimSpace(strings.ToUpper(tidy.Replace(text)))
}

// ParsePeriod understands a period label on its own.
func ParsePeriod(text string) Period {
	p, _ := label(clean(text))
	return p
}

func label(s string) (Period, string) {
	s = glued.ReplaceAllString(s, "$1 $2")
	for _, l := range labels {
		if at := l.re.FindStringIndex(s); at != nil {
			return l.p, unmarked(s[:at[0]] + " " + s[at[1]:])
		}
	}
	return Unknown, unmarked(s)
}

// unmarked removes the marks of ordinals that belong to no label: an apostrophe is read as one.
func unmarked(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "º", "")) }

// Parse understands the main clock: 67:42, 90, 45+2, 2H 15:00, 1:05 ET, with digits split or something in front.
// ok is false where the text holds no clock: half-time, full time, scores, boards, stop watches with hours, anything below zero.
func Parse(text string) (Time, bool) {
	p, s := label(clean(text))
	if hours.MatchString(s) || negative.MatchString(s) {
		return Time{}, false
	}
	if m := plus.FindStringSubmatch(s); m != nil {
		return stoppage(m, p)
	}
	if m := beside.FindStringSubmatch(s); m != nil { // a clock that stands, and the timer beside it
		if t, ok := stoppage(m, p); ok {
			return t, true
		}
	}
	if m := running.FindStringSubmatch(s); m != nil {
		sec, _ := strconv.Atoi(strings.ReplaceAll(m[2], " ", ""))
		return runningTime(m[1], sec, p)
	}
	if m := bare.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		return resolve(n, 0, false, p)
	}
	return Time{}, false
}

// runningTime reads the minutes of a running clock; digits may be split by a space or preceded by a score.
func runningTime(digits string, sec int, p Period) (Time, bool) {
	joined, _ := strconv.Atoi(strings.ReplaceAll(digits, " ", ""))
	if len(strings.ReplaceAll(digits, " ", "")) <= 3 && joined <= LastMinute {
		return resolve(joined, sec, true, p)
	}
	words := strings.Fields(digits)
	last, err := strconv.Atoi(words[len(words)-1])
	if err != nil || len(words[len(words)-1]) > 3 {
		return Time{}, false
	}
	return resolve(last, sec, true, p)
}

// stoppage reads 45+2, 90+3'12, 45:00+2:10.
func stoppage(m []string, p Period) (Time, bool) {
	base, _ := strconv.Atoi(m[1])
	add, _ := strconv.Atoi(m[2])
	sec, _ := strconv.Atoi(m[3])   // none is 0
	if base == 45 && p == Second { // a clock that restarts: the end of the second half
		base = 90
	}
	if base == 15 && (p == Extra1 || p == Extra2) {
		base, _ = Absolute(15, p)
	}
	if base != 45 && base != 90 && base != 105 && base != 120 || sec > 59 {
		return Time{}, false
	}
	if own := PeriodOf(base); p != Unknown && p != own && (own == First || own == Second || p == First || p == Second) {
		return Time{}, false // its label says another period
	}
	return Time{Seconds: (base+add)*60 + sec, Exact: m[3] != "", Period: PeriodOf(base), Pinned: true, Stoppage: true}, true
}

func resolve(minute, sec int, exact bool, p Period) (Time, bool) {
	abs, ok := Absolute(minute, p)
	if !ok || abs > LastMinute || sec > 59 {
		return Time{}, false
	}
	t := Time{Seconds: abs*60 + sec, Exact: exact, Period: p, Pinned: p != Unknown}
	switch p {
	case Unknown:
		t.Period = likelyPeriod(abs)
	case Extra:
		t.Period = Extra1
		if abs >= 105 {
			t.Period = Extra2
		}
	}
	return t, true
}

// ParseAdded understands the board of added minutes: +4, 4, 4', +4 MIN.
func ParseAdded(text string) (minutes int, ok bool) {
	m := addedRE.FindStringSubmatch(unmarked(clean(text)))
	if m == nil {
		return 0, false
	}
	n, _ := strconv.Atoi(m[1])
	return n, n <= LastExtra
}

// ParseStoppage understands the second timer of stoppage time: 01:48, +1:48, +2.
func ParseStoppage(text string) (seconds int, exact, ok bool) {
	s := unmarked(clean(text))
	if m := stopRE.FindStringSubmatch(s); m != nil {
		min, _ := strconv.Atoi(m[1])
		sec, _ := strconv.Atoi(m[2])
		return min*60 + sec, true, min <= LastExtra
	}
	if m := stopBare.FindStringSubmatch(s); m != nil {
		min, _ := strconv.Atoi(m[1])
		return min * 60, false, min <= LastExtra
	}
	return 0, false, false
}
