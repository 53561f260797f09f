package title

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/names"
)

// said is what a title says besides teams and score.
type said struct {
	scorer        string
	minute, extra int
	ownGoal       bool
	penalty       bool

	all     string // everything that is said
	about   string // of that, what is no team's name
	phrase  string // what stands where the scorer does, brackets apart; "" if no one is named
	rest    string // what the phrase says behind the scorer's name, praise apart
	more    bool   // another stretch says something of its own
	lowered bool   // the title knows no capitals
}

// read reads what stands beside the teams: who scored, when and how.
func (l *line) read(p parts) said {
	all := append(append([]span{}, p.after...), p.before...)
	var texts []string
	for _, s := range all {
		texts = append(texts, l.text(s))
	}
	for _, g := range l.groups(p.away) {
		texts = append(texts, l.text(g))
	}
	about := strings.Join(texts, " | ")
	for _, g := range l.groups(p.home) {
		about += " | " + l.text(g)
	}
	if p.loose {
		all = append(all, p.away)
		texts = append(texts, l.text(p.away))
	}
	d := said{all: strings.Join(texts, " | "), about: about, lowered: l.text(l.all()) == strings.ToLower(l.text(l.all()))}
	d.ownGoal = ownGoal.MatchString(d.all)
	again := rebound.MatchString(d.all) && !retaken.MatchString(d.all)
	d.penalty = !again && penalty.MatchString(notPenalty.ReplaceAllString(d.all, " "))
	l.readScorer(&d, p, l.readMinute(&d, p, all))
	return d
}

// side is the side of the clubs that the competition names. What may be a word of a name or a sentence is no such mark.
func (d said) side() string {
	all := strings.ReplaceAll(names.Fold(d.about), names.Fold(d.scorer), "")
	side, _ := names.Side("a " + noMark.ReplaceAllString(all, " "))
	return side
}

// year is the last year in which a goal was that a title dates, in brackets or beside the competition; 0 where it dates none.
func (l *line) year(p parts) int {
	for _, s := range slices.Concat(l.groups(l.all()), p.before, p.after) {
		text := l.text(s)
		f := years.FindStringSubmatch(text)
		if f == nil || since.MatchString(text) {
			continue
		}
		at, _ := strconv.Atoi(f[1])
		if strings.Trim(text, "[]() \f") != f[1] { // a season, or a tournament that may be put off
			at++
		}
		return at
	}
	return 0
}

// readMinute finds the minute, hides it and returns the stretch it stood in, -1 for that of a team.
func (l *line) readMinute(d *said, p parts, all []span) int {
	for i, s := range append(all, p.away, p.home) {
		m, ok := l.findMinute(s)
		if !ok {
			continue
		}
		d.minute, d.extra = m.minute, m.extra
		l.hide(m.at, minuteSign)
		if i < len(p.after)+len(p.before) {
			return i
		}
		return -1
	}
	for i, s := range p.after {
		if m, ok := l.bareMinute(s); ok && !contest.Match(l.plain[s.from:s.to]) {
			d.minute = m.minute
			l.hide(m.at, minuteSign)
			return i
		}
	}
	return -1
}

// readScorer finds the scorer: rather where the minute stands, else in the first stretch behind the teams that has a name.
func (l *line) readScorer(d *said, p parts, at int) {
	var order []span
	if at >= 0 && at < len(p.after) {
		order = append(order, p.after[at])
	}
	for i, s := range p.after {
		if i != at {
			order = append(order, s)
		}
	}
	if at >= len(p.after) { // Scorer 45' - Home [2] - 1 Away
		order = append(order, p.before[at-len(p.after)])
	}
	for i, s := range order {
		withMinute := strings.ContainsRune(l.text(s), minuteSign)
		n := l.nameOf(s)
		switch {
		case n.phrase == "" || !withMinute && contest.MatchString(n.phrase):
		case d.phrase == "" || d.scorer == "" && n.scorer != "":
			d.phrase, d.rest, d.scorer = n.phrase, n.rest, n.scorer
			d.penalty = d.penalty || penaltyP.MatchString(n.phrase)
		case i > 0:
			d.more = true
		}
	}
}

// noGoal says why a title with a score is not that of a goal; "" if it is.
func (d said) noGoal(bracketed bool) string {
	all := barely.ReplaceAllString(d.all, " ")
	again := rebound.MatchString(all)
	phrase := d.phrase
	if cut := strings.IndexByte(phrase, minuteSign); cut >= 0 {
		phrase = phrase[:cut]
	}
	for _, word := range []string{" after ", " following ", " from "} { // what led to the goal
		if before, _, found := strings.Cut(phrase, word); found && bracketed {
			phrase = before
		}
	}
	phrase = praise.ReplaceAllStringFunc(phrase, func(s string) string {
		if incidents.MatchString(s) { // a diving header is no dive
			return " "
		}
		return s
	})
	checked := videoConfirms.ReplaceAllString(all, " ")
	switch w := ""; {
	case first(cancelled.FindString(all), &w):
		return "the goal did not count: " + w
	case offside.MatchString(all) && !bracketed:
		return "the goal did not count: offside"
	case video.MatchString(checked) && (!bracketed || d.scorer == ""):
		return "it shows a decision of the video referee"
	case !again && first(missed.FindString(phrase), &w):
		return "it shows no goal: " + w
	case !again && first(missed.FindString(d.besides(all)), &w) && penalty.MatchString(all) && !scores.MatchString(all):
		return "it shows no goal: " + w
	case first(incidents.FindString(phrase), &w) && (!bracketed || !scores.MatchString(phrase)) && !(bracketed && d.scorer != "" && slices.Contains(howWon, w)):
		return "it shows no goal: " + w
	case !bracketed && !again && first(gravest.FindString(d.besides(all)), &w):
		return "it shows no goal: " + w
	case bracketed:
		return ""
	case d.minute == 0 && (d.scorer == "" || d.more || d.rest != ""):
		return "it has neither the minute nor the brackets of a goal"
	case d.scorer != "" && !d.named(), d.scorer != "" && possessive.MatchString(phrase) && strings.Contains(phrase, "'s"):
		return "it tells of a match, like a headline"
	}
	return ""
}

// besides is what is said without what was added behind the goal with a plus.
func (d said) besides(all string) string {
	before, _, _ := strings.Cut(all, "+")
	return before
}

// howWon are incidents that say how the penalty that was scored came about.
var howWon = []string{"penalty call", "penalty check", "penalty won", "penalty given", "penalty awarded", "penalty for"}

func first(found string, w *string) bool {
	*w = strings.ToLower(strings.TrimSpace(found))
	return *w != ""
}

// named reports whether the scorer looks like a name: few words, and where the title knows capitals each has one.
func (d said) named() bool {
	words := strings.Fields(string(newLine(d.scorer).plain))
	if len(words) > 5 || strings.ContainsAny(d.scorer, "0123456789") {
		return false
	}
	if d.lowered {
		return true
	}
	for _, w := range words {
		if c := strings.TrimLeft(w, `'"(`); c != "" && c[0] >= 'a' && c[0] <= 'z' && !particle.MatchString(c) {
			return false
		}
	}
	return true
}

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
