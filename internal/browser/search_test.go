package browser_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/browser"
	"github.com/found-footy/found-footy/internal/browser/budget"
	"github.com/found-footy/found-footy/internal/source"
	"github.com/found-footy/found-footy/internal/world/xsite"
)

func (b *bench) find(t *testing.T, q source.Query) source.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	r, err := b.Search(ctx, q)
	require.NoError(t, err)
	return r
}

func TestResultsOverThreePages(t *testing.T) {
	all := posts(50)
	b := setup(t, xsite.Options{Search: always(all), PageSize: 20}, nil)
	r := b.find(t, source.Query{Text: "saka OR palmer"})
	require.Equal(t, source.StateResults, r.State)
	require.Len(t, r.Candidates, 50)
	require.Equal(t, all[0].ID, r.Candidates[0].PostID)
	require.Equal(t, []any{"fan1", "goal 1", 9001, 640, 360}, []any{r.Candidates[1].Author, r.Candidates[1].Text, r.Candidates[1].DurationMS, r.Candidates[1].Width, r.Candidates[1].Height})
	calls := b.site.Calls()
	require.Equal(t, "(saka OR palmer) filter:videos", calls[0].Query)
	require.Len(t, calls, r.CallsUsed)
	require.LessOrEqual(t, r.CallsUsed, 4, "three pages, and the empty one that ends them")
	require.Equal(t, 40-len(calls), b.Status().Budget.Remaining)
}

func TestASearchCostsNoMoreCallsThanItNeeds(t *testing.T) {
	all := posts(100)
	b := setup(t, xsite.Options{Search: always(all), PageSize: 20}, nil)
	r := b.find(t, source.Query{Text: "floor", Since: all[10].At})
	require.Len(t, r.Candidates, 11)
	require.Len(t, b.site.Calls(), 1, "the first page reaches below the floor")

	r = b.find(t, source.Query{Text: "known", Exclude: []string{all[20].ID, all[21].ID, all[22].ID}})
	require.Len(t, b.site.Calls(), 3, "three known in a row end the second page")
	require.Equal(t, 2, r.CallsUsed)
}

func TestWhatIsNoVideoIsNoCandidate(t *testing.T) {
	all := posts(6)
	all[1].Kind, all[2].Kind, all[3].Kind, all[4].Kind, all[5].DurationMS = xsite.Quoted, xsite.GIF, xsite.Promoted, xsite.Photo, 0
	b := setup(t, xsite.Options{Search: always(all)}, nil)
	r := b.find(t, source.Query{Text: "goal"})
	require.Len(t, r.Candidates, 3)
	require.True(t, r.Candidates[1].Quoted)
	require.Zero(t, r.Candidates[2].DurationMS)
}

func TestStatesOfThePage(t *testing.T) {
	for _, c := range []struct {
		name  string
		site  xsite.Options
		state source.State
	}{
		{"explicit empty", xsite.Options{}, source.StateEmpty},
		{"an error body with data {}", xsite.Options{Search: always(posts(1)), Fault: faultAt(1, xsite.ErrorBody)}, source.StateUpstreamError},
		{"over capacity", xsite.Options{Search: always(posts(1)), Fault: faultAt(1, xsite.Unavailable)}, source.StateUpstreamError},
		{"a shape nobody knows", xsite.Options{Search: always(posts(1)), Fault: faultAt(1, xsite.Drift)}, source.StateUpstreamError},
		{"429 with a reset", xsite.Options{Search: always(posts(1)), Fault: faultAt(1, xsite.RateLimited)}, source.StateRateLimited},
		{"a login redirect in the middle", xsite.Options{Search: always(posts(1)), Fault: faultAt(1, xsite.LoggedOut)}, source.StateLoginRequired},
		{"a hanging request", xsite.Options{Search: always(posts(1)), Fault: faultAt(1, xsite.Hang)}, source.StateTimeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := setup(t, c.site, func(o *browser.Options) {
				if c.state == source.StateTimeout {
					o.SearchTimeout = 4 * time.Second
				}
			})
			r := b.find(t, source.Query{Text: "goal"})
			require.Equal(t, c.state, r.State, r.Detail)
			require.Empty(t, r.Candidates)
			require.Equal(t, 1, r.CallsUsed)
			switch c.state {
			case source.StateRateLimited:
				require.Greater(t, r.RetryAfter, 14*time.Minute)
				calls := len(b.site.Calls())
				require.Equal(t, source.StateRateLimited, b.find(t, source.Query{Text: "again"}).State)
				require.Len(t, b.site.Calls(), calls, "until the reset X is not asked")
			case source.StateLoginRequired:
				require.Equal(t, source.LoginExpired, b.Status().Login)
				require.Len(t, b.told(), 1)
			case source.StateUpstreamError, source.StateEmpty:
				require.Equal(t, source.LoginOK, b.Status().Login)
			}
		})
	}
}

func TestAFailingSecondPageLeavesTheFirst(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(40)), Fault: faultAt(2, xsite.Unavailable)}, nil)
	r := b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateResults, r.State)
	require.Len(t, r.Candidates, 20)
	require.Contains(t, r.Detail, "upstream_error")
}

func TestTheBudgetEndsAScanAndThenTheSearches(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(100))}, func(o *browser.Options) {
		o.Budget = budget.Options{Limit: 2, Window: time.Hour}
	})
	r := b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateResults, r.State)
	require.Contains(t, r.Detail, "the budget")
	require.Len(t, b.site.Calls(), 2)
	r = b.find(t, source.Query{Text: "goal two"})
	require.Equal(t, source.StateRateLimited, r.State)
	require.Greater(t, r.RetryAfter, 50*time.Minute)
	require.Len(t, b.site.Calls(), 2)
}

func TestSeveralTabsSearchAtOnce(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(3))}, func(o *browser.Options) { o.Tabs = 4 })
	b.find(t, source.Query{Text: "warm up"})
	type got struct {
		r   source.Result
		err error
	}
	answers := make(chan got, 6)
	for range 6 {
		go func() {
			r, err := b.Search(t.Context(), source.Query{Text: "goal"})
			answers <- got{r, err}
		}()
	}
	for range 6 {
		g := <-answers
		require.NoError(t, g.err)
		require.Len(t, g.r.Candidates, 3)
	}
}

func TestOpenGoalsOfAMatchShareWhenCallsAreScarce(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(3))}, func(o *browser.Options) { o.Budget = budget.Options{Limit: 4, Window: time.Hour} })
	since := time.Now().Add(-time.Minute)
	q := func(text string) source.Query { return source.Query{Text: text, Group: "5001", Since: since, Max: 3} }
	b.find(t, q("saka"))
	b.find(t, q("palmer"))
	calls := len(b.site.Calls())
	require.Equal(t, 2, calls)
	require.Equal(t, source.StateResults, b.find(t, q("saka arsenal")).State)
	r := b.find(t, q("palmer"))
	require.Equal(t, source.StateResults, r.State)
	require.Zero(t, r.CallsUsed)
	require.Len(t, r.Candidates, 3)
	require.Len(t, b.site.Calls(), calls+1)
	require.Equal(t, "((saka arsenal) OR palmer OR saka) filter:videos", b.site.Calls()[calls].Query)
}
