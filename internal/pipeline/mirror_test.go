package pipeline_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/connect/source/reddit"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/search"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

// board is a subreddit by RSS with one goal post, whose comments get a mirror at a time.
type board struct {
	*httptest.Server
	posted, mirror time.Time
	status         int // of its comments; 0 = they are answered
	more           int // further mirrors in the same comment
	asked          atomic.Int64
}

func newBoard(t *testing.T, b *bench, mirror time.Duration) *board {
	t.Helper()
	r := &board{posted: b.now().Add(30 * time.Second), mirror: b.now().Add(mirror)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		entry := func(id, text, content string, at time.Time) {
			fmt.Fprintf(w, `<entry><id>%s</id><title>%s</title><author><name>/u/fan</name></author><link href="https://www.reddit.com/r/soccer/comments/gone/goal/%s"/><content type="html">%s</content><updated>%s</updated></entry>`,
				id, text, strings.TrimPrefix(id, "t1_"), html.EscapeString(content), at.Format(time.RFC3339))
		}
		below := strings.HasPrefix(req.URL.Path, "/r/soccer/comments/gone/")
		if below {
			r.asked.Add(1)
		}
		if below && r.status != 0 {
			w.WriteHeader(r.status)
			return
		}
		fmt.Fprint(w, `<feed xmlns="http://www.w3.org/2005/Atom">`)
		if !b.now().Before(r.posted) {
			entry("t3_gone", "Liverpool [1] - 0 Arsenal - Mohamed Salah 67'", `<span><a href="https://streamff.pro/v/dead">[link]</a></span>`, r.posted)
		}
		if below && !b.now().Before(r.mirror) {
			entry("t1_bot", "AutoModerator", `<div class="md"><p>Mirrors / Alternative Angles</p></div>`, r.posted)
			links := `<a href="https://streamff.pro/v/alive">here</a>`
			for n := range r.more {
				links += fmt.Sprintf(` <a href="https://streamff.pro/v/more%d">and here</a>`, n)
			}
			entry("t1_fan", "fan on goal", `<div class="md"><p>Mirror: `+links+`</p></div>`, r.mirror)
		}
		fmt.Fprint(w, `</feed>`)
	}))
	t.Cleanup(r.Close)
	table, err := hosts.Load(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, b.store.PutAliases(t.Context(), footy.TeamAliases{TeamID: 40, Aliases: []string{"reds"}, UpdatedAt: b.now()}))
	b.changeEvent(oneGoal, func(e *footy.Event) {
		one, none := 1, 0
		e.ScoreAfter, e.ScoringTeam, e.Round.TakenUpBy = footy.Score{Home: &one, Away: &none}, footy.SideHome, ""
	})
	b.search.Source = reddit.New(reddit.Options{URL: r.URL, Version: "test", Table: table, Now: b.now}, r.Client())
	b.x.set(func(c footy.Candidate) error {
		if c.PostID == "t3_gone" {
			return footy.Reject("fetch", footy.ReasonDeleted, "HTTP 404")
		}
		return nil
	}, nil)
	return r
}

func (b *bench) searchToTheEnd() footy.Event {
	b.t.Helper()
	e := b.event(oneGoal)
	require.NoError(b.t, b.run(e.Round.Workflow, search.Workflow, search.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, nil))
	b.upload()
	return b.event(oneGoal)
}

// why is the answer to why a goal has no clip.
func (b *bench) why(e footy.Event) string {
	return explain.Why(&e, b.posts(oneGoal), b.rows(oneGoal, footy.EntryQuery)).Sentence
}

// TestAGoalWhoseOnlyPostIsGoneGetsAClipByAMirror: it stayed without one, although the comments had a working copy.
func TestAGoalWhoseOnlyPostIsGoneGetsAClipByAMirror(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]time.Duration{"at the first reading": time.Minute, "at the second": 4 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			r := newBoard(t, b, after)
			e := b.searchToTheEnd()
			require.Len(t, e.Clips, 1, b.states(oneGoal))
			p := b.post(oneGoal, "t1_fan")
			require.Equal(t, footy.PostPublished, p.State)
			require.Equal(t, "https://streamff.pro/v/alive", p.Candidate.Link)
			require.LessOrEqual(t, r.asked.Load(), int64(2))
			rows := b.rows(oneGoal, footy.EntryCandidate)
			require.Equal(t, "From a comment of r/soccer's post, which links to streamff.pro", explain.Row(rows[len(rows)-1], nil))
		})
	}
}

// TestCommentsAreReadTwiceAndNotAgain: also by a search that was begun again.
func TestCommentsAreReadTwiceAndNotAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := newBoard(t, b, 5*time.Hour)
	e := b.searchToTheEnd()
	require.Empty(t, e.Clips)
	require.EqualValues(t, 2, r.asked.Load())
	require.Contains(t, b.why(e), "The comments of 1 post had 0 links to clips.")
	r.mirror = b.now()
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Round.Searches, e.Round.Tries = 0, 0 })
	b.searches(1)
	require.EqualValues(t, 2, r.asked.Load())
}

// TestCommentsThatCouldNotBeReadAreNotCommentsWithoutLinks: they are asked for again, and the answer says so.
func TestCommentsThatCouldNotBeReadAreNotCommentsWithoutLinks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := newBoard(t, b, time.Minute)
	r.status = http.StatusTooManyRequests
	e := b.searchToTheEnd()
	require.Empty(t, e.Clips)
	require.Greater(t, r.asked.Load(), int64(2))
	require.Contains(t, b.why(e), "The comments of 1 post could not be read (rate limited).")
	require.NotContains(t, b.why(e), "link")
}

// TestMirrorsThatASearchPassesOverAreChosenByTheNext: their comment is not read a third time, and a search chooses five posts.
func TestMirrorsThatASearchPassesOverAreChosenByTheNext(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := newBoard(t, b, time.Minute)
	r.more = 12
	b.x.set(func(footy.Candidate) error { return footy.Reject("fetch", footy.ReasonNoVideo, "none") }, nil)
	b.searchToTheEnd()
	states := b.states(oneGoal)
	require.Len(t, states, 11, "the post and ten links")
	for id, state := range states {
		require.Equal(t, "refused no_video", state, id)
	}
}
