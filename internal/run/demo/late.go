package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

// tooLate is how many times longer than due what comes at a beat may take before the machine is to blame.
const tooLate = 1.5

// beat is something that is done again and again: how often it is due, and how often it came, by the median.
type beat struct {
	what      string
	due, came time.Duration
}

func (b beat) late() float64 { return float64(b.came) / float64(b.due) }

// tooSlow says that this machine did not keep pace with the day, and at which it might; "" if it did.
func tooSlow(scale int, beats ...beat) string {
	said, worst := "", tooLate
	for _, b := range beats {
		if b.due <= 0 || b.late() < tooLate {
			continue
		}
		if said != "" {
			said += ", "
		}
		said += fmt.Sprintf("%s every %.1f s instead of every %.1f s", b.what, b.came.Seconds(), b.due.Seconds())
		worst = max(worst, b.late())
	}
	if said == "" {
		return ""
	}
	said = "this machine was too slow for the day: " + said
	if slower := int(float64(scale) / worst); slower >= 2 {
		said += fmt.Sprintf("; TIME_SCALE=%d plays it slowly enough", slower)
	}
	return said
}

// lateness looks at the beats of the part of the day that this process played: looks at matches, and searches of goals.
func (d *Demo) lateness(ctx context.Context, s store.Store, w *world.World, before map[int]int) string {
	fixtures, err := s.List(ctx, store.FixtureQuery{})
	if err != nil {
		return ""
	}
	scale, polls := scaleOf(d.Config), w.Status().Polls
	var looks, due, came []time.Duration
	timing := policy.Defaults().Scaled(scale)
	for i := range fixtures {
		f := &fixtures[i]
		from := f.ActivatedAt
		if from.Before(d.began) {
			from = d.began
		}
		if n := polls[int(f.ID)] - before[int(f.ID)]; n > 0 && f.CompletedAt.After(from) {
			looks = append(looks, f.CompletedAt.Sub(from)/time.Duration(n))
		}
		rows, err := s.Entries(ctx, store.LogQuery{FixtureID: f.ID, Kinds: []footy.EntryKind{footy.EntryQuery}})
		if err != nil {
			return ""
		}
		wanted, were := betweenSearches(rows, d.began, timing.SearchAt)
		due, came = append(due, wanted...), append(came, were...)
	}
	look := beat{"a look at a match", pointAt(d.Config, w).Track.PollEvery(), median(looks)}
	if slices.ContainsFunc(w.Script().Modes, func(m script.Mode) bool { return m.Mode == script.FreePlan }) {
		look.due = 0 // its calls decide how often
	}
	return tooSlow(scale, look, beat{"a search of a goal", median(due), median(came)})
}

// betweenSearches are the times between two searches of a goal that follow each other, both since began: as they were due, and as they
// came. What was not answered says nothing of the machine.
func betweenSearches(rows []footy.Entry, began time.Time, at []time.Duration) (due, came []time.Duration) {
	last, made := map[string]footy.Entry{}, map[string]int{}
	for _, r := range rows {
		was, known := last[r.EventUID]
		if !known || was.Data.Round != r.Data.Round {
			made[r.EventUID] = 0
		}
		n := made[r.EventUID]
		if known && was.Try+1 == r.Try && was.Data.Looked() && r.Data.Looked() && was.At.After(began) && 0 < n && n < len(at) {
			due, came = append(due, at[n]-at[n-1]), append(came, r.At.Sub(was.At))
		}
		if r.Data.Looked() {
			made[r.EventUID]++
		}
		last[r.EventUID] = r
	}
	return due, came
}

func median(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}
