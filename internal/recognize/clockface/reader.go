// Package clockface reads the running clock of a broadcast from the brightness of its pictures: it finds the cell that changes once
// a second, and reads its digits in their order. It says nothing where it is not sure.
package clockface

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/found-footy/found-footy/internal/footy"
)

// Rate is how many looks a second the reader takes.
const Rate = 10

// Reason says why nothing was read.
type Reason string

// The reasons.
const (
	NoBeat    Reason = "no_beat"         // nothing changes once a second within surroundings that stand still
	TooShort  Reason = "too_short"       // too few whole seconds
	Ambiguous Reason = "ambiguous_digit" // something beats, and may be a clock, but a digit of it is not sure
	Standing  Reason = "standing_clock"  // what runs is a small timer beside a clock that stands
	Several   Reason = "several_clocks"  // two clocks that say different things
	Backward  Reason = "counts_down"     // a countdown
	TimeOfDay Reason = "time_of_day"     // hours, minutes and seconds
	Moves     Reason = "clock_moves"     // its graphics do not stand: a screen that was filmed from a hand
	InPart    Reason = "read_in_part"    // it runs where it could not be read, too: a jump between two moments looks like that
)

// Reading is what the clock showed at a moment of the clip.
type Reading struct {
	At    float64 `json:"at"`    // seconds into the clip, in the middle between two ticks
	Clock int     `json:"clock"` // in seconds
}

// Answer is a clock that was read, or the reason why none was.
type Answer struct {
	Readings   []Reading
	Seconds    int     // of the clock, from tick to tick, that the clip is long
	Speed      float64 // seconds of the clock in a second of the clip
	Phase      float64 // of the first tick, in seconds into the clip
	Confidence float64
	Half       int // by a label beside the clock: 1, 2; 0 without one
	Abstained  Reason
	Shown      []Plane  // the place that was read, in each second
	Score      *Score   // what stands beside it; nil: none was read surely
	Codes      []string // words in capitals beside it, mostly the codes of the teams: those that were read surely
}

// A clock must be read in so many whole seconds: a clip of four seconds has three, and is read at the broadcast's own speed alone.
const (
	minSeconds   = 4
	shortSeconds = 3
	shortLooks   = minSeconds*Rate + Rate/2 // from here on there are minSeconds, whatever the phase of the tick
)

// Limits say what is sure enough. They are chosen on fonts that the classifier did not learn from and that nothing is
// judged on.
type Limits struct {
	Mean   float64 // least mean score of a unit digit
	Agree  float64 // least share of seconds whose digit is the one the order wants
	Units  float64 // margins over the second-best digit
	Tens   float64
	Minute float64
	Eight  float64 // of an 8 in the minutes
	Apart  float64 // margin over the best reading of other cells
	Total  float64 // least score of tens and minutes together
	Colon  float64 // least score of the colon
}

// DefaultLimits are in use.
func DefaultLimits() Limits {
	return Limits{Mean: -1.1, Agree: 0.7, Units: 8, Tens: 1.5, Minute: 1.5, Eight: 2.5, Apart: 1.5, Total: -1, Colon: -3}
}

// Reader reads one clip, look by look.
type Reader struct {
	w, h    int
	glyphs  *Glyphs
	letters *Glyphs // nil until a clock was read
	limits  Limits
	looks   [][]byte
	spare   [][]byte // buffers of looks that are done with
	memory  Memory
	before  int // looks before the first one held
	beats   *beats
	floor   byte // what is darker counts as this
	found   []sight
	digits  []digit
	failed  map[Reason]int
	trace   *Trace
}

// Trace is what the reader saw on its way to an answer.
type Trace struct{ Steps []Step }

// Step is one place that was looked at.
type Step struct {
	At     float64 // seconds into the clip at which its window begins
	Place  Cell    // in the picture
	Strip  []Plane // the place in each second
	Cell   Cell    // of the unit digit, in the strip
	Units  string  // what each second was read as, alone
	Left   string  // what was read left of it
	Result string
}

// KeepTrace has the reader remember its steps.
func (r *Reader) KeepTrace() { r.trace = &Trace{} }

// Trace returns the steps, nil if none were kept.
func (r *Reader) Trace() *Trace { return r.trace }

// window is how many looks are held and searched together; keep are those that are seen again with the next.
const (
	window = 12 * Rate
	keep   = 5 * Rate
)

// NewReader reads pictures of a size, 8 bits a pixel, Rate a second.
func NewReader(w, h int, limits Limits) *Reader {
	return &Reader{w: w, h: h, glyphs: NewGlyphs(), limits: limits, beats: newBeats(w, h, 0), failed: map[Reason]int{}}
}

// Memory holds buffers (*[]byte) between one clip and the next, as a sync.Pool does.
type Memory interface {
	Get() any
	Put(buffer any)
}

// Borrow has the reader take memory for looks from there, and return it with the answer. New memory for a hundred looks costs as much
// as reading a clock in them.
func (r *Reader) Borrow(memory Memory) { r.memory = memory }

// Buffer returns memory for the next look, to be handed to Add.
func (r *Reader) Buffer() []byte {
	size := r.w * r.h
	if n := len(r.spare); n > 0 {
		b := r.spare[n-1]
		r.spare = r.spare[:n-1]
		return b
	}
	if r.memory != nil {
		if b, ok := r.memory.Get().(*[]byte); ok && cap(*b) >= size {
			return (*b)[:size]
		}
	}
	return make([]byte, size)
}

// Add takes the next look; it belongs to the reader from now on.
func (r *Reader) Add(look []byte) {
	if len(r.looks) == window {
		r.read()
		r.shift(window - keep)
	}
	r.looks = append(r.looks, look)
}

func (r *Reader) shift(n int) {
	r.spare = append(r.spare, r.looks[:n]...)
	r.looks = append(r.looks[:0], r.looks[n:]...)
	if len(r.beats.pairs) > 0 {
		r.beats.pairs = append(r.beats.pairs[:0], r.beats.pairs[min(n, len(r.beats.pairs)):]...)
	}
	r.before += n
}

// Answer ends the clip.
func (r *Reader) Answer() Answer {
	if len(r.looks) > keep+Rate || r.before == 0 {
		r.read()
	}
	out := r.answer()
	if r.memory != nil {
		for _, b := range slices.Concat(r.looks, r.spare) {
			r.memory.Put(&b)
		}
		r.looks, r.spare = nil, nil
	}
	return out
}

// sight is a clock that was read in one window.
type sight struct {
	period     float64
	at         []float64 // seconds into the clip
	clock      []int
	phase      float64
	confidence float64
	cell       Cell // in the picture
	shown      []Plane
	beside
}

func (r *Reader) read() {
	if len(r.looks) < minSeconds*Rate-1 { // a cut may cost one
		r.failed[TooShort]++
		return
	}
	if r.search(r.beats, periods()) {
		return
	}
	r.floor = lightFrom
	r.search(newBeats(r.w, r.h, r.floor), periods()[:1])
	r.floor = 0
}

// Where a clock has no box, or one that the footage shines through, the footage moves as much as its digits do. Most of it is darker than they
// are: what is as light as this is searched once more, at the broadcast's own speed, as if all else had one shade.
const lightFrom = 128

// search is true if a clock was read, or something beats that is a clock of another kind.
func (r *Reader) search(b *beats, periods []float64) bool {
	for i := len(b.pairs); i < len(r.looks)-1; i++ {
		b.add(r.looks[i], r.looks[i+1], r.w)
	}
	stretches := b.stretches()
	for _, period := range periods {
		if period != Rate && fewest(len(r.looks)) < minSeconds {
			break
		}
		if r.readAtPeriod(b, stretches, period) {
			return true
		}
	}
	return false
}

// fewest is how many whole seconds are enough in a window of so many looks.
func fewest(looks int) int {
	if looks < shortLooks {
		return shortSeconds
	}
	return minSeconds
}

// periods are the looks from tick to tick that are tried in turn: as broadcast, then footage that was slowed down or speeded up.
func periods() []float64 {
	return []float64{Rate, Rate * 1.06, Rate / 1.06, Rate * 25 / 24., Rate * 24 / 25., Rate * 1.1, Rate / 1.1, Rate / 1.25, Rate * 1.25, Rate * 1.5, Rate / 1.5, Rate * 2}
}

func (r *Reader) readAtPeriod(b *beats, stretches []stretch, period float64) bool {
	places := b.places(stretches, period)
	done, sure := false, false
	if len(places) == 0 {
		r.failed[NoBeat]++
	}
	for i, p := range places {
		if i >= mostPlaces && (sure || period != Rate) {
			break
		}
		period := period
		if fitted, measured := b.fit(p, period); math.Abs(measured-period) > 0.02*period && math.Abs(measured-period) < 0.1*period {
			p, period = fitted, measured // the search follows a tick that drifts by little
		}
		s, why := r.clockAt(p, period)
		if why == "" {
			r.found = append(r.found, s)
		} else {
			r.failed[why]++
		}
		may := why != NoBeat && why != TooShort
		done, sure = done || may, sure || may && why != Ambiguous
	}
	return done
}

func (r *Reader) clockAt(p place, period float64) (sight, Reason) {
	b := box{p.x - 28, p.y - 34, p.x + 28, p.y + 34}.within(r.w, r.h)
	boxes := cells(r.changes(b, p, period), p.x-b.x0, p.y-b.y0)
	if len(boxes) == 0 {
		return sight{}, NoBeat
	}
	for i := range boxes {
		boxes[i].X += float64(b.x0)
		boxes[i].Y += float64(b.y0)
	}
	c := boxes[0]
	whole := box{int(c.X - (scanWidth+0.4)*c.W), int(c.Y - 0.6*c.H), int(c.X + 2.6*c.W), int(c.Y+1.6*c.H) + 1}.within(r.w, r.h)
	near := around(boxes).within(whole.x1, whole.y1)
	near.x0, near.y0 = max(near.x0, whole.x0), max(near.y0, whole.y0)
	s := r.average(near, p, period, glance) // most places that beat are no digits, and the rest is dear
	if len(s.seconds) < fewest(len(r.looks)) {
		return sight{}, TooShort
	}
	looks := promising(r.glyphs, &s, boxes, near)
	if len(looks) == 0 {
		return sight{}, NoBeat
	}
	s = r.average(whole, p, period, 1)
	for i := range looks {
		looks[i].cell.X -= float64(whole.x0)
		looks[i].cell.Y -= float64(whole.y0)
	}
	step := Step{At: float64(r.before) / Rate, Place: Cell{X: float64(p.x), Y: float64(p.y)}, Strip: s.seconds, Cell: looks[0].cell}
	out, why := r.readAt(&s, looks, whole, &step)
	if r.trace != nil && step.Units != "" {
		step.Result = string(why)
		r.trace.Steps = append(r.trace.Steps, step)
	}
	return out, why
}

func (r *Reader) readAt(s *strip, looks []sequence, whole box, step *Step) (sight, Reason) {
	q, ok := readUnits(r.glyphs, s, looks)
	step.Cell, step.Units = q.cell, q.String()
	if !ok {
		return sight{}, NoBeat
	}
	r.digits = append(r.digits, q.digits(s, whole, r.before)...)
	q.trim()
	right, seen := q.agreeing()
	lim := r.limits
	switch {
	case q.down > q.mean && q.down > lim.Mean:
		return sight{}, Backward
	case q.down > q.mean || seen < fewest(len(r.looks)):
		return sight{}, NoBeat
	case q.mean < lim.Mean-2.5:
		return sight{}, NoBeat
	case q.margin < lim.Units || float64(right) < lim.Agree*float64(seen):
		return sight{}, Ambiguous
	}
	sc := newScan(r.glyphs, s, q, whole.x0)
	l, ok := arrange(sc)
	if !ok {
		return sight{}, NoBeat
	}
	what := sc.left(l, lim.Minute)
	step.Left = fmt.Sprintf("minutes %d %d, tens %d, pitch %.2f, at %.2f %.2f, score %.2f, margins %.1f %.1f %.1f apart %.1f, colon %.1f, left of it %d", l.minutes, l.minute, l.tens, l.pitch, l.m1, l.m10, l.total,
		l.margins[0], l.margins[1], l.margins[2], l.apart, l.colon, what)
	hundreds := 0
	switch {
	case what == hours:
		return sight{}, TimeOfDay
	case what == aPlus:
		return sight{}, Standing
	case what == aHundred:
		hundreds = 1
	case what == aDigit:
		return sight{}, Ambiguous
	}
	moved := drift(s, q, l) > max(leastMove, mostDrift*q.cell.H) // blurs digits, too
	switch {
	case l.total-l.colon < lim.Total:
		return sight{}, Ambiguous
	case l.colon < lim.Colon:
		r.failed[Ambiguous]++
		return sight{}, NoBeat // the search goes on: footage that shines through may hide a colon
	case l.minute == 1 && l.minutes >= 0 && l.m10-l.m1 > 1.2*l.pitch: // a 1 stands as close as others, or closer: it is the stem of a 4
		return sight{}, Ambiguous
	case l.minute == 1 && l.minutes >= 0 && l.colon < clearColon: // it is the colon of 6:27, blurred, and nothing stands right of it
		return sight{}, Ambiguous
	case moved && l.total >= lim.Total:
		return sight{}, Moves
	case l.margins[0] < lim.Tens || l.margins[1] < lim.Minute || l.margins[2] < lim.Minute || l.apart < lim.Apart:
		return sight{}, Ambiguous
	case l.minute == 8 && l.margins[1] < lim.Eight || l.minutes == 8 && l.margins[2] < lim.Eight: // it may be a 0 with a dot in it
		return sight{}, Ambiguous
	case moved:
		return sight{}, Moves
	}
	if r.floor > 0 && !r.sameInAll(s, q, l, whole) {
		return sight{}, Ambiguous
	}
	first := (hundreds*100+max(0, l.minutes)*10+l.minute)*60 + l.tens*10 + q.start
	out := sight{period: s.period, phase: (s.first + float64(r.before)) / Rate, cell: q.cell, shown: s.seconds}
	out.cell.X += float64(whole.x0)
	out.cell.Y += float64(whole.y0)
	from, to := len(r.looks), 0
	for k := range s.seconds {
		if q.seen[k] {
			from, to = min(from, int(s.at(k))), max(to, int(s.at(k))+1)
			out.at = append(out.at, (s.at(k)+float64(r.before))/Rate)
			out.clock = append(out.clock, first+k)
		}
	}
	if (first < timerAtMost || l.minutes == likePlus) && r.standsNear(out.cell, from, to) {
		return sight{}, Standing
	}
	left := max(l.m1, float64(min(1, l.minutes+1))*l.m10+float64(hundreds)*l.pitch)
	if sc.skips(l) || !r.entire(sc, l, left, first < lostHundred*60, whole, max(0, from), min(to, len(r.looks))) {
		return sight{}, Ambiguous
	}
	out.beside = r.readBeside(out.cell, l, from, to)
	least := min(l.margins[0], l.margins[1], l.margins[2], l.apart, q.margin/4)
	out.confidence = 1 - math.Exp(-least)
	return out, ""
}

// sameInAll: the whole brightness shows the same digits as what is light. Of a 4 with a thin slope the latter is a 1.
func (r *Reader) sameInAll(s *strip, q sequence, l layout, whole box) bool {
	back := r.wholeBrightness()
	defer back()
	all := r.average(whole, place{tick: s.first}, s.period, 1)
	other, ok := arrange(newScan(r.glyphs, &all, q, whole.x0))
	return ok && other.sameDigits(l)
}

// wholeBrightness has more looked at than what is light, until what it returns is called.
func (r *Reader) wholeBrightness() (back func()) {
	floor := r.floor
	r.floor = 0
	return func() { r.floor = floor }
}

func (r *Reader) answer() Answer {
	if len(r.found) == 0 {
		return Answer{Abstained: r.reason()}
	}
	if r.unread() > mostUnread {
		return Answer{Abstained: InPart}
	}
	out := Answer{Shown: r.found[0].shown, Score: commonScore(r.found)}
	seen := map[int]int{} // by tenth of a second
	out.Half = commonHalf(r.found)
	for _, s := range r.found {
		for _, c := range s.codes {
			if !slices.Contains(out.Codes, c) {
				out.Codes = append(out.Codes, c)
			}
		}
		for i, at := range s.at {
			key := int(math.Round(at))
			if old, ok := seen[key]; ok && math.Abs(float64(old)-float64(s.clock[i])-(math.Round(at)-at)) > 2 {
				return Answer{Abstained: Several}
			} else if ok {
				continue
			}
			seen[key] = s.clock[i]
			out.Readings = append(out.Readings, Reading{At: at, Clock: s.clock[i]})
		}
		out.Confidence = max(out.Confidence, s.confidence)
	}
	slices.SortFunc(out.Readings, func(a, b Reading) int { return cmp.Compare(a.At, b.At) })
	out.Seconds = max(len(out.Readings), int(float64(r.before+len(r.looks))/r.found[0].period))
	out.Speed = Rate / r.found[0].period
	out.Phase = math.Mod(r.found[0].phase+10, 1)
	return out
}

// reason is the one that says most of what was seen.
func (r *Reader) reason() Reason {
	for _, why := range []Reason{Several, Moves, Standing, TimeOfDay, Backward, Ambiguous, NoBeat} {
		if r.failed[why] > 0 {
			return why
		}
	}
	return TooShort
}

// Running is the answer in the words of the product: the texts that were read, or why none was.
func (a Answer) Running() *footy.RunningClock {
	out := &footy.RunningClock{Abstained: string(a.Abstained)}
	if len(a.Readings) == 0 {
		return out
	}
	out.Seconds, out.Speed, out.Phase, out.Confidence, out.Half = a.Seconds, a.Speed, a.Phase, a.Confidence, a.Half
	if a.Score != nil {
		out.Score = &footy.ScoreBeside{Left: a.Score.Left, Right: a.Score.Right}
	}
	out.Codes = a.Codes
	for _, r := range a.Readings {
		out.Readings = append(out.Readings, footy.ClockAt{At: r.At, Clock: fmt.Sprintf("%02d:%02d", r.Clock/60, r.Clock%60)})
	}
	return out
}

// Words say a reason to people.
func (r Reason) Words() string {
	switch r {
	case NoBeat:
		return "nothing changes once a second within surroundings that stand still"
	case TooShort:
		return "too few whole seconds"
	case Ambiguous:
		return "something may be a clock, but a digit of it is not sure"
	case Standing:
		return "what runs is a small timer beside a clock that stands"
	case Several:
		return "two clocks say different things"
	case Backward:
		return "it counts down"
	case TimeOfDay:
		return "it shows hours, minutes and seconds"
	case InPart:
		return "its clock could be read in a part only, and runs on in the rest"
	case Moves:
		return "its clock does not stand as graphics do: a screen, filmed from a hand"
	}
	return string(r)
}
