package monitor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/decide/match/secondfeed"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"golang.org/x/sync/errgroup"
)

// secondPatience is how long a poll waits for the second feed, beside the call to the one in charge, unless it is set. It is never scaled.
const secondPatience = 3 * time.Second

// secondAtOnce is how many matches it is asked about at a time; those of a league share one call.
const secondAtOnce = 8

// askSecond asks the second feed about the matches of a call, beside that call. What it returns waits for the answers, and never for
// longer than a.Patience since; whatever happens to them, the poll goes on.
func (a *Activities) askSecond(ctx context.Context, ids []int64) (answers func(footy.Fixture) *footy.SecondAnswer) {
	if a.Second == nil {
		return func(footy.Fixture) *footy.SecondAnswer { return nil }
	}
	patience := cmp.Or(a.Patience, secondPatience)
	ctx, cancel := context.WithTimeout(ctx, patience)
	said := make(chan map[int64]footy.SecondAnswer, 1)
	go func() {
		defer cancel()
		said <- a.second(ctx, ids)
	}()
	come := sync.OnceValue(func() map[int64]footy.SecondAnswer {
		select {
		case all := <-said:
			return all
		case <-ctx.Done():
		}
		select {
		case all := <-said: // it came as the time ended, or ended it
			return all
		default:
			return nil
		}
	})
	return func(f footy.Fixture) *footy.SecondAnswer {
		if !a.asksSecond(f) {
			return nil
		}
		if one, ok := come()[f.ID]; ok && len(one.Events) <= mostListed {
			return &one
		} else if ok {
			return &footy.SecondAnswer{Feed: a.Second.Name(), State: footy.SecondUnreachable, Why: fmt.Sprintf("it lists %d events", len(one.Events))}
		}
		return &footy.SecondAnswer{Feed: a.Second.Name(), State: footy.SecondUnreachable, Why: fmt.Sprintf("no answer within %s", patience)}
	}
}

// asksSecond reports whether the second feed is asked about a match: from its kickoff on, as long as it is polled each cycle.
func (a *Activities) asksSecond(f footy.Fixture) bool {
	return f.Stage == footy.StageActive && (f.Match.Status.InPlay() || !f.Match.Status.Postponed() && !a.Now().Before(f.Match.Kickoff))
}

// second asks about each match. What could not be asked is an answer, too.
func (a *Activities) second(ctx context.Context, ids []int64) map[int64]footy.SecondAnswer {
	out := map[int64]footy.SecondAnswer{}
	fixtures, err := a.Store.List(ctx, store.FixtureQuery{IDs: ids})
	if err != nil {
		return out // the poll reads the same, and tells
	}
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(secondAtOnce)
	for _, f := range fixtures {
		if !a.asksSecond(f) {
			continue
		}
		g.Go(func() error {
			one := a.secondOf(ctx, f)
			mu.Lock()
			defer mu.Unlock()
			out[f.ID] = one
			return nil
		})
	}
	_ = g.Wait() // each failure is an answer
	return out
}

func (a *Activities) secondOf(ctx context.Context, f footy.Fixture) (out footy.SecondAnswer) {
	out = footy.SecondAnswer{Feed: a.Second.Name(), State: footy.SecondUnreachable}
	defer func() { // an answer that nobody foresaw must not end the process
		if p := recover(); p != nil {
			out.Why = fmt.Sprint(p)
		}
	}()
	board, err := a.Second.Around(ctx, f.League, f.Match.Kickoff)
	switch {
	case footy.IsNotFound(err):
		out.State = footy.SecondNoMatch
	case err != nil:
		out.Why = footy.UserMessage(err)
	default:
		unread := ""
		for _, id := range slices.Sorted(maps.Keys(board.Failed)) {
			unread = board.Failed[id]
		}
		return secondfeed.Answer(out.Feed, f, board.Snapshots, unread)
	}
	return out
}
