package pipeline_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/decide/post/fetchhealth"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/search"
)

// away lets every call fail for so long from now on.
func (b *bench) away(d time.Duration) func() error {
	until := b.now().Add(d)
	return func() error {
		if b.now().Before(until) {
			return footy.Errorf(footy.CodeUnavailable, "call", "connection refused")
		}
		return nil
	}
}

// TestAnObjectStoreThatIsAwayFor75SecondsLosesNoPost
func TestAnObjectStoreThatIsAwayFor75SecondsLosesNoPost(t *testing.T) {
	t.Parallel()
	for _, phase := range []string{"fetch", "judge", "publish"} {
		t.Run(phase, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.x.film = map[string]string{"3": "1"} // the very same file
			in := b.open("1", "2", "3")
			b.over(oneGoal)
			if phase != "fetch" {
				must[any](b, download.RegisterDownload, in)
				for _, id := range []string{"1", "2", "3"} {
					must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{id}})
				}
			}
			if phase == "publish" {
				must[any](b, download.Validate, download.ValidateInput{Input: in, Posts: []string{"1", "2", "3"}})
			}
			b.blob.set(0, false, b.away(75*time.Second))
			if phase == "judge" {
				must[any](b, download.Validate, download.ValidateInput{Input: in, Posts: []string{"1", "2", "3"}})
				require.Equal(t, map[string]string{"1": "waiting storage", "2": "waiting storage", "3": "waiting storage"}, b.states(oneGoal))
				require.Len(t, b.rows(oneGoal, footy.EntryWaiting), 3, "the page says what they wait for")
				require.Empty(t, b.model.asked)
			}
			b.batch(in.Download, in)
			b.settle(10 * time.Minute)
			e := b.event(oneGoal)
			require.Len(t, e.Clips, 2)
			require.Equal(t, map[string]string{"1": "published", "2": "published", "3": "merged"}, b.states(oneGoal))
			require.True(t, e.DownloadComplete)
			require.Equal(t, 2, e.Clip(footy.ClipID(digest("1"))).Popularity)
			for _, c := range e.Clips {
				_, err := b.blob.Stat(t.Context(), c.Key)
				require.NoError(t, err)
			}
		})
	}
}

func TestADatabaseThatIsAwayFor75SecondsLosesNoPost(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1", "2")
	b.over(oneGoal)
	b.db.set(0, false, b.away(75*time.Second))
	require.NoError(t, b.run(in.Download, download.Workflow, in, nil))
	b.upload()
	b.settle(5 * time.Minute)
	require.Len(t, b.event(oneGoal).Clips, 2)
}

func TestAGoalFirstSeenInTheSixtiethMinuteIsSearchedFromItsOwnTime(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	scored := kickoff.Add(20 * time.Minute)
	b.changeEvent(oneGoal, func(e *footy.Event) { e.HappenedAt, e.FirstSeen = scored, kickoff.Add(75*time.Minute) })
	b.searches(1)
	require.Equal(t, scored.Add(-3*time.Minute), b.x.queries[0].Since.UTC())

	b.changeEvent(oneGoal, func(e *footy.Event) { e.HappenedAt = kickoff.Add(80 * time.Minute) })
	b.searches(2)
	require.Equal(t, kickoff.Add(72*time.Minute), b.x.queries[1].Since.UTC(), "never later than three minutes before it was seen")
}

func TestTheFiveLongestAreChosen(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.find = func(source.Query) (source.Result, error) {
		r := source.Result{State: source.StateResults}
		for n := range 7 {
			r.Candidates = append(r.Candidates, footy.Candidate{PostID: fmt.Sprint(n), DurationMS: 10_000 + 1000*n})
		}
		return r, nil
	}
	b.searches(1)
	for n := range 7 {
		require.Equal(t, n < 2, b.post(oneGoal, fmt.Sprint(n)).State == footy.PostPassed, n)
	}
}

// searches makes one search of the goal.
func (b *bench) searches(n int) search.SearchResult {
	b.t.Helper()
	return must[search.SearchResult](b, search.Search, search.SearchInput{Input: search.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}, Round: b.event(oneGoal).Round.Number, Try: n})
}

func finds(ids ...string) func(source.Query) (source.Result, error) {
	return func(source.Query) (source.Result, error) {
		r := source.Result{State: source.StateResults}
		for _, id := range ids {
			r.Candidates = append(r.Candidates, footy.Candidate{PostID: id})
		}
		return r, nil
	}
}

// TestOfferingAgainSurvivesAKillBetweenWriteAndStart: posts were given to a Download that was never started.
func TestOfferingAgainSurvivesAKillBetweenWriteAndStart(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.model.set(nil, trouble(footy.ReasonModelUnreachable))
	in := b.open("1", "2")
	b.over(oneGoal)
	b.batch(in.Download, in)
	b.model.set(nil, nil)
	b.pass(time.Minute)
	todo := b.reconcile() // and then the process is killed: nothing is started
	require.Len(t, todo.Downloads, 1)
	b.pass(5 * time.Second)
	require.Empty(t, b.reconcile().Downloads, "it may be about to start")
	b.pass(2 * time.Minute)
	again := b.reconcile()
	require.Len(t, again.Downloads, 1)
	require.NotEqual(t, todo.Downloads[0].WorkflowID, again.Downloads[0].WorkflowID, "an id is given once")
	b.pass(2 * time.Minute)
	b.settle(5 * time.Minute)
	require.Len(t, b.event(oneGoal).Clips, 2)
}

// TestABlockedAddressEndsNoPost: for hours everybody's posts are "deleted" here.
func TestABlockedAddressEndsNoPost(t *testing.T) {
	t.Parallel()
	for _, many := range []int{3, 12} { // from ten on the fetch rests
		t.Run(fmt.Sprint(many, " posts"), func(t *testing.T) { t.Parallel(); blocked(t, many) })
	}
}

func blocked(t *testing.T, many int) {
	t.Helper()
	b := newBench(t)
	in := b.open("ok")
	b.batch(in.Download, in)
	b.over(oneGoal)
	deleted := footy.Reject("look up post", footy.ReasonDeleted, "HTTP 404")
	b.x.set(func(footy.Candidate) error { return deleted }, deleted)
	var ids []string
	for n := range many {
		ids = append(ids, fmt.Sprint("p", n))
	}
	in = b.open(ids...)
	b.batch(in.Download, in)
	for end := b.at.Add(3 * time.Hour); b.at.Before(end); b.pass(2 * time.Minute) {
		b.cycle()
	}
	for _, p := range b.posts(oneGoal) {
		require.True(t, p.PostID == "ok" || p.State == footy.PostWaiting, "%s is %s", p.PostID, p.State)
	}
	if many >= 10 {
		resting := b.post(oneGoal, "p2")
		require.Equal(t, footy.ReasonFetchResting, resting.Reason, "X is not asked for each of them again and again")
		require.Less(t, len(b.x.fetched), 80)
		require.LessOrEqual(t, b.event(oneGoal).Retries, 50, "a Download for each turn, and not one more for each post that is due")
	}

	b.x.set(nil, nil)
	b.settle(30 * time.Minute)
	require.Len(t, b.event(oneGoal).Clips, many+1)
	require.True(t, b.event(oneGoal).DownloadComplete)
}

// TestARestEndsAlthoughTheKnownPostsAreGone: X answers again, but what could be fetched before the block was deleted meanwhile.
func TestARestEndsAlthoughTheKnownPostsAreGone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("ok")
	b.batch(in.Download, in)
	b.over(oneGoal)
	deleted := footy.Reject("look up post", footy.ReasonDeleted, "HTTP 404")
	b.x.set(func(footy.Candidate) error { return deleted }, deleted)
	var ids []string
	for n := range 12 {
		ids = append(ids, fmt.Sprint("p", n))
	}
	in = b.open(ids...)
	b.batch(in.Download, in)
	for end := b.at.Add(time.Hour); b.at.Before(end); b.pass(time.Minute) {
		before := len(b.x.fetched)
		b.cycle()
		require.LessOrEqual(t, len(b.x.fetched), before+1, "one post at a time finds out whether X answers")
	}
	require.Greater(t, len(b.x.fetched), 15, "and each few minutes one does")

	b.x.set(func(c footy.Candidate) error {
		if c.PostID == "ok" {
			return deleted
		}
		return nil
	}, deleted)
	b.settle(30 * time.Minute)
	require.Len(t, b.event(oneGoal).Clips, 13)
}

// TestAfterALongRestEachPostIsTriedWithinAQuarterOfAnHour: posts that were only told of the rest, or took their turn in it, waited for hours.
func TestAfterALongRestEachPostIsTriedWithinAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.over(oneGoal)
	deleted := footy.Reject("look up post", footy.ReasonDeleted, "HTTP 404")
	b.x.set(func(footy.Candidate) error { return deleted }, deleted)
	var ids []string
	for n := range 12 {
		ids = append(ids, fmt.Sprint("p", n))
	}
	in := b.open(ids...)
	b.batch(in.Download, in)
	resting := func() bool {
		var h source.FetchHealth
		require.NoError(t, b.store.State(t.Context(), source.OnX.FetchHealthKey(), &h))
		return fetchhealth.Resting(h)
	}
	require.True(t, resting())
	for end := b.at.Add(9 * time.Hour); b.at.Before(end); b.pass(time.Minute) { // pauses are an hour after eight
		b.cycle()
	}
	require.True(t, resting())

	b.x.set(nil, nil)
	for began := b.at; resting(); b.pass(time.Minute) {
		b.cycle()
		require.LessOrEqual(t, b.at.Sub(began), 15*time.Minute)
	}
	for end := b.at.Add(15 * time.Minute); !b.at.After(end); b.pass(30 * time.Second) {
		b.cycle()
	}
	for _, p := range b.posts(oneGoal) {
		require.Equal(t, footy.PostPublished, p.State, "%s waits for %s, %d tries, until %s", p.PostID, p.Reason, p.Tries, p.NextTry.Sub(b.at))
	}
}

// TestAVideoFromRedditSaysNothingOfX: while X answers nobody here Reddit's videos come, and the other way round. Neither ends the
// other's rest, nor waits for it.
func TestAVideoFromRedditSaysNothingOfX(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		blocked, not string // prefix of the ids of posts
	}{{"X is blocked", "", "t3_"}, {"Reddit is blocked", "t3_", ""}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			in := b.open("1", "t3_1")
			b.batch(in.Download, in)
			b.over(oneGoal)
			deleted := footy.Reject("look up post", footy.ReasonDeleted, "HTTP 404")
			b.x.set(func(p footy.Candidate) error {
				if strings.HasPrefix(p.PostID, "t3_") == (c.blocked == "t3_") {
					return deleted
				}
				return nil
			}, deleted)
			var ids []string
			for n := range 12 { // by turns: each that comes would end the row of those that do not
				ids = append(ids, fmt.Sprint(c.blocked, "1", n), fmt.Sprint(c.not, "2", n))
			}
			in = b.open(ids...)
			b.batch(in.Download, in)
			for end := b.at.Add(time.Hour); b.at.Before(end); b.pass(2 * time.Minute) {
				b.cycle()
			}
			resting := 0
			for _, p := range b.posts(oneGoal) {
				if strings.HasPrefix(p.PostID, c.not+"2") || p.PostID == "1" || p.PostID == "t3_1" {
					require.Equal(t, footy.PostPublished, p.State, "%s can be fetched, and waits for nothing", p.PostID)
					continue
				}
				require.Equal(t, footy.PostWaiting, p.State, "%s is %s %s", p.PostID, p.State, p.Reason)
				if p.Reason == footy.ReasonFetchResting {
					resting++
				}
			}
			require.NotZero(t, resting, "a place that answers nobody is not asked again and again")
		})
	}
}

// stalling is a decoder that does not come through films of one name in time.
type stalling struct{ filmed }

func (s stalling) Decode(ctx context.Context, path string, p footy.Probe, wants media.Wants) (media.Decoded, error) {
	if strings.HasPrefix(filmOf(path), "slow") {
		return media.Decoded{}, footy.Reject("decode file", footy.ReasonStalled, "gave up after the time limit")
	}
	return s.filmed.Decode(ctx, path, p, wants)
}

// TestAFileThatStallsEndsOnceAnotherCameThrough: nor do many say anything of X, which gave their bytes.
func TestAFileThatStallsEndsOnceAnotherCameThrough(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.down.Decoder = stalling{}
	ids := []string{"1"}
	for n := range 12 {
		ids = append(ids, fmt.Sprint("slow", n))
	}
	in := b.open(ids...)
	b.over(oneGoal)
	b.batch(in.Download, in)
	for end := b.at.Add(time.Hour); b.at.Before(end); b.pass(2 * time.Minute) {
		b.cycle()
	}
	for _, id := range ids[1:] {
		require.Equal(t, "waiting stalled", b.states(oneGoal)[id], "the machine may be too busy for all")
	}
	var h source.FetchHealth
	require.NoError(t, b.store.State(t.Context(), source.OnX.FetchHealthKey(), &h))
	require.Empty(t, h.Failed)
	in = b.open("2")
	b.batch(in.Download, in)
	b.settle(2 * time.Hour)
	require.Equal(t, "published", b.states(oneGoal)["2"])
	for _, id := range ids[1:] {
		require.Equal(t, "refused stalled", b.states(oneGoal)[id])
	}
}

func TestADeletedPostEndsWhenSeenTwiceWhileOthersCanBeFetched(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.set(func(c footy.Candidate) error {
		if c.PostID == "gone" {
			return footy.Reject("look up post", footy.ReasonDeleted, "HTTP 404")
		}
		return nil
	}, nil)
	in := b.open("1", "gone")
	b.over(oneGoal)
	began := b.at
	b.batch(in.Download, in)
	require.Equal(t, "waiting deleted", b.states(oneGoal)["gone"])
	b.settle(time.Hour)
	require.GreaterOrEqual(t, b.at.Sub(began), 10*time.Minute)
	require.Equal(t, map[string]string{"1": "published", "gone": "refused deleted"}, b.states(oneGoal))
	require.True(t, b.event(oneGoal).DownloadComplete)
}

func TestClosingRoundOneLeavesRoundTwoOpen(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Round = footy.Round{Number: 2, OpenedAt: b.now()} })
	ref := search.Input{FixtureID: matchID, EventUID: oneGoal, Timing: timing()}
	must[any](b, search.EndSearch, search.EndInput{Input: ref, Round: 1, Why: footy.ReasonTriesUsed})
	require.True(t, b.event(oneGoal).Round.EndedAt.IsZero())
	require.False(t, b.event(oneGoal).DownloadComplete)
	must[any](b, search.EndSearch, search.EndInput{Input: ref, Round: 2, Why: footy.ReasonTriesUsed})
	require.True(t, b.event(oneGoal).DownloadComplete)
}

func TestWhatArrivesWhileAGoalIsRemovedIsThereWhenItComesBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.open("1", "2")
	b.model.set(func(film string) error { // removed while the first post is judged; the second waits for a while
		if film == "2" {
			return trouble(footy.ReasonModelJunk)
		}
		b.changeEvent(oneGoal, func(e *footy.Event) { e.Removed, e.RemovedAt = true, b.now() })
		return nil
	}, nil)
	b.batch(in.Download, in)
	require.True(t, b.event(oneGoal).Removed)
	for range 4 {
		require.Empty(t, b.cycle().Downloads)
		b.pass(30 * time.Second)
	}
	require.Equal(t, map[string]string{"1": "waiting goal_removed", "2": "waiting goal_removed"}, b.states(oneGoal))
	require.Empty(t, b.event(oneGoal).Clips)
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Removed, e.RemovedAt = false, time.Time{} })
	b.model.set(nil, nil)
	b.settle(10 * time.Minute)
	require.Equal(t, map[string]string{"1": "published", "2": "published"}, b.states(oneGoal))
	require.Len(t, b.event(oneGoal).Clips, 2)
}

func TestASiblingsOfferIsDrivenAlthoughFiveLongerOnesCame(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.goal(sibling, 20)
	b.over(oneGoal)
	b.over(sibling)
	b.model.clock["misplaced"] = "19:1"
	in := b.open("misplaced")
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"misplaced": "refused sibling_goal"}, b.states(oneGoal))
	p := b.post(sibling, "misplaced")
	require.Equal(t, oneGoal, p.Candidate.OfferedBy)
	b.x.find = func(source.Query) (source.Result, error) {
		r := source.Result{State: source.StateResults}
		for n := range 5 {
			r.Candidates = append(r.Candidates, footy.Candidate{PostID: fmt.Sprint("long", n), DurationMS: 50_000})
		}
		r.Candidates = append(r.Candidates, footy.Candidate{PostID: "misplaced", DurationMS: 5_000})
		return r, nil
	}
	b.changeEvent(sibling, func(e *footy.Event) { e.Round.EndedAt = time.Time{} })
	got := must[search.SearchResult](b, search.Search, search.SearchInput{Input: search.Input{FixtureID: matchID, EventUID: sibling, Timing: timing()}, Round: 1, Try: 1})
	for n := range 5 {
		b.model.clock[fmt.Sprint("long", n)] = "19:1"
	}
	b.model.clock["misplaced"] = "19:1"
	b.batch(got.Download, download.Input{EventInput: search.Input{FixtureID: matchID, EventUID: sibling, Timing: timing()}, Download: got.Download})
	b.over(sibling)
	b.settle(5 * time.Minute)
	require.Len(t, b.event(sibling).Clips, 6)
	require.Equal(t, "published", b.states(sibling)["misplaced"])
}

func TestAnXLoginGoneForSixHoursEndsNoGoal(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.find = func(source.Query) (source.Result, error) { return source.Result{State: source.StateLoginRequired}, nil }
	for end := b.at.Add(6*time.Hour + 30*time.Minute); b.at.Before(end); b.pass(time.Minute) {
		got := b.searches(1)
		require.True(t, got.Free, "it costs no try")
		require.Empty(t, got.End)
	}
	require.Len(t, b.rows(oneGoal, footy.EntryQuery), 1, "one row tells one wait")
	b.x.find = finds("1")
	got := b.searches(1)
	require.Empty(t, got.End, "its time stood still")
	require.NotEmpty(t, got.Download)
	require.True(t, b.event(oneGoal).Round.Blocked.Since.IsZero())
	b.pass(16 * time.Minute)
	require.Equal(t, footy.ReasonWindowOver, b.searches(2).End, "more than six hours are not added")
}

func TestTriesAreReadByASearchThatIsBegunAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.find = func(source.Query) (source.Result, error) { return source.Result{State: source.StateTimeout}, nil }
	for n := 1; n <= 4; n++ {
		b.searches(n)
	}
	b.x.find = finds("1")
	b.searches(5)
	began := must[search.Beginning](b, search.BeginSearch, search.BeginInput{Input: search.Input{FixtureID: matchID, EventUID: oneGoal}, WorkflowID: "twitter-g2"})
	require.Equal(t, 5, began.Tries)
	require.Equal(t, "twitter-g2", b.event(oneGoal).Round.TakenUpBy)
	b.changeEvent(oneGoal, func(e *footy.Event) { e.Round.Number, e.Round.Tries = 2, 0 })
	require.Zero(t, must[search.Beginning](b, search.BeginSearch, search.BeginInput{Input: search.Input{FixtureID: matchID, EventUID: oneGoal}, WorkflowID: "twitter-r2"}).Tries)
}

func TestACopyInFlightDoesNotBecomeVisibleAfterATakedown(t *testing.T) {
	t.Parallel()
	for name, film := range map[string]string{"the very same file": "film/a", "the same footage": "film/b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.over(oneGoal)
			b.x.film["1"] = film
			in := b.open("1", "2")
			must[any](b, download.RegisterDownload, in)
			for _, id := range []string{"1", "2"} {
				must[any](b, download.DownloadVideo, download.DownloadInput{Input: in, Posts: []string{id}})
			}
			must[any](b, download.Validate, download.ValidateInput{Input: in, Posts: []string{"1", "2"}})
			require.NoError(t, b.store.PutTombstone(t.Context(), footy.Tombstone{Digest: digest("film/a"), FixtureID: 4999, EventUID: "4999-1", Reason: "rights",
				At: b.now(), Fingerprint: printOf("film/a")}))
			b.batch(in.Download, in)
			require.Equal(t, map[string]string{"1": "refused tombstone", "2": "published"}, b.states(oneGoal))
			require.Len(t, b.event(oneGoal).Clips, 1)
			require.Equal(t, []string{blob.ClipPrefix + oneGoal + "/" + digest("2") + ".mp4"}, b.blob.keys(t.Context(), blob.ClipPrefix), "no bytes of it are left")
		})
	}
}

// TestAClipThatASearchFindsAgainIsNotFetchedTwice keeps the ledger and the search of one mind.
func TestAClipThatASearchFindsAgainIsNotFetchedTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.x.find = finds("1", "2")
	first := b.searches(1)
	require.Equal(t, first.Download, b.searches(1).Download, "its answer got lost")
	require.Len(t, b.x.queries, 1)
	second := b.searches(2)
	require.Len(t, b.posts(oneGoal), 2)
	require.Len(t, b.rows(oneGoal, footy.EntryCandidate), 2)
	require.Empty(t, second.Download, "nothing is new")
}
