package delay_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/delay"
	"github.com/found-footy/found-footy/internal/footy"
)

var scored = time.Date(2026, 11, 14, 15, 30, 0, 0, time.UTC)

func at(s float64) time.Time { return scored.Add(time.Duration(s * float64(time.Second))) }

// goal and post are those of the usual way: told after 34 s, certain after 65, posted after 70, shown after 122.
func goal() footy.Event {
	return footy.Event{HappenedAt: scored, MomentKnown: true, FirstSeen: at(34), CertainAt: at(65)}
}

func post() footy.Post {
	return footy.Post{Candidate: footy.Candidate{PostedAt: at(70)}, FirstSeen: at(78), ChangedAt: at(115),
		Media:   &footy.Media{FetchBegan: at(80), FetchSeconds: 12, DecodeSeconds: 9},
		Verdict: &footy.Verdict{ModelSeconds: 4}}
}

func TestWhereTheTimeGoes(t *testing.T) {
	t.Parallel()
	usual := delay.Way{delay.Told: 34, delay.Certain: 31, delay.Posted: 5, delay.Search: 8, delay.Fetch: 12, delay.Decode: 9, delay.Model: 4, delay.Waiting: 16, delay.Publish: 3}
	with := func(change map[string]float64, without ...string) delay.Way {
		w := delay.Way{}
		for stage, took := range usual {
			w[stage] = took
		}
		for stage, took := range change {
			w[stage] = took
		}
		for _, stage := range without {
			delete(w, stage)
		}
		return w
	}
	for name, c := range map[string]struct {
		change func(*footy.Event, *footy.Post)
		want   delay.Way
	}{
		"the usual way": {func(*footy.Event, *footy.Post) {}, usual},
		"nobody knows when it fell": {func(e *footy.Event, _ *footy.Post) { e.MomentKnown = false },
			with(nil, delay.Told)},
		"it was caught up: nobody had asked the feed": {func(e *footy.Event, _ *footy.Post) { e.CaughtUp = true },
			with(nil, delay.Told)},
		"fetched, decoded and read by the clock ahead of certainty": {func(e *footy.Event, p *footy.Post) {
			e.CertainAt, p.ChangedAt = at(105), at(110)
		}, with(map[string]float64{delay.Certain: 71, delay.Posted: 0, delay.Search: 0, delay.Fetch: 0, delay.Decode: 0, delay.Waiting: 10})},
		"fetching still when it became certain": {func(e *footy.Event, _ *footy.Post) { e.CertainAt = at(86) },
			with(map[string]float64{delay.Certain: 52, delay.Posted: 0, delay.Search: 0, delay.Fetch: 6, delay.Waiting: 14})},
		"all of it was ready at certainty": {func(e *footy.Event, _ *footy.Post) { e.CertainAt = at(118) },
			with(map[string]float64{delay.Certain: 84, delay.Posted: 0, delay.Search: 0, delay.Fetch: 0, delay.Decode: 0, delay.Model: 0, delay.Waiting: 1})},
		"a sibling goal passed the post on long after it was posted": {func(_ *footy.Event, p *footy.Post) { p.Candidate.PostedAt = at(-40) },
			with(map[string]float64{delay.Posted: 0, delay.Search: 13})},
		"the source does not say when it was posted": {func(_ *footy.Event, p *footy.Post) { p.Candidate.PostedAt = time.Time{} },
			with(map[string]float64{delay.Posted: 0, delay.Search: 13})},
		"the clock proved it: no model": {func(_ *footy.Event, p *footy.Post) { p.Verdict.ModelSeconds = 0 },
			with(map[string]float64{delay.Model: 0, delay.Waiting: 20})},
		"fetched by a release that did not write down how long it took": {func(_ *footy.Event, p *footy.Post) { p.Media = &footy.Media{} },
			with(map[string]float64{delay.Fetch: 0, delay.Decode: 0, delay.Waiting: 37})},
		"a clock that was ahead found the post": {func(_ *footy.Event, p *footy.Post) { p.FirstSeen = at(3600) },
			with(map[string]float64{delay.Search: 52, delay.Fetch: 0, delay.Decode: 0, delay.Model: 0, delay.Waiting: 0, delay.Publish: 0})},
		"the clock of the feed is ahead of ours": {func(e *footy.Event, _ *footy.Post) { e.HappenedAt = at(40) },
			with(map[string]float64{delay.Told: 0, delay.Certain: 25})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, p := goal(), post()
			c.change(&e, &p)
			require.Equal(t, c.want, delay.Of(&e, p, at(119), at(122)))
		})
	}
}

func TestTheStagesAddUpToTheWhole(t *testing.T) {
	t.Parallel()
	e, p := goal(), post()
	moments := []*time.Time{&e.FirstSeen, &e.CertainAt, &p.Candidate.PostedAt, &p.FirstSeen, &p.Media.FetchBegan, &p.ChangedAt}
	for i, moment := range moments { // each of them put by a clock that was wrong
		for _, wrong := range []float64{-3600, -0.4567, 60.001, 100.5, 3600} {
			before := *moment
			*moment = at(wrong)
			whole := time.Duration(0)
			for stage, took := range delay.Of(&e, p, at(119), at(122)) {
				require.GreaterOrEqual(t, took, 0.0, "%d %s", i, stage)
				whole += time.Duration(took * float64(time.Second))
			}
			require.Equal(t, 122*time.Second, whole, "%d at %.1f", i, wrong)
			*moment = before
		}
	}
	require.Zero(t, delay.Of(&e, p, at(-10), at(-5)).Whole(), "shown before it fell: the clock was put back")
}

func TestTheFiguresOfSeveralGoals(t *testing.T) {
	t.Parallel()
	var ways []delay.Way
	for i := range 10 {
		w := delay.Way{delay.Certain: 30, delay.Posted: 10, delay.Search: float64(i + 1)}
		if i < 3 {
			w[delay.Told] = 60
		}
		ways = append(ways, w)
	}
	got := map[string]delay.Figure{}
	for _, f := range delay.Figures(ways, 2) {
		got[f.Stage] = f
	}
	require.Equal(t, map[string]delay.Figure{
		delay.SinceSeen: {delay.SinceSeen, "from first seen to the clip", 10, 91, 98},
		delay.Own:       {delay.Own, "of this, our own part", 10, 11, 18},
		delay.Told:      {delay.Told, "before it was first seen: until the feed told it", 3, 120, 120},
		delay.Certain:   {delay.Certain, "until it was certain", 10, 60, 60},
		delay.Posted:    {delay.Posted, "until it was posted", 10, 20, 20},
		delay.Search:    {delay.Search, "search", 10, 11, 18},
	}, got)
	require.Empty(t, delay.Figures(nil, 1))
	require.Equal(t, delay.SinceSeen, delay.Figures(ways[:1], 1)[0].Stage, "what people ask for first")
}
