package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/rule/ledger"
)

var (
	start = time.Date(2026, 11, 14, 16, 0, 0, 0, time.UTC)
	w     = ledger.DefaultDelays()
)

func offered() footy.Post {
	return ledger.NewPost(5000, footy.Event{UID: "5000-1", Round: 2}, footy.Candidate{PostID: "1"}, 3, start)
}

func fetched() footy.Post {
	p := offered()
	ledger.Fetched(&p, footy.Media{Digest: "abc"}, start, w)
	return p
}

func judged() footy.Post {
	p := fetched()
	ledger.Judged(&p, footy.Verdict{Outcome: footy.OutcomeVerified}, start, w)
	return p
}

func always(time.Time) bool { return true }
func never(time.Time) bool  { return false }

func TestANewPostIsDueAtOnceAndRemembersItsSearch(t *testing.T) {
	t.Parallel()
	p := offered()
	require.Equal(t, footy.PostOffered, p.State)
	require.Equal(t, start, p.NextTry)
	require.Equal(t, 2, p.Round)
	require.Equal(t, 3, p.Try)
	require.Equal(t, "5000-1", p.EventUID)
	require.Equal(t, int64(5000), p.FixtureID)
}

func TestTheNextStepFollowsFromWhatIsThere(t *testing.T) {
	t.Parallel()
	rejected := fetched()
	ledger.Judged(&rejected, footy.Verdict{Outcome: footy.OutcomeRejected, Reason: "wrong_minute"}, start, w)
	same := offered()
	ledger.SameBytes(&same, "clip", start, w)
	waiting := fetched()
	ledger.Wait(&waiting, footy.ReasonModelJunk, "", start, w)
	lost := judged()
	ledger.Unstaged(&lost, "gone", start, w)
	for name, c := range map[string]struct {
		post footy.Post
		want ledger.Step
	}{
		"offered":                   {offered(), ledger.StepFetch},
		"fetched":                   {fetched(), ledger.StepJudge},
		"accepted":                  {judged(), ledger.StepPublish},
		"rejected":                  {rejected, ledger.StepNone},
		"the bytes of a clip":       {same, ledger.StepPublish},
		"waits for the model":       {waiting, ledger.StepJudge},
		"its staged bytes are gone": {lost, ledger.StepFetch},
	} {
		require.Equal(t, c.want, ledger.NextStep(c.post), name)
	}
}

func TestDelaysGrowFromHalfAMinuteToAQuarterOfAnHour(t *testing.T) {
	t.Parallel()
	want := []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 15 * time.Minute}
	p := fetched()
	now := start
	for i, pause := range want {
		ledger.Wait(&p, footy.ReasonStorage, "", now, w)
		require.Equal(t, now.Add(pause), p.NextTry, "trouble %d", i+1)
		require.Equal(t, start, p.WaitingSince, "the trouble began with the first")
		now = p.NextTry
	}
	ledger.Fetched(&p, footy.Media{Digest: "abc"}, now, w)
	require.Zero(t, p.Tries)
	require.Zero(t, p.WaitingSince)
	ledger.Wait(&p, footy.ReasonModelJunk, "", now, w)
	require.Equal(t, now.Add(30*time.Second), p.NextTry, "a step forward begins the pauses anew")
}

func TestDelaysOfACompressedDay(t *testing.T) {
	t.Parallel()
	require.Equal(t, ledger.Delays{First: 3 * time.Second, Longest: 90 * time.Second, Confirm: time.Minute, Lease: 12 * time.Second}, w.Scaled(10))
}

func TestDeletedAndBlockedEndAPostOnlyWhenSeenTwice(t *testing.T) {
	t.Parallel()
	for _, why := range []footy.Reason{footy.ReasonDeleted, footy.ReasonGeoBlocked} {
		for name, c := range map[string]struct {
			after time.Duration
			green func(time.Time) bool
			ended bool
		}{
			"again after ten minutes while others can be fetched": {10 * time.Minute, always, true},
			"again too soon": {10*time.Minute - time.Second, always, false},
			"again while nothing else can be fetched either": {time.Hour, never, false},
		} {
			t.Run(string(why)+" "+name, func(t *testing.T) {
				t.Parallel()
				p := offered()
				ledger.Suspect(&p, why, "HTTP 404", start, w, c.green)
				require.Equal(t, footy.PostWaiting, p.State, "once is no fact")
				require.Equal(t, start.Add(w.Confirm), p.NextTry, "a look before that could not decide")
				ledger.Suspect(&p, why, "HTTP 404", start.Add(c.after), w, func(since time.Time) bool {
					require.Equal(t, start, since, "others are asked about since the first time")
					return c.green(since)
				})
				require.Equal(t, c.ended, p.Ended())
				if c.ended {
					require.Equal(t, why, p.Reason)
					return
				}
				require.True(t, p.NextTry.After(start.Add(c.after)))
			})
		}
	}
}

func TestAnotherAnswerBeginsTheSuspicionAnew(t *testing.T) {
	t.Parallel()
	p := offered()
	ledger.Suspect(&p, footy.ReasonDeleted, "", start, w, always)
	ledger.Suspect(&p, footy.ReasonGeoBlocked, "", start.Add(w.Confirm), w, always)
	require.False(t, p.Ended())
	require.Equal(t, start.Add(2*w.Confirm), p.NextTry)
	ledger.Wait(&p, footy.ReasonFetchFailed, "", start.Add(2*w.Confirm), w)
	ledger.Suspect(&p, footy.ReasonGeoBlocked, "", start.Add(3*w.Confirm), w, always)
	require.True(t, p.Ended(), "trouble in between says nothing against it")

	p = offered()
	ledger.Suspect(&p, footy.ReasonDeleted, "", start, w, always)
	ledger.Fetched(&p, footy.Media{Digest: "abc"}, start.Add(w.Confirm), w)
	require.Nil(t, p.Suspicion, "a fetched post is not deleted")
}

func TestOnePostIsNeverInTwoOpenBatches(t *testing.T) {
	t.Parallel()
	a, b := footy.Batch{Key: "a"}, footy.Batch{Key: "b"}
	late := start.Add(time.Hour)
	p := offered()
	require.True(t, ledger.Take(&p, "a", []footy.Batch{a}, start, w))
	require.Equal(t, footy.PostFetching, p.State)
	require.False(t, ledger.Take(&p, "b", []footy.Batch{a, b}, late, w), "an open batch has it, however late")
	require.True(t, ledger.Take(&p, "a", []footy.Batch{a, b}, start, w), "its own may take it again at any time: another generation")
	require.False(t, ledger.Take(&p, "b", []footy.Batch{b}, start, w), "its own was closed, but its time has not come")
	require.True(t, ledger.Take(&p, "b", []footy.Batch{b}, late, w))
	require.Equal(t, "b", p.Batch)

	j := judged()
	require.True(t, ledger.Take(&j, "b", []footy.Batch{b}, late, w))
	require.Equal(t, footy.PostJudged, j.State, "what is there is not fetched again")

	ledger.Refuse(&p, footy.ReasonTooShort, "", late)
	require.False(t, ledger.Take(&p, "b", []footy.Batch{b}, late, w), "it has ended")
	require.False(t, ledger.Free(p, nil, late.AddDate(1, 0, 0)))
}

func TestAnOperatorMakesAWaitingPostDueAtOnce(t *testing.T) {
	t.Parallel()
	p := fetched()
	for range 9 {
		ledger.Wait(&p, footy.ReasonModelJunk, "", start, w)
	}
	require.True(t, ledger.Retry(&p, start))
	require.True(t, ledger.Free(p, nil, start))
	ledger.Wait(&p, footy.ReasonModelJunk, "", start, w)
	require.Equal(t, start.Add(w.First), p.NextTry)
	ledger.Refuse(&p, footy.ReasonGaveUp, "", start)
	require.False(t, ledger.Retry(&p, start))
	require.Zero(t, p.NextTry)
}

func TestAPostEndsAsItsClipDoes(t *testing.T) {
	t.Parallel()
	clip := func(change func(*footy.Clip)) footy.Event {
		c := footy.Clip{ID: "abc", Digest: "abc", Posts: []string{"1"}}
		change(&c)
		return footy.Event{Clips: []footy.Clip{c, {ID: "winner"}}}
	}
	for name, c := range map[string]struct {
		event footy.Event
		state footy.PostState
		clip  string
	}{
		"its file is the clip":             {clip(func(*footy.Clip) {}), footy.PostPublished, "abc"},
		"another post had the file before": {clip(func(c *footy.Clip) { c.Posts = []string{"0", "1"} }), footy.PostMerged, "abc"},
		"a better copy stands for it":      {clip(func(c *footy.Clip) { c.ReplacedBy = "winner" }), footy.PostMerged, "winner"},
		"no clip counts it yet":            {clip(func(c *footy.Clip) { c.Posts = []string{"0"} }), footy.PostJudged, ""},
		"there is no such clip":            {footy.Event{}, footy.PostJudged, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := judged()
			require.Equal(t, c.state != footy.PostJudged, ledger.Publish(&p, c.event, start))
			require.Equal(t, c.state, p.State)
			require.Equal(t, c.clip, p.ClipID)
			require.Equal(t, p.Ended(), p.NextTry.IsZero())
		})
	}

	t.Run("a copy that a later batch brings takes its place, and may lose it again", func(t *testing.T) {
		t.Parallel()
		p := judged()
		require.True(t, ledger.Publish(&p, clip(func(*footy.Clip) {}), start))
		require.True(t, ledger.Publish(&p, clip(func(c *footy.Clip) { c.ReplacedBy = "winner" }), start))
		require.Equal(t, footy.PostMerged, p.State)
	})
}
