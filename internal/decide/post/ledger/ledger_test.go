package ledger_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
)

var (
	start = time.Date(2026, 11, 14, 16, 0, 0, 0, time.UTC)
	w     = ledger.DefaultDelays()
	goal  = footy.Event{UID: "5000-1", Round: footy.Round{Number: 2}}
	media = footy.Media{Digest: "abc", StillKey: "still"}
)

const mine, other = "download3", "download4"

func offered() footy.Post {
	p, _ := ledger.Found(5000, goal, footy.Candidate{PostID: "1"}, ledger.Search{Round: 2, Try: 3}, mine, start, w)
	return p
}

// after walks a post through events at one time; each must be legal.
func after(t require.TestingT, now time.Time, p footy.Post, events ...ledger.Move) footy.Post {
	for _, e := range events {
		next, _, err := ledger.Advance(p, e, now, w)
		require.NoError(t, err)
		p = next
	}
	return p
}

func fetching(t require.TestingT) footy.Post { return after(t, start, offered(), ledger.Claim(mine)) }
func fetched(t require.TestingT) footy.Post {
	return after(t, start, fetching(t), ledger.Fetch(mine, media))
}
func judged(t require.TestingT) footy.Post {
	return after(t, start, fetched(t), ledger.Judge(mine, footy.Verdict{Outcome: footy.OutcomeVerified}))
}

func rejection() ledger.Move {
	return ledger.Judge(mine, footy.Verdict{Outcome: footy.OutcomeRejected, Reason: footy.ReasonWrongMinute})
}

func TestANewPostRemembersItsSearchAndIsItsDownloads(t *testing.T) {
	t.Parallel()
	p, row := ledger.Found(5000, goal, footy.Candidate{PostID: "1", URL: "u"}, ledger.Search{Round: 2, Try: 3}, mine, start, w)
	require.Equal(t, footy.Post{EventUID: "5000-1", PostID: "1", FixtureID: 5000, State: footy.PostOffered, Candidate: footy.Candidate{PostID: "1", URL: "u"},
		Round: 2, Try: 3, Download: mine, FirstSeen: start, ChangedAt: start, NextTry: start.Add(w.Lease)}, p)
	require.Equal(t, "5000-1/candidate/1", row.Key)

	p, row = ledger.Offered(5000, goal, footy.Candidate{PostID: "1"}, start)
	require.True(t, ledger.Near(p, start, w), "a sibling's post is due at once")
	require.Equal(t, "5000-1/candidate/1/offered", row.Key)

	p, row = ledger.PassedOver(5000, goal, footy.Candidate{PostID: "1"}, ledger.Search{Round: 2, Try: 3}, start)
	require.True(t, p.Ended())
	require.Equal(t, footy.ReasonNotChosen, row.Reason)
	p = after(t, start, p, ledger.Choose(footy.Candidate{PostID: "1", DurationMS: 9}, ledger.Search{Round: 2, Try: 4}, other))
	require.Equal(t, footy.PostOffered, p.State)
	require.Equal(t, 4, p.Try)
	require.Equal(t, 9, p.Candidate.DurationMS)
	require.Empty(t, p.Reason)
}

func TestTheNextStepFollowsFromWhatIsThere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		post footy.Post
		want ledger.Step
	}{
		"offered":                   {offered(), ledger.StepFetch},
		"fetched":                   {fetched(t), ledger.StepJudge},
		"accepted":                  {judged(t), ledger.StepPublish},
		"rejected":                  {after(t, start, fetched(t), rejection()), ledger.StepNone},
		"the bytes of a clip":       {after(t, start, fetching(t), ledger.Recognise(mine, "clip")), ledger.StepPublish},
		"waits for the model":       {after(t, start, fetched(t), ledger.Trouble(mine, footy.ReasonModelJunk, "")), ledger.StepJudge},
		"its staged bytes are gone": {after(t, start, judged(t), ledger.Unstage("", "gone")), ledger.StepFetch},
	} {
		require.Equal(t, c.want, ledger.NextStep(c.post), name)
	}
}

// TestAPostThatIsTakenAgainSaysWhatIsDoneWithIt: a judged post whose publishing was cut off stood as waiting while it was worked at.
func TestAPostThatIsTakenAgainSaysWhatIsDoneWithIt(t *testing.T) {
	t.Parallel()
	late := start.Add(time.Hour)
	for want, p := range map[footy.PostState]footy.Post{
		footy.PostFetching: after(t, start, fetching(t), ledger.Trouble(mine, footy.ReasonFetchFailed, "")),
		footy.PostFetched:  after(t, start, fetched(t), ledger.Trouble(mine, footy.ReasonModelJunk, "")),
		footy.PostJudged:   judged(t),
	} {
		require.Equal(t, want, after(t, late, p, ledger.Claim(other)).State)
	}
}

// Goals that a post can have to wait for.
var (
	certain = &footy.Event{CertainAt: start}
	sighted = &footy.Event{}
	removed = &footy.Event{CertainAt: start, Removed: true}
)

func suspended(t *testing.T, p footy.Post, e *footy.Event) ledger.Move {
	t.Helper()
	what, waits := ledger.Suspend(p, e)
	require.True(t, waits)
	return what
}

func TestWhatAPostWaitsForItsGoalWith(t *testing.T) {
	t.Parallel()
	refused := after(t, start, fetching(t), ledger.Refuse(mine, footy.ReasonGeoBlocked, "", ""))
	for name, c := range map[string]struct {
		p    footy.Post
		e    *footy.Event
		want footy.Reason
	}{
		"to be fetched, of a certain goal":               {fetching(t), certain, ""},
		"fetched, of a certain goal":                     {fetched(t), certain, ""},
		"to be fetched: no harm in doing so ahead":       {fetching(t), sighted, ""},
		"fetched ahead":                                  {fetched(t), sighted, footy.ReasonNotCertain},
		"judged: it would be shown":                      {judged(t), sighted, footy.ReasonNotCertain},
		"fetched, of a goal that nobody lists any more":  {fetched(t), nil, footy.ReasonNotCertain},
		"to be fetched, of a removed goal":               {fetching(t), removed, footy.ReasonGoalRemoved},
		"judged, of a removed goal":                      {judged(t), removed, footy.ReasonGoalRemoved},
		"fetched ahead, of a goal that was removed then": {fetched(t), &footy.Event{Removed: true}, footy.ReasonGoalRemoved},
		"refused, of a removed goal":                     {refused, removed, ""},
		"refused, of one that is not certain":            {refused, sighted, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			what, waits := ledger.Suspend(c.p, c.e)
			require.Equal(t, c.want != "", waits)
			if waits {
				require.Equal(t, c.want, after(t, start, c.p, what).Reason)
			}
		})
	}
}

// TestWhatIsFetchedBeforeItsGoalIsCertainIsHadAtCertainty: nobody knows when that comes.
func TestWhatIsFetchedBeforeItsGoalIsCertainIsHadAtCertainty(t *testing.T) {
	t.Parallel()
	p, rows, err := ledger.Advance(fetched(t), suspended(t, fetched(t), sighted), start, w)
	require.NoError(t, err)
	require.Len(t, rows, 1, "its goal's page tells it")
	require.Zero(t, p.Tries, "nothing failed")
	require.False(t, ledger.InTrouble(p))
	require.Equal(t, ledger.StepJudge, ledger.NextStep(p))
	require.True(t, ledger.Near(p, start, w))
	for _, e := range []ledger.Move{ledger.Fetch(mine, media), ledger.Judge(mine, footy.Verdict{Outcome: footy.OutcomeVerified})} {
		_, _, err := ledger.Advance(p, e, start, w)
		require.ErrorIs(t, err, ledger.ErrIllegal, "%s of what nobody has", e.Kind())
	}

	taken := after(t, start.Add(time.Second), p, ledger.Claim(other))
	require.Equal(t, footy.PostFetched, taken.State)
	_, _, err = ledger.Advance(taken, ledger.Claim(mine), start.Add(time.Second), w)
	require.ErrorIs(t, err, ledger.ErrIllegal, "one Download has it")
	require.Empty(t, after(t, start, taken, ledger.Judge(other, footy.Verdict{Outcome: footy.OutcomeVerified})).Reason)

	now := start
	for n, pause := range []time.Duration{30 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 15 * time.Minute} {
		require.Equal(t, pause, p.NextTry.Sub(now), "look %d", n)
		now = p.NextTry
		p, rows, err = ledger.Advance(p, suspended(t, p, sighted), now, w)
		require.NoError(t, err)
		require.Empty(t, rows, "told once")
	}
}

func TestDelaysGrowFromHalfAMinuteToAnEighthOfTheTimeItHasWaited(t *testing.T) {
	t.Parallel()
	want := []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 16*time.Minute + 52500*time.Millisecond}
	p, now := fetched(t), start
	for i, pause := range want {
		p = after(t, now, p, ledger.Claim(mine), ledger.Trouble(mine, footy.ReasonStorage, ""))
		require.Equal(t, now.Add(pause), p.NextTry, "trouble %d", i+1)
		require.Equal(t, start, p.WaitingSince, "the trouble began with the first")
		now = p.NextTry
	}
	p = after(t, now, p, ledger.Claim(mine), ledger.Judge(mine, footy.Verdict{Outcome: footy.OutcomeVerified}), ledger.Unstage("", ""))
	require.Equal(t, now.Add(30*time.Second), p.NextTry, "a step forward begins the pauses anew")
	require.Equal(t, ledger.Delays{First: 3 * time.Second, Usual: 90 * time.Second, Longest: 6 * time.Minute, Confirm: time.Minute, Unfit: 144 * time.Minute, Lease: 12 * time.Second}, w.Scaled(10))
}

// TestATroubleOfAFortnightCostsFewTries: each try of a post is a workflow or two.
func TestATroubleOfAFortnightCostsFewTries(t *testing.T) {
	t.Parallel()
	p, now := fetched(t), start
	for now.Before(start.Add(14 * 24 * time.Hour)) {
		p = after(t, now, p, ledger.Claim(mine), ledger.Trouble(mine, footy.ReasonStorage, ""))
		pause := p.NextTry.Sub(now)
		require.LessOrEqual(t, pause, 15*time.Minute+now.Sub(start)/8, "after an hour it is no other hour")
		require.LessOrEqual(t, pause, time.Hour)
		now = p.NextTry
	}
	require.InDelta(t, 350, p.Tries, 10)
	p = after(t, now, p, ledger.Retry(), ledger.Claim(mine), ledger.Trouble(mine, footy.ReasonStorage, ""))
	require.Equal(t, now.Add(30*time.Second), p.NextTry, "an operator begins the pauses anew")
}

// TestPostsOfAGoalComeTogether: each search's posts wait by themselves, and a try for each would cost a workflow.
func TestPostsOfAGoalComeTogether(t *testing.T) {
	t.Parallel()
	p := after(t, start, fetching(t), ledger.Trouble(mine, footy.ReasonFetchFailed, ""))
	p.Tries = 5
	p = after(t, p.NextTry, p, ledger.Claim(mine), ledger.Trouble(mine, footy.ReasonFetchFailed, ""))
	early := p.NextTry.Add(-15 * time.Minute / 4)
	require.False(t, ledger.Near(p, early.Add(-time.Second), w))
	require.True(t, ledger.Near(p, early, w))
	require.Equal(t, footy.PostFetching, after(t, early, p, ledger.Claim(other)).State)
}

// TestADoubtedPostIsNotTriedEarly: before its ten minutes a try could decide nothing.
func TestADoubtedPostIsNotTriedEarly(t *testing.T) {
	t.Parallel()
	p := fetching(t)
	p.Tries = 5
	p = after(t, start, p, ledger.Doubt(mine, footy.ReasonDeleted, "", false))
	p.NextTry = start.Add(11 * time.Minute)
	require.False(t, ledger.Near(p, start.Add(w.Confirm-time.Second), w))
	require.True(t, ledger.Near(p, start.Add(w.Confirm), w))
}

// TestARestIsNoTry: nobody asked for the post, so its pauses do not grow.
func TestARestIsNoTry(t *testing.T) {
	t.Parallel()
	p, now := fetching(t), start
	for range 50 {
		p = after(t, now, p, ledger.Trouble(mine, footy.ReasonFetchResting, "all failed alike"))
		require.LessOrEqual(t, p.NextTry.Sub(now), w.Usual)
		now = p.NextTry
		p = after(t, now, p, ledger.Claim(mine))
	}
	require.Zero(t, p.Tries)
	require.Equal(t, "all failed alike", p.Detail)

	for range 50 { // a turn in a rest is a try, and the rest may end at any moment
		p = after(t, now, p, ledger.Doubt(mine, footy.ReasonDeleted, "HTTP 404", false).InRest(true))
		require.LessOrEqual(t, p.NextTry.Sub(now), w.Usual)
		now = p.NextTry
		p = after(t, now, p, ledger.Claim(mine))
	}
	require.Equal(t, 50, p.Tries)
}

func TestOneTroubleIsToldOnce(t *testing.T) {
	t.Parallel()
	p, rows, err := ledger.Advance(fetching(t), ledger.Trouble(mine, footy.ReasonFetchFailed, "no route"), start, w)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, "no route", rows[0].Data.Detail)
	p = after(t, p.NextTry, p, ledger.Claim(other))
	_, rows, err = ledger.Advance(p, ledger.Trouble(other, footy.ReasonFetchFailed, "no route"), p.NextTry, w)
	require.NoError(t, err)
	require.Empty(t, rows)
	_, rows, err = ledger.Advance(p, ledger.Trouble(other, footy.ReasonStorage, ""), p.NextTry, w)
	require.NoError(t, err)
	require.Len(t, rows, 1, "another trouble is news")
}

func TestAPostOfARemovedGoalKeepsWhatItHas(t *testing.T) {
	t.Parallel()
	for want, p := range map[footy.PostState]footy.Post{
		footy.PostFetching: offered(), footy.PostFetched: fetched(t), footy.PostJudged: judged(t),
	} {
		s, rows, err := ledger.Advance(p, suspended(t, p, removed), start, w)
		require.NoError(t, err)
		require.Len(t, rows, 1)
		require.Equal(t, footy.PostWaiting, s.State)
		require.False(t, ledger.InTrouble(s), "nobody has to help it")
		require.Equal(t, ledger.NextStep(p), ledger.NextStep(s))
		require.Zero(t, s.Tries)
		require.Equal(t, 30*time.Second, s.NextTry.Sub(start))
		again, rows, err := ledger.Advance(s, suspended(t, s, removed), start.Add(10*time.Minute), w)
		require.NoError(t, err)
		require.Empty(t, rows, "told once")
		require.Equal(t, 20*time.Minute, again.NextTry.Sub(start))
		require.Equal(t, want, after(t, start.Add(11*time.Minute), again, ledger.Claim(other)).State, "at once, when a Download begins")
	}
	troubled := after(t, start, fetched(t), ledger.Trouble(mine, footy.ReasonModelJunk, "half a word"))
	s := after(t, start.Add(time.Minute), troubled, suspended(t, troubled, removed))
	require.Equal(t, []any{footy.ReasonGoalRemoved, "", 1, start}, []any{s.Reason, s.Detail, s.Tries, s.WaitingSince})
}

func TestDeletedAndBlockedEndAPostOnlyWhenSeenTwice(t *testing.T) {
	t.Parallel()
	for _, why := range []footy.Reason{footy.ReasonDeleted, footy.ReasonGeoBlocked} {
		for name, c := range map[string]struct {
			after  time.Duration
			others bool
			ended  bool
		}{
			"again after ten minutes while others can be fetched": {10 * time.Minute, true, true},
			"again too soon": {10*time.Minute - time.Second, true, false},
			"again while nothing else can be fetched either": {time.Hour, false, false},
		} {
			t.Run(string(why)+" "+name, func(t *testing.T) {
				t.Parallel()
				p := after(t, start, fetching(t), ledger.Doubt(mine, why, "HTTP 404", true))
				require.Equal(t, footy.PostWaiting, p.State, "once is no fact")
				require.Equal(t, start.Add(w.Confirm), p.NextTry, "a look before that could not decide")
				p.NextTry = start // a person asks for a try
				p = after(t, start.Add(c.after), p, ledger.Claim(mine), ledger.Doubt(mine, why, "HTTP 404", c.others))
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
	at := func(n int) time.Time { return start.Add(time.Duration(n) * w.Confirm) }
	p := after(t, at(0), fetching(t), ledger.Doubt(mine, footy.ReasonDeleted, "", true))
	p = after(t, at(1), p, ledger.Claim(mine), ledger.Doubt(mine, footy.ReasonGeoBlocked, "", true))
	require.False(t, p.Ended())
	require.Equal(t, at(2), p.NextTry)
	p = after(t, at(2), p, ledger.Claim(mine), ledger.Trouble(mine, footy.ReasonFetchFailed, ""))
	p = after(t, at(3), p, ledger.Claim(mine), ledger.Doubt(mine, footy.ReasonGeoBlocked, "", true))
	require.True(t, p.Ended(), "trouble in between says nothing against it")

	p = after(t, at(0), fetching(t), ledger.Doubt(mine, footy.ReasonDeleted, "", true))
	require.Nil(t, after(t, at(1), p, ledger.Claim(mine), ledger.Fetch(mine, media)).Suspicion, "a fetched post is not deleted")
}

func TestOneDownloadHasAPostAtATime(t *testing.T) {
	t.Parallel()
	refused := func(p footy.Post, e ledger.Move, now time.Time) {
		t.Helper()
		same, rows, err := ledger.Advance(p, e, now, w)
		require.ErrorIs(t, err, ledger.ErrIllegal)
		require.Equal(t, p, same)
		require.Empty(t, rows)
	}
	p := offered()
	refused(p, ledger.Claim(other), start)
	p = after(t, start, p, ledger.Claim(mine))
	refused(p, ledger.Claim(other), start.Add(w.Lease-time.Second))
	p = after(t, start.Add(time.Minute), p, ledger.Hold(mine))
	refused(p, ledger.Claim(other), start.Add(w.Lease))
	late := start.Add(time.Minute + w.Lease)
	p = after(t, late, p, ledger.Claim(other))
	refused(p, ledger.Fetch(mine, media), late)
	refused(p, ledger.Hold(mine), late)
	p = after(t, late, p, ledger.Fetch(other, media))
	require.Equal(t, other, p.Download)
	refused(p, ledger.Fetch(other, media), late)
	refused(p, ledger.Unstage(mine, "gone"), late)

	waits := after(t, start, fetching(t), ledger.Trouble(mine, footy.ReasonStorage, ""))
	refused(waits, ledger.Claim(mine), waits.NextTry.Add(-w.First/4-time.Second))
	after(t, waits.NextTry, waits, ledger.Claim(mine))

	nobodys, _ := ledger.Offered(5000, goal, footy.Candidate{PostID: "1"}, start)
	refused(nobodys, ledger.Hold(""), start)
}

func TestAnIllegalMoveNamesStateAndEvent(t *testing.T) {
	t.Parallel()
	_, _, err := ledger.Advance(judged(t), ledger.Fetch(mine, media), start, w)
	require.EqualError(t, err, "illegal move of a post: fetched of a post that is judged")
	_, _, err = ledger.Advance(fetching(t), ledger.Fetch(other, media), start, w)
	require.EqualError(t, err, "illegal move of a post: fetched of fetching by download4, which download3 has")
}

func TestAnOperatorMakesAWaitingPostDueAtOnceOrEndsIt(t *testing.T) {
	t.Parallel()
	p := after(t, start, fetched(t), ledger.Trouble(mine, footy.ReasonModelJunk, "junk"))
	for range 9 {
		p = after(t, p.NextTry, p, ledger.StillWait(footy.ReasonModelUnreachable))
	}
	require.Equal(t, "junk", p.Detail)
	p = after(t, start, p, ledger.Retry())
	require.True(t, ledger.Near(p, start, w))
	require.Equal(t, start.Add(w.First), after(t, start, p, ledger.Claim(mine), ledger.Trouble(mine, footy.ReasonModelJunk, "junk")).NextTry)

	p, rows, err := ledger.Advance(p, ledger.GiveUp(), start, w)
	require.NoError(t, err)
	require.Equal(t, footy.PostRefused, p.State)
	require.Equal(t, footy.ReasonGaveUp, p.Reason)
	require.Equal(t, "junk", p.Detail)
	require.Equal(t, footy.ReasonModelUnreachable, rows[0].Data.WaitedFor)
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
			p := judged(t)
			e, moves := ledger.ByClips(p, c.event)
			require.Equal(t, c.state != footy.PostJudged, moves)
			if !moves {
				return
			}
			p = after(t, start, p, e)
			require.Equal(t, c.state, p.State)
			require.Equal(t, c.clip, p.ClipID)
			_, moves = ledger.ByClips(p, c.event)
			require.False(t, moves, "it is said already")
		})
	}
	t.Run("a copy that comes later takes its place, and may lose it again", func(t *testing.T) {
		t.Parallel()
		p := judged(t)
		for _, by := range []string{"", "winner", ""} {
			e, moves := ledger.ByClips(p, clip(func(c *footy.Clip) { c.ReplacedBy = by }))
			require.True(t, moves)
			p = after(t, start, p, e)
		}
		require.Equal(t, footy.PostPublished, p.State)
	})
}

var update = flag.Bool("update", false, "write the printed table")

func TestTheTableInTheDocumentsIsTheTable(t *testing.T) {
	t.Parallel()
	page := filepath.Join("..", "..", "..", "..", "ARCHITECTURE.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), "<!-- table -->\n")
	require.True(t, found, "ARCHITECTURE.md has no place for the table")
	_, behind, found := strings.Cut(rest, "<!-- end -->")
	require.True(t, found)
	want := before + "<!-- table -->\n" + ledger.Table() + "<!-- end -->" + behind
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(text), "run: go test ./internal/decide/post/ledger -run Table -update")
}

// TestAFileEndsAfterADayAndTenTries: in a day in which nobody was asked little was found. Which of its troubles it met does not matter.
func TestAFileEndsAfterADayAndTenTries(t *testing.T) {
	t.Parallel()
	for name, met := range map[string][2]footy.Reason{
		"one trouble": {footy.ReasonModelJunk, footy.ReasonModelJunk}, "two by turns": {footy.ReasonModelJunk, footy.ReasonModelSlow},
	} {
		for _, tries := range []int{1, 9, 10} {
			t.Run(fmt.Sprint(name, " ", tries), func(t *testing.T) {
				t.Parallel()
				p := fetched(t)
				for i := range tries + 1 {
					now := start.Add(time.Duration(i) * w.Unfit / time.Duration(tries))
					p.NextTry = now // a person asks for a try
					p = after(t, now, p, ledger.Claim(mine), ledger.Misfit(mine, met[i%2], "", now))
				}
				require.Equal(t, tries == 10, p.Ended())
			})
		}
	}
}
