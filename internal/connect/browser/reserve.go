package browser

import (
	"context"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/source"
)

// reserveEvery is how often it is looked whether a search can be made again. Nothing is asked of X for it.
const reserveEvery = 500 * time.Millisecond

// longestRecheck bounds, in times of Options.Recheck, how rarely the login is checked while nobody is logged in and nobody searches.
const longestRecheck = 15

// Permit is the right to make one search.
type Permit struct {
	s        *Service
	promised bool // a call of the budget is kept for it
	once     sync.Once
}

// Reserve waits until one more search can be made: at most as many at once as there are tabs, none while nobody is logged in, none
// without a call of the budget that is promised to no other permit. Whoever takes searches from a queue asks before it takes one, so
// that what this account cannot do is left to others. besides tells whether searches can be made without the account; nil = they cannot.
func (s *Service) Reserve(ctx context.Context, besides func(context.Context) bool) (*Permit, error) {
	select {
	case s.permits <- struct{}{}: // also for a caller that does not wait: ctx has ended
	default:
		select {
		case s.permits <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	for pause := s.opts.Recheck; ; {
		if s.promise() {
			return &Permit{s: s, promised: true}, nil
		}
		if besides != nil && besides(ctx) {
			return &Permit{s: s}, nil
		}
		if a := s.state(); a.Login != source.LoginOK && s.opts.Now().Sub(a.Checked) >= pause && ctx.Err() == nil {
			s.ready(ctx)
			pause = min(2*pause, longestRecheck*s.opts.Recheck)
		}
		if err := network.Pause(ctx, reserveEvery); err != nil {
			<-s.permits
			return nil, err
		}
	}
}

// Waits says why no search can be made now, as a search would; "" = one can.
func (s *Service) Waits() source.State {
	why, _ := s.state().Waits()
	if why == "" && s.budget().Left == 0 {
		return source.StateRateLimited
	}
	return why
}

func (s *Service) promise() bool {
	left := s.budget().Left
	s.mu.Lock()
	defer s.mu.Unlock()
	if why, _ := s.account.Waits(); why != "" || left <= s.promised {
		return false
	}
	s.promised++
	return true
}

// Use says that the search begins, which takes its call from the budget itself.
func (p *Permit) Use() {
	p.once.Do(func() {
		if p.promised {
			p.s.mu.Lock()
			defer p.s.mu.Unlock()
			p.s.promised--
		}
	})
}

// Release gives the permit back, used or not. It is to be called once.
func (p *Permit) Release() {
	p.Use()
	<-p.s.permits
}
