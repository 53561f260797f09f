package budgets_test

import (
	"fmt"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

// Poll is what one cycle does with the feed's answers, without Temporal and database: decode and decide.
type Poll struct {
	answers [][]byte
	held    map[int64]*footy.Fixture
	n       int
	at      time.Time
}

// NewPoll prepares the answers for n live matches.
func NewPoll(n int) *Poll {
	p := &Poll{held: map[int64]*footy.Fixture{}, at: time.Now().UTC()}
	feed := NewFeed()
	for from := 0; from < n; from += 20 {
		var ids []int64
		for i := from; i < min(n, from+20); i++ {
			ids = append(ids, FirstID+int64(i))
		}
		p.answers = append(p.answers, feed.Answer(ids))
	}
	return p
}

// Once lets one poll vote; all decides also where nothing calls for it.
func (p *Poll) Once(all bool) (decided int) {
	p.n++
	p.at = p.at.Add(30 * time.Second)
	rules := cycle.Rules{Votes: debounce.Defaults(), Windows: lifecycle.Defaults()}
	poll := debounce.Poll{ID: fmt.Sprint(p.n), Now: p.at}
	for _, body := range p.answers {
		env, err := apifootball.Open(body, p.at)
		if err != nil {
			panic(err) // we wrote it ourselves
		}
		snapshots, _ := apifootball.Read(env, p.at, true).All()
		for _, s := range snapshots {
			f := p.held[s.Match.ID]
			if f == nil {
				f = &footy.Fixture{ID: s.Match.ID, Stage: footy.StageActive}
				p.held[f.ID] = f
			}
			if !all && !rules.Due(*f, s, p.at) {
				continue
			}
			decided++
			rules.Decide(f, s, poll, false)
		}
	}
	return decided
}
