// Package delay says where the time goes from a goal to its first clip. Its stages follow one another and add up to the whole.
package delay

import (
	"math"
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
