package apifootball

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/footy"
)

// refusesIDs reports whether the plan refused to answer about several matches by id. That holds for the day (UTC): plans change.
func (f *Feed) refusesIDs() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.quota.Single = f.single.Format(time.DateOnly) == f.o.Now().UTC().Format(time.DateOnly)
	return f.quota.Single
}

func (f *Feed) noteSingle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.single = f.o.Now().UTC()
	f.quota.Single, f.quota.At = true, f.single
}

// oneByOne asks as every plan allows: for all that is under way and, of the matches missing there, for the one that was asked
// longest ago by its id, which tells whether it is over. Nothing is said of the others.
func (f *Feed) oneByOne(ctx context.Context, ids []int64) (feed.Answer, error) {
	answer := feed.Answer{Failed: map[int64]string{}}
	if len(ids) > 1 {
		env, at, err := f.fetchFixtures(ctx, "list what is under way", url.Values{"live": {"all"}})
		if err != nil {
			return feed.Answer{}, err
		}
		listed := Read(env, at, true)
		for _, id := range ids {
			if s, ok := listed.good[id]; ok {
				answer.Snapshots = append(answer.Snapshots, s)
			}
		}
	}
	missing := slices.DeleteFunc(slices.Clone(ids), answer.Has)
	if len(missing) == 0 {
		return answer, nil
	}
	id := f.nextAsked(missing)
	one, err := f.ask(ctx, "ask about a fixture", url.Values{"id": {strconv.FormatInt(id, 10)}}, []int64{id})
	switch {
	case err != nil && len(ids) == 1:
		return feed.Answer{}, err
	case footy.CodeOf(err) == footy.CodeRateLimited: // it is asked another time
	case err != nil:
		answer.Failed[id] = footy.UserMessage(err)
	case len(one.Snapshots) > 0:
		answer.Snapshots = append(answer.Snapshots, one.Snapshots[0])
	default:
		answer.Failed[id] = one.Failed[id]
	}
	return answer, nil
}

// nextAsked is the match that was asked for longest ago.
func (f *Feed) nextAsked(ids []int64) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := slices.MinFunc(ids, func(a, b int64) int { return f.asked[a].Compare(f.asked[b]) })
	f.asked[id] = f.o.Now()
	return id
}
