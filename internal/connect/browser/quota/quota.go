// Package quota shares the search calls of one X account: X allows 50 in 15 minutes, 40 goals need 400, and two hours give
// 320. A search is answered by what another goal of its match has just paid for, else paid from the account's budget; where
// calls are scarce it also asks for the match's other goals and reads fewer pages. The time is an argument.
package quota

import (
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
)

// Quota is that of one account; its methods may be called by several tabs.
type Quota struct {
	Budget  *Budget
	answers *SharedAnswers
	scrolls int // further pages of one search while there is plenty
}

// New makes a quota. scale divides the intervals as TIME_SCALE divides the product's; scrolls is how many further pages a
// search may read while there is plenty.
func New(o Options, scale float64, scrolls int) *Quota {
	return &Quota{Budget: NewBudget(o), answers: NewSharedAnswers(scale), scrolls: scrolls}
}

// Request is one search as it will be made.
type Request struct {
	Query source.Query // what to ask X
	Asked source.Query // what was asked of us
	texts []string
}

// Answered is an answer that another goal of the match has just paid for.
func (q *Quota) Answered(now time.Time, asked source.Query) (source.Result, bool) {
	return q.answers.Find(now, asked)
}

// aheadAt is the sighting of a goal that is not certain at which X is asked: at the first hardly a clip is up, and one call is a tenth of what
// a goal costs.
const aheadAt = 2

// Spares reports whether a search may be paid for that is made before its goal is certain: only while more than half of the window is left.
func (q *Quota) Spares(now time.Time, asked source.Query) bool {
	return asked.Ahead == 0 || asked.Ahead == aheadAt && !q.Budget.State(now).Tight()
}

// Widen adds the match's other open goals to a query once half of the window is gone.
func (q *Quota) Widen(now time.Time, asked source.Query) Request {
	r := Request{Query: asked, Asked: asked, texts: []string{asked.Text}}
	if q.Budget.State(now).Tight() {
		r.Query, r.texts = q.answers.Merge(now, asked)
	}
	return r
}

// Begin pays for the first page and says how far the search may go. Without a call to spend the scan is nil, and wait says
// when to try again: soon where other goals of the match search too, because one of them may pay for this one.
func (q *Quota) Begin(now time.Time, r Request) (s *Scan, wait time.Duration) {
	left := q.Budget.State(now)
	if wait, ok := q.Budget.Take(now); !ok {
		if q.answers.HasPeers(now, r.Asked) {
			wait = min(wait, q.answers.MaxWait())
		}
		return nil, wait
	}
	pages := left.ExtraPages(q.scrolls)
	if r.Asked.Ahead > 0 {
		pages = 0
	}
	return NewScan(r.Query, pages), 0
}

// Deliver keeps an answer for the goals it covers and returns the part that this one asked for.
func (q *Quota) Deliver(now time.Time, r Request, res source.Result) source.Result {
	q.answers.Keep(now, r.Asked, r.Query, r.texts, res)
	res.Candidates = source.Select(r.Asked, res.Candidates)
	return res
}
