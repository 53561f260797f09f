package feed_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/feedtest"
	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/footy"
)

// plan is a vendor whose plan refuses some kinds of calls.
type plan struct {
	feed.Feed
	refuses map[calls.Kind]bool
	asked   []calls.Kind
	err     error
}

func (p *plan) answer(k calls.Kind, ids ...int64) (feed.Answer, error) {
	p.asked = append(p.asked, k)
	if p.refuses[k] {
		return feed.Answer{}, footy.Errorf(footy.CodeNotInPlan, "ask", "no")
	}
	a := feed.Answer{Failed: map[int64]string{}}
	for _, id := range ids {
		a.Snapshots = append(a.Snapshots, feedtest.Match(id, 0))
	}
	return a, p.err
}

func (p *plan) ByIDs(_ context.Context, ids []int64) (feed.Answer, error) {
	return p.answer(calls.IDs, ids...)
}
func (p *plan) ByID(_ context.Context, id int64) (feed.Answer, error) { return p.answer(calls.ID, id) }
func (p *plan) Live(context.Context) (feed.Answer, error)             { return p.answer(calls.Live, 1, 2, 3) }

func TestATrialTellsWhatThePlanAllows(t *testing.T) {
	t.Parallel()
	all := []calls.Kind{calls.IDs, calls.Live, calls.ID}
	for name, c := range map[string]struct {
		refuses []calls.Kind
		ids     []int64
		asked   []calls.Kind
		matches int
	}{
		"a paid plan":                   {nil, []int64{7}, all[:1], 1},
		"a free plan":                   {all[:1], []int64{7}, all[:2], 3},
		"a free plan, no match to ask":  {all[:1], nil, all[1:2], 3},
		"a plan that has one at a time": {all[:2], []int64{7}, all, 1},
	} {
		p := &plan{refuses: map[calls.Kind]bool{}}
		for _, k := range c.refuses {
			p.refuses[k] = true
		}
		learned, trial, err := feed.Try(t.Context(), p, calls.Plan{}, c.ids, time.Now())
		require.NoError(t, err, name)
		require.Equal(t, c.asked, p.asked, name)
		require.Equal(t, feed.Trial{Kind: c.asked[len(c.asked)-1], Matches: c.matches}, trial, name)
		for _, k := range c.asked {
			require.Equal(t, p.refuses[k], learned.Refused(k), "%s: %s", name, k)
		}
		p.asked = nil
		_, _, err = feed.Try(t.Context(), p, learned, c.ids, time.Now())
		require.NoError(t, err)
		require.Len(t, p.asked, 1, "%s: what was refused today is not tried again", name)
	}
	_, _, err := feed.Try(t.Context(), &plan{refuses: map[calls.Kind]bool{calls.IDs: true, calls.Live: true, calls.ID: true}}, calls.Plan{}, []int64{1}, time.Now())
	require.Equal(t, footy.CodeNotInPlan, footy.CodeOf(err))
	_, _, err = feed.Try(t.Context(), &plan{err: footy.Errorf(footy.CodeAuthRequired, "ask", "token")}, calls.Plan{}, []int64{1}, time.Now())
	require.Equal(t, footy.CodeAuthRequired, footy.CodeOf(err))
}
