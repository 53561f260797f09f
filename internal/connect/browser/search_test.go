package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/browser/quota"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/snowflake"
	"github.com/found-footy/found-footy/internal/world/serve/xsite"
)

// got is what a search in the background came to.
type got struct {
	r   source.Result
	err error
}

// begin searches in the background.
func (b *bench) begin(t *testing.T, q source.Query) <-chan got {
	t.Helper()
	answer := make(chan got, 1)
	go func() {
		r, err := b.Search(t.Context(), q)
		answer <- got{r, err}
	}()
	return answer
}

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
	require.Len(t, calls, 4, "three pages, and the empty one that says it is the end")
	require.Equal(t, 4, r.CallsUsed)
	require.Equal(t, 40-4, b.Status().Budget.Remaining)
}

// TestBeforeAGoalIsCertainXIsAskedOnlyWhileMoreThanHalfOfTheBudgetIsFree, and what another goal of its match paid for is had all the same.
func TestBeforeAGoalIsCertainXIsAskedOnlyWhileMoreThanHalfOfTheBudgetIsFree(t *testing.T) {
	all := posts(50)
	b := setup(t, xsite.Options{Search: always(all), PageSize: 20}, func(o *browser.Options) { o.Budget.Limit = 4 })
	since := all[len(all)-1].At
	ahead := source.Query{Text: "saka", Group: "7", Since: since, Max: 20, Ahead: 2}
	require.Equal(t, 1, b.find(t, ahead).CallsUsed, "one page")
	require.Equal(t, source.StateNotNow, b.find(t, source.Query{Text: "rice", Ahead: 1}).State, "hardly a clip is up at the first sighting")
	b.find(t, source.Query{Text: "few", Since: all[2].At})
	calls := len(b.site.Calls())
	require.Equal(t, 2, calls)
	r := b.find(t, ahead)
	require.Equal(t, source.StateNotNow, r.State)
	require.Zero(t, r.CallsUsed)
	require.Len(t, b.site.Calls(), calls)

	certain := source.Query{Text: "palmer", Group: "7", Since: since.Add(time.Second), Max: 20}
	require.Equal(t, source.StateResults, b.find(t, certain).State)
	r = b.find(t, ahead)
	require.Equal(t, source.StateResults, r.State)
	require.Zero(t, r.CallsUsed, "the other goal has just paid for it")
}

func TestASearchCostsNoMoreCallsThanItNeeds(t *testing.T) {
	all := posts(100)
	var asked atomic.Int64 // by the page, for pictures and videos
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); w.WriteHeader(http.StatusNotFound) }))
	t.Cleanup(files.Close)
	for i := range all {
		all[i].VideoURL = files.URL + "/vid/640x360/a.mp4"
	}
	b := setup(t, xsite.Options{Search: func(query string) []xsite.Post {
		if strings.HasPrefix(query, "few") {
			return all[:4]
		}
		return all
	}, PageSize: 20}, nil)
	for _, c := range []struct {
		why   string
		query source.Query
		finds int
		calls int
	}{
		{"the first page reaches below the floor", source.Query{Text: "floor", Since: all[10].At}, 11, 1},
		{"three known in a row end the second page", source.Query{Text: "known", Exclude: []string{all[20].ID, all[21].ID, all[22].ID}}, 37, 2},
		{"a page that loads ahead is held: the first answer is enough", source.Query{Text: "few", Since: all[2].At}, 3, 1},
		{"enough is enough", source.Query{Text: "max", Max: 20}, 20, 1},
		{"the end of a short list costs one call more", source.Query{Text: "few"}, 4, 2},
		{"the page limit", source.Query{Text: "all"}, 80, 4},
	} {
		before := len(b.site.Calls())
		r := b.find(t, c.query)
		require.Equal(t, source.StateResults, r.State, c.why)
		require.Len(t, r.Candidates, c.finds, c.why)
		require.Equal(t, c.calls, r.CallsUsed, c.why)
		require.Len(t, b.site.Calls(), before+c.calls, c.why)
	}
	require.Equal(t, 40-len(b.site.Calls()), b.Status().Budget.Remaining)
	require.Zero(t, asked.Load(), "videos are not loaded, let alone played")
}

// busyPage asks twice, and in between its thread waits: it neither hears nor does anything.
const busyPage = `<!doctype html><script>
function ask(path, meanwhile) { const x = new XMLHttpRequest(); x.open("GET", "/x/" + path, meanwhile); x.send(); }
ask("SearchTimeline", true);
ask("wait", false);
ask("SearchTimeline?again", true);
</script>`

func TestACallThatABusyPageMakesAfterItsSearchIsNotSent(t *testing.T) {
	var b *bench
	var calls atomic.Int64
	var busy sync.WaitGroup
	busy.Add(2)
	searched := make(chan struct{})
	x := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/x/search":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(busyPage))
		case "/x/SearchTimeline":
			if calls.Add(1) == 1 {
				busy.Done()
			}
			<-r.Context().Done()
		case "/x/wait":
			busy.Done()
			<-searched
		default:
			b.site.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(x.Close)
	b = setup(t, xsite.Options{}, func(o *browser.Options) { o.BaseURL = x.URL + "/x" })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := b.Search(ctx, source.Query{Text: "goal"})
		ended <- err
	}()
	busy.Wait()
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	close(searched)
	login, detail := b.Authenticate(t.Context()) // the browser lives on
	require.Equal(t, source.LoginOK, login, detail)
	require.EqualValues(t, 1, calls.Load())
}

func TestWhatIsNoVideoIsNoCandidate(t *testing.T) {
	all := posts(5)
	all[1].Kind, all[2].Kind, all[3].Kind, all[4].DurationMS = xsite.GIF, xsite.Promoted, xsite.Photo, 0
	b := setup(t, xsite.Options{Search: always(all)}, nil)
	r := b.find(t, source.Query{Text: "goal"})
	require.Len(t, r.Candidates, 2)
	require.Zero(t, r.Candidates[1].DurationMS)
}

func TestAQuoteIsNoNewerThanItsVideo(t *testing.T) {
	all := posts(4)
	at := all[0].At.Add(-24 * time.Hour)
	old := xsite.Post{ID: snowflake.At(at, 1), Author: "archive", Text: "last year", At: at, DurationMS: 9000, VideoURL: all[0].VideoURL}
	all[0].Kind, all[0].Quotes = xsite.Quoted, &old
	all[1].Kind, all[1].Quotes = xsite.Quoted, &all[3]
	all[2].Kind, all[2].Quotes = xsite.Quoted, &all[3]
	b := setup(t, xsite.Options{Search: always(all)}, nil)
	r := b.find(t, source.Query{Text: "goal", Since: at.Add(time.Hour)})
	require.Len(t, r.Candidates, 1, "the old video is floored away, the recent one is one post")
	require.Equal(t, []string{all[3].ID, all[3].Author}, []string{r.Candidates[0].PostID, r.Candidates[0].Author})
}

func TestTheBudgetEndsAScanAndThenTheSearches(t *testing.T) {
	b := setup(t, xsite.Options{Search: always(posts(100))}, func(o *browser.Options) {
		o.Budget = quota.Options{Limit: 3, Window: time.Hour}
	})
	r := b.find(t, source.Query{Text: "goal"})
	require.Equal(t, source.StateResults, r.State)
	require.Contains(t, r.Detail, "the budget")
	require.Len(t, b.site.Calls(), 3)
	r = b.find(t, source.Query{Text: "goal two"})
	require.Equal(t, source.StateRateLimited, r.State)
	require.Greater(t, r.RetryAfter, 50*time.Minute)
	require.Len(t, b.site.Calls(), 3)
}

func TestSeveralTabsSearchAtOnce(t *testing.T) {
	meet := make(chan struct{}) // a call is answered once three are under way
	var under sync.WaitGroup
	under.Add(3)
	go func() { under.Wait(); close(meet) }()
	b := setup(t, xsite.Options{Search: always(posts(3)), Fault: func(call int, _, _ string) xsite.Fault {
		if call <= 3 {
			under.Done()
			<-meet
		}
		return xsite.None
	}}, func(o *browser.Options) { o.Tabs = 3 })
	answers := make(chan got, 4)
	for i := range 4 { // each its own text: Chromium's cache makes equal addresses wait for each other
		go func() {
			r, err := b.Search(t.Context(), source.Query{Text: fmt.Sprint("goal", i), Max: 3})
			answers <- got{r, err}
		}()
	}
	for range 4 {
		g := <-answers
		require.NoError(t, g.err)
		require.Len(t, g.r.Candidates, 3, g.r.Detail)
	}
	require.Len(t, b.site.Calls(), 4)
	require.Zero(t, b.Status().Searches)
}

func TestOpenGoalsOfAMatchShareWhenCallsAreScarce(t *testing.T) {
	all := posts(100)
	b := setup(t, xsite.Options{Search: always(all), PageSize: 100}, func(o *browser.Options) { o.Budget = quota.Options{Limit: 4, Window: time.Hour} })
	since := all[60].At
	q := func(text string) source.Query {
		q := source.Query{Text: text, Group: "5001", Since: since, Max: 3}
		if text == "palmer" { // another goal, seen a little later
			q.Since = since.Add(time.Second)
		}
		return q
	}
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
	require.Equal(t, "((saka arsenal) OR palmer) filter:videos", b.site.Calls()[calls].Query)
}
