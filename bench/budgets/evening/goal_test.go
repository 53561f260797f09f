package evening_test

import (
	"container/heap"
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/query"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
)

// want asks for the goal's next search: it waits for a tab, young goals first.
func (p *play) want(g *goal) {
	g.begun = p.now
	p.report.steps++
	heap.Push(&p.ready, item{key: p.t.Priority(p.now.Sub(g.opened)), seq: p.report.steps, do: func() { p.search(g) }})
}

// search begins a search as the activity and the service do.
func (p *play) search(g *goal) {
	if why, over := p.t.Limits().Over(&g.event, p.now); over {
		g.Lost = string(why)
		return
	}
	q := source.Query{Text: query.ForTry(g.pair, g.Tries+1), Exclude: slices.Clone(g.known), Since: g.seen.Add(-p.t.SearchFloor), Max: 20}
	if !p.o.Alone {
		q.Group = strconv.Itoa(g.Match)
	}
	if res, ok := p.quota.Find(p.now, q); ok {
		g.Shared++
		p.finish(g, res)
		return
	}
	req := p.quota.Widen(p.now, q)
	found, wait := p.quota.Begin(p.now, req)
	if found == nil {
		p.finish(g, source.Result{State: source.StateRateLimited, RetryAfter: wait})
		return
	}
	p.free--
	open := 6*time.Second + time.Duration(p.rng.Int64N(int64(12*time.Second)))
	p.at(p.now.Add(open), func() { p.page(g, req, found, 0) })
}

// page gets one page; a search takes 11-30 s with them all.
func (p *play) page(g *goal, req quota.Request, found *quota.Scan, from int) {
	p.report.Calls++
	answer, headers := p.x.answer(p.now, req.Query.Text, from)
	p.quota.Budget.Observe(p.now, headers)
	if from == 0 && p.rng.Float64() < p.o.Failing {
		answer.State = source.StateUpstreamError
	}
	res := source.Result{State: answer.State}
	switch {
	case answer.State == source.StateRateLimited:
		p.quota.Budget.Block(p.now, headers.Reset)
		p.report.Refused++
		res.RetryAfter = p.quota.Budget.State(p.now).Wait
	case answer.State.Usable():
		found.Add(answer)
		if found.Scroll() {
			if _, ok := p.quota.Budget.Take(p.now); ok {
				p.at(p.now.Add(4*time.Second), func() { p.page(g, req, found, from+xPage) })
				return
			}
		}
	}
	if found.Pages() > 0 { // what the first pages said stands
		res = source.Result{State: source.StateResults, Candidates: found.Candidates()}
	}
	p.free++
	p.finish(g, p.quota.Deliver(p.now, req, res))
}

// finish counts a search and waits for the next as the workflow does.
func (p *play) finish(g *goal, res source.Result) {
	pause := max(p.t.SearchEvery-p.now.Sub(g.begun), p.t.SearchPause)
	if res.State != source.StateRateLimited {
		p.t.Limits().Answered(&g.event, g.Tries+1, res.State.Usable(), p.now)
	}
	switch {
	case res.State == source.StateRateLimited: // in time for the call that comes free
		round.Block(&g.event, string(res.State), p.now)
		g.Waits++
		pause = max(res.RetryAfter, p.t.SearchPause)
	case res.State.Usable():
		g.failed = 0
		g.Tries++
		g.Usable++
		g.Done = p.now.Sub(g.opened)
		pause = max(p.t.Limits().Wait(&g.event, p.now), p.t.SearchPause)
		p.take(g, res.Candidates)
	default:
		g.failed++
		g.Tries++
		pause = max(pause+time.Duration(g.failed)*p.t.UnusableWait, res.RetryAfter)
	}
	switch {
	case g.Usable == p.t.Searches:
	case g.Tries == p.t.MaxSearches:
		g.Lost = string(footy.ReasonTriesUsed)
	default:
		p.at(p.now.Add(pause), func() { p.want(g) })
	}
}

// take hands the longest posts on, as the activity does.
func (p *play) take(g *goal, found []footy.Candidate) {
	known := func(id string) bool { return slices.Contains(g.known, id) }
	chosen, _ := round.ChooseLongest(found, known, p.t.BatchSize)
	for _, c := range chosen {
		g.known = append(g.known, c.PostID)
		g.Found++
		if p.x.shows[c.PostID] != g {
			continue
		}
		if g.Good++; g.Good == 1 {
			g.First = p.now.Sub(g.scored())
		}
	}
}
