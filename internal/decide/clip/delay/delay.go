// Package delay says where the time goes from a goal to its first clip. Its stages follow one another and add up to the whole.
package delay

import (
	"math"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// The stages of the way from a goal to its first clip, in their order. The log and the metrics know them by these names.
const (
	Told    = "told"    // from the goal until the feed told it; to the minute, as the feed is
	Certain = "certain" // until it was certain
	Posted  = "posted"  // until the clip was posted; what comes after it is our own part
	Search  = "search"  // until the post was found
	Fetch   = "fetch"
	Decode  = "decode" // with the running clock, until it is staged
	Model   = "model"
	Waiting = "waiting" // for a slot, for other posts or for the end of an outage: what is in no other stage
	Publish = "publish" // until people can see the clip
)

// stages are all of them with their words, which follow a length of time: "8 s search".
var stages = []struct{ name, words string }{
	{Told, "until the feed told it"}, {Certain, "until it was certain"}, {Posted, "until it was posted"}, {Search, "search"}, {Fetch, "fetch"},
	{Decode, "decode and clock"}, {Model, "model"}, {Waiting, "waiting"}, {Publish, "publish"},
}

// Way is how many seconds each stage took. Told is missing where nobody knows when the goal fell.
type Way map[string]float64

// Of is the way of an event to its first clip: p is the post that brought the clip, began when its publishing began, shown when people
// could see it. Each stage begins where the one before ended. So work that was done ahead of certainty takes no time after it, and no
// clock that was put back makes a stage negative.
func Of(e *footy.Event, p footy.Post, began, shown time.Time) Way {
	c := cursor{at: e.FirstSeen, end: shown, way: Way{}}
	if e.MomentKnown && !e.CaughtUp { // of one that is caught up, the feed told before anybody asked
		c.at = e.HappenedAt
		c.until(Told, e.FirstSeen)
	}
	c.until(Certain, e.CertainAt)
	c.until(Posted, p.Candidate.PostedAt)
	c.until(Search, p.FirstSeen)
	var m footy.Media
	if p.Media != nil {
		m = *p.Media
	}
	fetched := m.FetchBegan.Add(seconds(m.FetchSeconds))
	c.work(Fetch, m.FetchBegan, fetched)
	c.work(Decode, fetched, fetched.Add(seconds(m.DecodeSeconds)))
	judged := p.ChangedAt
	if p.Verdict != nil {
		c.work(Model, judged.Add(-seconds(p.Verdict.ModelSeconds)), judged)
	}
	c.work(Publish, began, shown)
	return c.way
}

// In is the way that the log of an event tells of; nil if it has no clip.
func In(rows []footy.Entry) Way {
	for _, r := range rows {
		if r.Kind == footy.EntryFirstClip {
			return r.Data.Stages
		}
	}
	return nil
}

// cursor walks from the goal to its clip.
type cursor struct {
	at, end time.Time
	way     Way
}

// until gives the time up to t to a stage: none if t is past already. Nothing lies behind the end.
func (c *cursor) until(stage string, t time.Time) {
	if t.After(c.end) {
		t = c.end
	}
	took := max(t.Sub(c.at), 0)
	c.way[stage] = (seconds(c.way[stage]) + took.Round(time.Millisecond)).Seconds()
	c.at = c.at.Add(took)
}

// work gives the time of a piece of work to its stage, and what passed before it began to Waiting.
func (c *cursor) work(stage string, began, ended time.Time) {
	c.until(Waiting, began)
	c.until(stage, ended)
}

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * float64(time.Second))) }

// Stage is one stage of a way.
type Stage struct {
	Name    string  `json:"stage"`
	Words   string  `json:"words"`
	Seconds float64 `json:"seconds"`
}

// Stages are those that are known, in their order.
func (w Way) Stages() []Stage {
	var out []Stage
	for _, s := range stages {
		if took, known := w[s.name]; known {
			out = append(out, Stage{s.name, s.words, took})
		}
	}
	return out
}

// Whole is the sum of all stages.
func (w Way) Whole() time.Duration {
	var sum time.Duration
	for _, took := range w {
		sum += seconds(took)
	}
	return sum.Round(time.Millisecond)
}

// Sums of stages that figures begin with.
const (
	SinceSeen = "since_seen" // from the first answer with the goal; how late the feed was stands apart
	Own       = "own"        // from when the goal was certain and its clip posted
)

// Figure is one stage, or a sum of stages, over several goals.
type Figure struct {
	Stage  string  `json:"stage"`
	Words  string  `json:"words"`
	Goals  int     `json:"goals"` // of which it is known
	Median float64 `json:"median_s"`
	P90    float64 `json:"p90_s"` // nine of ten goals took no longer
}

// Figures are those of several ways, each time multiplied: by TIME_SCALE they are seconds of the product. None of no way. They begin when the
// goals were first seen; what was before that comes last.
func Figures(ways []Way, times float64) []Figure {
	if len(ways) == 0 {
		return nil
	}
	out := []Figure{
		figure(SinceSeen, "from first seen to the clip", ways, times, func(w Way) (float64, bool) { return w.Whole().Seconds() - w[Told], true }),
		figure(Own, "of this, our own part", ways, times, func(w Way) (float64, bool) {
			return w.Whole().Seconds() - w[Told] - w[Certain] - w[Posted], true
		}),
	}
	for _, s := range stages[1:] {
		out = append(out, figure(s.name, s.words, ways, times, of(s.name)))
	}
	out = append(out, figure(Told, "before it was first seen: "+stages[0].words, ways, times, of(Told)))
	return slices.DeleteFunc(out, func(f Figure) bool { return f.Goals == 0 })
}

func of(stage string) func(Way) (float64, bool) {
	return func(w Way) (float64, bool) { took, known := w[stage]; return took, known }
}

func figure(stage, words string, ways []Way, times float64, took func(Way) (float64, bool)) Figure {
	var all []float64
	for _, w := range ways {
		if s, known := took(w); known {
			all = append(all, s*times)
		}
	}
	f := Figure{Stage: stage, Words: words, Goals: len(all)}
	if n := len(all); n > 0 {
		slices.Sort(all)
		f.Median, f.P90 = thousandths((all[(n-1)/2]+all[n/2])/2), thousandths(all[(9*n+9)/10-1])
	}
	return f
}

// thousandths of a second are what stages are kept in. Rounded further, a figure would be rounded twice on its way to a page.
func thousandths(s float64) float64 { return math.Round(1000*s) / 1000 }
