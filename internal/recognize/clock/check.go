package clock

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// Undecided reports whether more frames are worth reading: the frames disagree on what they show, no clock could be
// read, or the clock jumps or runs backwards.
func Undecided(readings []footy.Reading) bool {
	soccer, screen := votes(readings)
	n := len(readings)
	if n == 0 || soccer != 0 && soccer != n || screen != 0 && screen != n {
		return true
	}
	if soccer == 0 || screen == n {
		return false // all agree to refuse it
	}
	c := newClip(readings, Question{})
	return c.readable == 0 || c.jump != "" || c.backwards
}

func votes(readings []footy.Reading) (soccer, screen int) {
	for _, r := range readings {
		if r.Soccer {
			soccer++
		}
		if r.Screen {
			screen++
		}
	}
	return soccer, screen
}

// Check judges a clip by what was read in its frames. Votes decide sport and screen, a tie refuses: fail closed.
func Check(readings []footy.Reading, q Question) footy.Verdict {
	v := footy.Verdict{Readings: readings}
	if q.HasMinute() {
		v.Expected = q.Minute.Clock()
	}
	if v = refusedByPicture(v, readings); v.Outcome == footy.OutcomeRejected {
		return v
	}
	return q.bySight(newClip(readings, q).judge(v, q), readings)
}

// Unseen reports whether more frames are worth a look: what is not a goal must be seen in one.
func Unseen(readings []footy.Reading, q Question) bool {
	return q.Kind.Info().Seen != "" && !shows(readings, q.Kind)
}

func shows(readings []footy.Reading, k footy.Kind) bool {
	return slices.ContainsFunc(readings, func(r footy.Reading) bool { return r.Shows == k.Info().Name })
}

// bySight holds a clip whose clock fits back where its pictures do not show its event, or may show another one of those minutes that is
// not a goal. A clock says when, and many things happen in a minute.
func (q Question) bySight(v footy.Verdict, readings []footy.Reading) footy.Verdict {
	if v.Outcome != footy.OutcomeVerified {
		return v
	}
	doubt := func(format string, args ...any) footy.Verdict {
		v.Outcome, v.Detail = footy.OutcomeUnverified, v.Detail+": "+fmt.Sprintf(format, args...)
		return v
	}
	asked := slices.ContainsFunc(readings, func(r footy.Reading) bool { return r.Shows != "" })
	away := func(m footy.Minute) int { return max(*v.Minute-m.Clock(), m.Clock()-*v.Minute) }
	if Unseen(readings, q) {
		if !asked {
			return doubt("no model has looked for the %s", q.Kind.Info().One)
		}
		return doubt("no frame shows the %s", q.Kind.Info().One)
	}
	for _, s := range q.Siblings {
		what := s.Kind.Info()
		switch {
		case q.Kind.Info().Seen != "" || what.Seen == "" || v.Minute == nil || away(s.Minute) > q.Tolerance:
		case shows(readings, s.Kind):
			return doubt("a frame shows the %s of %s", what.One, footy.MinuteLabel(s.Minute))
		case !asked && !s.Removed && away(s.Minute) <= away(q.Minute):
			return doubt("it may show the %s of %s", what.One, footy.MinuteLabel(s.Minute))
		}
	}
	return v
}

// refusedByPicture refuses what is no football and what was filmed off a screen; it leaves a verdict on anything else as it is.
func refusedByPicture(v footy.Verdict, readings []footy.Reading) footy.Verdict {
	reject := func(why footy.Reason, format string, args ...any) footy.Verdict {
		v.Outcome, v.Reason, v.Detail = footy.OutcomeRejected, why, fmt.Sprintf(format, args...)
		return v
	}
	n := len(readings)
	soccer, screen := votes(readings)
	switch {
	case n == 0:
		return reject(footy.ReasonUnreadable, "no frame was read")
	case 2*soccer <= n:
		return reject(footy.ReasonNotSoccer, "%d of %d frames show football", soccer, n)
	case 2*screen >= n:
		return reject(footy.ReasonScreen, "%d of %d frames are filmed from a screen", screen, n)
	}
	return v
}

// clip is what was read in all frames of a video.
type clip struct {
	frames      [][]moment // per readable frame, in time order
	readable    int
	jump        string // how the clock jumps by minutes, if it does
	cut         bool   // the clock runs further than the video, by less than minutes
	backwards   bool   // the clock falls back at least as often as it goes on
	shown       []string
	atBreak     string   // what a frame of a break shows
	wrongLabels []Period // period labels that the clock beside them contradicts
}

func newClip(readings []footy.Reading, q Question) clip {
	sorted := slices.Clone(readings)
	slices.SortStableFunc(sorted, func(a, b footy.Reading) int { return cmp.Compare(a.At, b.At) })
	var c clip
	var times []float64
	common := commonLabel(sorted)
	for _, r := range sorted {
		if atBreak(r) {
			c.atBreak = readingText(r)
			continue
		}
		if ms, wrongLabel := moments(r, common, q); len(ms) > 0 {
			if wrongLabel != Unknown {
				c.wrongLabels = append(c.wrongLabels, wrongLabel)
			}
			c.frames = append(c.frames, ms)
			times = append(times, r.At)
			c.shown = append(c.shown, readingText(r))
		}
	}
	c.readable = len(c.frames)
	c.restoreLostNine()
	c.trustStoppedClock()
	c.findJump(times)
	return c
}

// commonLabel is the period label all labelled frames agree on.
func commonLabel(readings []footy.Reading) Period {
	common := Unknown
	for _, r := range readings {
		own, _ := label(clean(r.Clock))
		p := cmp.Or(own, ParsePeriod(r.Period), common)
		if common != Unknown && common != p {
			return Unknown
		}
		common = p
	}
	return common
}

// restoreLostNine repairs frames that lost their leading 9 beside frames that kept it.
func (c *clip) restoreLostNine() {
	for i, ms := range c.frames {
		if ms[0].minute >= 20 {
			continue
		}
		for k, other := range c.frames {
			gap := other[0].from - ms[0].from - 90*60
			if k != i && math.Abs(float64(gap)) < 100 {
				m := ms[0]
				m.from, m.to, m.minute = m.from+90*60, m.to+90*60, m.minute+90
				m.period, m.periodKnown = other[0].period, other[0].periodKnown
				c.frames[i] = []moment{m}
				break
			}
		}
	}
}

// trustStoppedClock trusts a clock that stands at the end of a period in every frame: it stands for all of the stoppage time, and hardly for
// the first second of what follows.
func (c *clip) trustStoppedClock() {
	stands := func(m moment) bool { return m.stoppedClock && m.minute == c.frames[0][0].minute }
	if c.readable < 2 || slices.ContainsFunc(c.frames, func(ms []moment) bool { return !slices.ContainsFunc(ms, stands) }) {
		return
	}
	for _, ms := range c.frames {
		for k := range ms {
			ms[k].unusual = !ms[k].stoppedClock
		}
	}
}

// jumpSeconds is how far the clock may differ from the video's own time before it is a jump: cuts within one goal (a
// celebration, a check by the referee) stay below, the nearest two goals that one video was seen to show lie two minutes apart.
const jumpSeconds = 100

// How far a clock may differ from the video's own time without a cut, in seconds: times of frames and readings are rough. Where
// the times of the frames are unknown, they may be as far apart as a clip is long.
const (
	cutSeconds  = 20
	clipSeconds = 60
)

// roughSeconds is how far two readings of one moment may differ.
const roughSeconds = 2

// runsBackwards compares each frame with the next: a video that is played backwards, or one whose clock was misread as often as
// not. One misread frame among many goes on as often as it falls back, and the others go on.
func (c *clip) runsBackwards() bool {
	back, on := 0, 0
	for i := 1; i < len(c.frames); i++ {
		falls, rises := true, true // in every meaning that both frames have
		for _, a := range c.frames[i-1] {
			for _, b := range c.frames[i] {
				if a.lostDigit || b.lostDigit || a.restarted != b.restarted || a.period != b.period {
					continue
				}
				falls = falls && b.to < a.from-roughSeconds
				rises = rises && b.from > a.to
			}
		}
		switch {
		case falls && !rises:
			back++
		case rises && !falls:
			on++
		}
	}
	return back > 0 && back >= on
}

// findJump looks for two moments in one file. A single frame in the middle that fits neither neighbour, while the neighbours
// fit each other, is dropped where one misread digit explains it; that most frames agree explains nothing.
func (c *clip) findJump(times []float64) {
	for i := 1; i+1 < len(c.frames); i++ {
		if c.differ(times, i-1, i, jumpSeconds) && c.differ(times, i, i+1, jumpSeconds) && !c.differ(times, i-1, i+1, jumpSeconds) && c.misread(i) {
			c.frames, c.shown = slices.Delete(c.frames, i, i+1), slices.Delete(c.shown, i, i+1)
			times = slices.Delete(slices.Clone(times), i, i+1)
			i--
		}
	}
	c.backwards = c.runsBackwards()
	for i := 1; i < len(c.frames); i++ {
		if c.differ(times, i-1, i, jumpSeconds) {
			c.jump = fmt.Sprintf("the clock jumps from %d' to %d'", c.frames[i-1][0].minute, c.frames[i][0].minute)
			return
		}
		slack := cutSeconds
		if times[i] <= times[i-1] {
			slack = clipSeconds
		}
		c.cut = c.cut || c.differ(times, i-1, i, slack)
	}
}

// differ reports whether no meaning of one frame and of the other are as far apart as the frames are in the video. A clock
// does not change its notation in between.
func (c *clip) differ(times []float64, i, k, slack int) bool {
	video := int(times[k] - times[i])
	for _, a := range c.frames[i] {
		for _, b := range c.frames[k] {
			if !a.lostDigit && !b.lostDigit && a.restarted == b.restarted && b.to-a.from > -slack && b.from-a.to < video+slack {
				return false
			}
		}
	}
	return true
}

// misread reports whether one digit of a frame's minute, read wrong or lost, explains why it does not lie between its neighbours.
func (c *clip) misread(i int) bool {
	for _, m := range c.frames[i] {
		if m.lostDigit || m.restarted {
			continue
		}
		for _, a := range c.frames[i-1] {
			for _, b := range c.frames[i+1] {
				between := func(seconds int) bool {
					return seconds >= a.from-roughSeconds && seconds <= b.to+roughSeconds && b.to-a.from < clipSeconds
				}
				if a.restarted == b.restarted && slices.ContainsFunc(oneDigitAway(m.minute), func(minute int) bool { return between(m.from + (minute-m.minute)*60) }) {
					return true
				}
			}
		}
	}
	return false
}

// oneDigitAway are the minutes whose digits differ from a minute's in one place.
func oneDigitAway(minute int) []int {
	var out []int
	for _, place := range []int{1, 10, 100} {
		for digit := range 10 {
			if n := minute + (digit-minute/place%10)*place; n != minute && n <= LastMinute {
				out = append(out, n)
			}
		}
	}
	return out
}

func readingText(r footy.Reading) string {
	s := []string{strings.TrimSpace(r.Clock)}
	if _, ok := ParseAdded(r.Added); ok {
		s = append(s, strings.TrimSpace(r.Added))
	}
	if _, _, ok := ParseStoppage(r.StoppageClock); ok {
		s = append(s, "timer "+strings.TrimSpace(r.StoppageClock))
	}
	if p := strings.TrimSpace(r.Period); p != "" {
		s = append(s, p)
	}
	return strings.Join(s, " ")
}
