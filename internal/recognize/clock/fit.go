package clock

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// fit says how well a clip's clock matches one goal; the zero value: not at all.
type fit struct {
	fits      bool
	unusual   bool // only by an unusual meaning of the clock
	repaired  bool // only after a reading error was repaired
	restarted bool // only if the clock, which has no label, starts anew with each period
	gap       int  // seconds between the nearest frame's clock and the goal's minute
	minute    int  // what that frame's clock shows
}

// bestFit finds the frame and the meaning that are nearest to a goal.
func (c clip) bestFit(m footy.Minute, tolerance int) fit {
	best := fit{}
	for _, ms := range c.frames {
		for _, mo := range ms {
			if f, ok := mo.fitTo(m, tolerance); ok && f.better(best) {
				best = f
			}
		}
	}
	return best
}

// fitTo compares one meaning with a goal, whose clock shows elapsed+extra-1 for a minute; false where it is out of tolerance.
func (mo moment) fitTo(m footy.Minute, tolerance int) (fit, bool) {
	centre, period := m.Clock(), PeriodOf(m.Elapsed)
	f := fit{fits: true, unusual: mo.unusual, repaired: mo.repaired, restarted: mo.restarted, minute: mo.minute}
	if mo.period != period {
		if mo.periodKnown || !nearPeriodEdge(mo, m) {
			return fit{}, false
		}
		f.unusual = true
	}
	lo, hi := centre*60, centre*60+59
	switch {
	case mo.from > hi:
		f.gap = mo.from - hi
	case mo.to < lo:
		f.gap = lo - mo.to
	}
	return f, mo.away(m) <= tolerance
}

// away is how many minutes a meaning differs from a goal's: whole ones, as people read clocks.
func (mo moment) away(m footy.Minute) int {
	centre := m.Clock()
	return max(0, mo.from/60-centre, centre-mo.to/60)
}

// nearPeriodEdge allows for a goal in the last minute of a half whose clip runs into stoppage time on an unlabelled clock, and
// for the first minutes of a period.
func nearPeriodEdge(mo moment, m footy.Minute) bool {
	return mo.period != Unknown && (m.Elapsed%45 == 0 || m.Elapsed == 105 || m.Elapsed%45 <= 3 || m.Elapsed >= 106 && m.Elapsed <= 108)
}

// judge decides by the clock alone: that it is football, and no filmed screen, was decided before.
func (c clip) judge(v footy.Verdict, q Question) footy.Verdict {
	v.Compiled = c.jump != ""
	v.Outcome = footy.OutcomeUnverified
	if c.readable == 0 {
		v.Detail = "football, but no clock can be read"
		if c.atBreak != "" {
			v.Detail = "football at a break (" + c.atBreak + "), where replays of any goal are shown"
		}
		return v
	}
	first := c.frames[0][0].minute
	v.Minute = &first
	if !q.HasMinute() {
		v.Detail = fmt.Sprintf("clock %s, the feed gives no minute", c.shownText())
		return v
	}
	facts := fmt.Sprintf("clock %s, reported at %s, when a clock shows %d", c.shownText(), footy.MinuteLabel(q.Minute), q.Minute.Clock())
	if v.Compiled {
		facts += ", " + c.jump
	}
	self := c.bestFit(q.Minute, q.Tolerance)
	if v.Compiled {
		self = c.fitAmongSeveral(q)
	}
	sibling, siblingFit := c.nearestSibling(q, func(_ Sibling, f fit) bool { return f.beats(self) })
	rival, rivalFit := c.nearestSibling(q, func(s Sibling, f fit) bool { return q.alike(s) && !q.scoreExcludes(s) && f.rivals(self) })
	if self.fits {
		v.Minute = &self.minute
	}
	const contradicted = ": the period label contradicts the clock"
	labelsDoubtful := 2*len(c.wrongLabels) >= c.readable // half the frames or more
	switch {
	case v.Compiled && self.fits: // kept, since it may be the goal's only clip
		v.Detail = facts + ": several moments or a misread clock, so what fits proves nothing"
	case siblingFit.fits:
		v.Outcome, v.Reason, v.Sibling, v.Minute = footy.OutcomeRejected, footy.ReasonSiblingGoal, sibling.UID, &siblingFit.minute
		v.Detail = fmt.Sprintf("%s: nearer to the event of %s", facts, footy.MinuteLabel(sibling.Minute))
	case !self.fits && labelsDoubtful && c.labelNames(q.Minute):
		v.Minute, v.Detail = nil, facts+contradicted
	case !self.fits:
		v.Outcome, v.Reason = footy.OutcomeRejected, footy.ReasonWrongMinute
		v.Detail = facts + ": " + c.whyNot(q)
	case rivalFit.fits:
		v.Detail = fmt.Sprintf("%s: the event of %s fits as well", facts, footy.MinuteLabel(rival.Minute))
	case labelsDoubtful:
		v.Detail = facts + contradicted
	case c.backwards:
		v.Detail = facts + ": the clock runs backwards, which proves nothing"
	case self.restarted:
		v.Detail = facts + ": only if the clock starts anew with each period, and no label says so"
	case self.unusual:
		v.Detail = facts + ": the clock can mean two moments"
	case c.cut && !c.allFit(q):
		v.Detail = facts + ": the clock runs further than the video, and not every frame fits"
	default:
		v.Outcome, v.Detail = footy.OutcomeVerified, facts
	}
	return v
}

// whyNot says why the clock of no frame fits. Two periods share minutes, 45+3 and 48: there the period is the reason.
func (c clip) whyNot(q Question) string {
	period := PeriodOf(q.Minute.Elapsed)
	for _, ms := range c.frames {
		for _, mo := range ms {
			if mo.period != period && !mo.unusual && !mo.restarted && !mo.lostDigit && mo.away(q.Minute) <= q.Tolerance {
				return fmt.Sprintf("the clock is of %s, %s of %s", periodText(mo.period, period), footy.MinuteLabel(q.Minute), periodText(period, mo.period))
			}
		}
	}
	return fmt.Sprintf("not within %d min", q.Tolerance)
}

// periodText names a period, and which half of extra time only beside the other half.
func periodText(p, beside Period) string {
	extra := func(p Period) bool { return p == Extra1 || p == Extra2 || p == Extra }
	switch {
	case p == First:
		return "the first half"
	case p == Second:
		return "the second half"
	case !extra(beside):
		return "extra time"
	case p == Extra1:
		return "the first half of extra time"
	}
	return "the second half of extra time"
}

// labelNames reports whether a label that contradicts its clock names the period of a goal.
func (c clip) labelNames(m footy.Minute) bool {
	p := PeriodOf(m.Elapsed)
	return slices.Contains(c.wrongLabels, p) || (p == Extra1 || p == Extra2) && slices.Contains(c.wrongLabels, Extra)
}

// shownText is what the clip's frames show, for people.
func (c clip) shownText() string {
	s, last := c.shown[0], c.shown[len(c.shown)-1]
	if last != s {
		s += " to " + last
	}
	return s
}

// fitAmongSeveral finds the frame that shows this goal in a video of several moments. A frame that fits another event better shows
// that one: two goals of one player, two minutes apart, made a video of the later goal count for both.
func (c clip) fitAmongSeveral(q Question) fit {
	best := fit{}
	for _, ms := range c.frames {
		one := clip{frames: [][]moment{ms}}
		self := one.bestFit(q.Minute, q.Tolerance)
		if _, other := one.nearestSibling(q, func(_ Sibling, f fit) bool { return f.beats(self) }); self.fits && !other.fits && self.better(best) {
			best = self
		}
	}
	return best
}

// allFit reports whether each frame alone shows this goal.
func (c clip) allFit(q Question) bool {
	return !slices.ContainsFunc(c.frames, func(ms []moment) bool {
		one := clip{frames: [][]moment{ms}}
		return !one.bestFit(q.Minute, q.Tolerance).fits
	})
}

// alike reports whether pictures of a sibling look like those of the event. A removed one at the same minute is most likely the same event,
// listed anew.
func (q Question) alike(s Sibling) bool {
	return !s.Removed && s.Kind.Info().Seen == q.Kind.Info().Seen
}

// scoreExcludes reports whether the score beside the clock was that of the goal and never that of the sibling. A graphic that names the sides in
// another order misleads no reader: of two goals of a match, what is one's score so is none of the other's, or the score of both.
func (q Question) scoreExcludes(s Sibling) bool {
	other := q
	other.Before, other.After = s.Before, s.After
	fit := scoreFit(q.beside, q)
	return s.Kind.Scores() && fit != "" && fit != footy.ScoreFitsNot && scoreFit(q.beside, other) == footy.ScoreFitsNot
}

// nearestSibling finds the other event that fits the clip best, of those whose fit counts.
func (c clip) nearestSibling(q Question, counts func(Sibling, fit) bool) (Sibling, fit) {
	siblings := slices.Clone(q.Siblings)
	slices.SortFunc(siblings, func(a, b Sibling) int {
		return cmp.Or(cmp.Compare(a.Minute.Elapsed, b.Minute.Elapsed), cmp.Compare(a.Minute.Extra, b.Minute.Extra), cmp.Compare(a.UID, b.UID))
	})
	var best Sibling
	var bestFit fit
	for _, s := range siblings {
		if !s.Minute.Known() {
			continue
		}
		if f := c.bestFit(s.Minute, q.Tolerance); f.fits && counts(s, f) && f.better(bestFit) {
			best, bestFit = s, f
		}
	}
	return best, bestFit
}

// doubt ranks meanings: what the clock says is 0, what it says after a repair 1, what it could also mean 2, and 3 what it
// means to few broadcasters.
func (f fit) doubt() int {
	switch {
	case f.restarted:
		return 3
	case f.unusual:
		return 2
	case f.repaired:
		return 1
	}
	return 0
}

// better prefers the usual meaning of a clock, then the smaller gap.
func (f fit) better(than fit) bool {
	return !than.fits || cmp.Or(cmp.Compare(f.doubt(), than.doubt()), cmp.Compare(f.gap, than.gap)) < 0
}

// feedSeconds is how far the feed's minute of a goal is off now and then. So much nearer must be what a clock says to outdo what it could
// mean else.
const feedSeconds = 60

// beats reports whether another event takes the clip: it fits by the clock's usual meaning and lies nearer, or this goal
// fits only by an unusual one. Where clocks start anew with each period, that one is usual.
func (f fit) beats(self fit) bool {
	switch {
	case f.unusual:
		return false
	case !self.fits:
		return true
	case self.restarted:
		return f.gap+feedSeconds < self.gap
	case f.doubt() < self.doubt():
		return f.gap <= self.gap
	case f.doubt() > self.doubt(): // a repair does not beat what the clock says
		return false
	}
	return f.gap < self.gap
}

// rivals reports whether another goal fits so well that the clip may be that one's.
func (f fit) rivals(self fit) bool {
	if f.doubt() > 0 {
		return f.gap <= self.gap+feedSeconds
	}
	return f.gap <= self.gap
}
