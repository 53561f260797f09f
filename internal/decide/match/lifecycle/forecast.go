package lifecycle

import (
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/footy"
)

// DayLists is how many lists a day's ingest fetches.
const DayLists = 4

// Forecast is what following a day's matches costs, played through cycle by cycle with the rules that the monitor goes by.
type Forecast struct {
	Calls   int           // polls of the day, all kinds
	ByKind  KindCount     // the same by kind
	Minute  int           // calls of the busiest minute
	Usual   time.Duration // between two looks at a live match: the mean; 0 = nothing was live
	Longest time.Duration // the longest of them
	Unseen  int           // matches that began and were never looked at while under way
	Refused int           // calls wanted when none were left
	Certain time.Duration // from a goal until three looks have seen it: the mean; 0 = there was none
}

// Goal is one that falls on the day: in which of the matches, and when the feed tells it.
type Goal struct {
	Match int
	At    time.Time
}

// KindCount is a number of calls of each kind.
type KindCount struct{ Live, IDs, ID int }

// played is one match of a forecast: how it is, and what is known of it.
type played struct {
	kickoff time.Time
	known   footy.Fixture
	seen    time.Time // under way, last
	gone    bool      // completed: nobody asks any more
	goals   []time.Time
}

// forecast is the state of one play-through.
type forecast struct {
	Reckoning
	quota   Quota
	matches []played
	out     Forecast
	gaps    int
	lasted  time.Duration
	asked   []time.Time // calls of the last minute
	pace    Pace

	certain int
	waited  time.Duration // of the goals that are certain, together
}

// Day plays a whole day on a plan of so many calls, of which its lists take some; this is the pace that people are told, wherever it is
// told. Means are rounded to ten seconds: no day is as planned.
func (r Reckoning) Day(kickoffs []time.Time, day time.Time, perDay, perMinute int) Forecast {
	q := Quota{DayLimit: perDay, DayRemaining: -1, MinuteLimit: perMinute}
	if perDay >= 0 {
		q.DayRemaining = max(0, perDay-DayLists)
	}
	f := r.Forecast(kickoffs, day, q)
	if f.Usual > time.Minute {
		f.Usual = f.Usual.Round(10 * time.Second)
	}
	return f
}

// Forecast plays the rest of a day from a moment on. Matches last as long as Windows say.
func (r Reckoning) Forecast(kickoffs []time.Time, from time.Time, q Quota, goals ...Goal) Forecast {
	f := &forecast{Reckoning: r, quota: q}
	for i, k := range kickoffs {
		f.matches = append(f.matches, played{kickoff: k, known: footy.Fixture{ID: int64(i + 1), Stage: footy.StageStaging,
			Match: footy.Match{ID: int64(i + 1), Kickoff: k, Status: footy.Status{Code: "NS"}}}})
	}
	for _, g := range goals {
		f.matches[g.Match].goals = append(f.matches[g.Match].goals, g.At)
	}
	if r.Cycle <= 0 {
		return f.out
	}
	for now := from; now.Before(Midnight(from)); now = now.Add(r.Cycle) {
		f.cycle(now)
	}
	for i := range f.matches {
		if m := &f.matches[i]; m.seen.IsZero() && m.kickoff.Add(r.Windows.InPlay).After(from) && m.kickoff.Add(r.Windows.InPlay).Before(Midnight(from)) {
			f.out.Unseen++
		}
	}
	if f.gaps > 0 {
		f.out.Usual = (f.lasted / time.Duration(f.gaps)).Round(time.Second)
	}
	if f.certain > 0 {
		f.out.Certain = (f.waited / time.Duration(f.certain)).Round(time.Second)
	}
	return f.out
}

func (f *forecast) cycle(now time.Time) {
	var open []footy.Fixture
	for i := range f.matches {
		m := &f.matches[i]
		if m.gone {
			continue
		}
		if m.known.Stage == footy.StageStaging && kickoffNear(m.kickoff, now, f.Windows) {
			m.known.Stage = footy.StageActive
		}
		open = append(open, m.known)
	}
	if len(open) == 0 {
		return
	}
	d := f.Demand(open, now)
	p := Govern(f.quota, d, f.pace)
	f.pace = p
	var due []calls.Match
	for i := range open {
		if m, ok := f.Due(open[i], now, p); ok {
			due = append(due, m)
		}
	}
	first, _ := calls.Choose(f.Can, f.Together, due, f.budget(now, d, p))
	var missing []int64
	for _, c := range first {
		missing = append(missing, f.ask(c, now)...)
	}
	more, _ := calls.ByID(f.Can, f.Together, missing, f.budget(now, d, p).ForMissing())
	for _, c := range more {
		f.ask(c, now)
	}
	f.again(now, d, p)
}

// again takes the second look of a cycle.
func (f *forecast) again(now time.Time, d Demand, p Pace) {
	wait := f.SecondLook(f.quota, d, p)
	if wait <= 0 {
		return
	}
	var ids []int64
	for i := range f.matches {
		if LookAgain(f.matches[i].known) {
			ids = append(ids, f.matches[i].known.ID)
		}
	}
	now = now.Add(wait)
	list, _ := calls.ByID(f.Can, f.Together, ids, f.budget(now, d, p).ForMissing())
	for _, c := range list {
		f.ask(c, now)
	}
}

// vote counts a look at a match's goals.
func (f *forecast) vote(m *played, now time.Time) {
	for i, at := range m.goals {
		if now.Before(at) {
			continue
		}
		uid := strconv.Itoa(i)
		n := slices.IndexFunc(m.known.Events, func(e footy.Event) bool { return e.UID == uid })
		if n < 0 {
			n, m.known.Events = len(m.known.Events), append(m.known.Events, footy.Event{UID: uid, FirstSeen: now})
		}
		e := &m.known.Events[n]
		if e.Certain() {
			continue
		}
		if e.Votes = append(e.Votes, uid); len(e.Votes) == debounce.Defaults().Sightings {
			e.CertainAt = now
			f.certain++
			f.waited += now.Sub(at)
		}
	}
}

// budget is what may be asked now.
func (f *forecast) budget(now time.Time, d Demand, p Pace) calls.Budget {
	for len(f.asked) > 0 && now.Sub(f.asked[0]) >= f.Minute {
		f.asked = f.asked[1:]
	}
	q := f.quota
	q.MinuteRemaining = -1
	if q.MinuteLimit > 0 {
		q.MinuteRemaining = max(0, q.MinuteLimit-len(f.asked))
	}
	return Allowance(q, d, p)
}

// ask makes a call and returns the matches that it was to show and did not.
func (f *forecast) ask(c calls.Call, now time.Time) (missing []int64) {
	if f.quota.DayRemaining == 0 {
		f.out.Refused++
		return nil
	}
	if f.quota.DayRemaining > 0 {
		f.quota.DayRemaining--
	}
	f.asked = append(f.asked, now)
	f.out.Minute = max(f.out.Minute, len(f.asked))
	f.out.Calls++
	switch c.Kind {
	case calls.Live:
		f.out.ByKind.Live++
	case calls.IDs:
		f.out.ByKind.IDs++
	default:
		f.out.ByKind.ID++
	}
	for _, id := range c.IDs {
		if m := &f.matches[id-1]; !f.answer(m, now) && c.Kind == calls.Live {
			missing = append(missing, id)
		} else if c.Kind != calls.Live {
			f.learn(m, now)
		}
	}
	for _, id := range c.Watch {
		f.answer(&f.matches[id-1], now)
	}
	return missing
}

// answer looks at a match that is under way; false if it is not.
func (f *forecast) answer(m *played, now time.Time) bool {
	if now.Before(m.kickoff) || !now.Before(m.kickoff.Add(f.Windows.InPlay)) {
		return false
	}
	since := m.seen
	if since.IsZero() {
		since = m.kickoff
	}
	f.gaps++
	f.lasted += now.Sub(since)
	f.out.Longest = max(f.out.Longest, now.Sub(since))
	m.seen, m.known.LastMonitor, m.known.Match.Status.Code = now, now, "2H"
	f.vote(m, now)
	return true
}

// learn takes over what an answer by id tells of a match that is not under way.
func (f *forecast) learn(m *played, now time.Time) {
	m.known.LastMonitor = now
	if !m.seen.Equal(now) {
		f.vote(m, now)
	}
	if over := m.kickoff.Add(f.Windows.InPlay); !now.Before(over) {
		m.known.Match.Status.Code = "FT"
		m.gone = !now.Before(m.kickoff.Add(f.Windows.Played))
	}
}
