package debounce_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
)

// second is what the second feed lists, with a score that agrees with its list. It knows no ids of ours.
func second(events ...footy.FeedEvent) *footy.SecondAnswer {
	c := score.CountGoals(sides(), events)
	a := &footy.SecondAnswer{Feed: "ESPN", State: footy.SecondAnswered, Score: footy.ScoreOf(c.Home, c.Away)}
	for _, e := range events {
		e.Player.ID = 0
		a.Events = append(a.Events, e)
	}
	return a
}

// both polls once while the second feed gives an answer, too.
func (m *match) both(other *footy.SecondAnswer, events ...footy.FeedEvent) []debounce.Decision {
	m.t.Helper()
	s := answer(events)
	s.SecondFeed = other
	s.Before = kickoff
	return m.polls(s, false)
}

// said are the reasons of the rows about the second feed.
func said(ds []debounce.Decision) []footy.Reason {
	var out []footy.Reason
	for _, d := range ds {
		if d.Kind == footy.EntrySecond {
			out = append(out, d.Reason)
		}
	}
	return out
}

var (
	salah    = goal(home, 306, "M. Salah", 31)
	mohamed  = goal(home, 0, "Mohamed Salah", 30)
	saka     = goal(away, 7, "B. Saka", 50)
	saysSaka = goal(home, 0, "Bukayo Saka", 31)
)

func TestBothFeedsMakeAGoalCertainAtOnce(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	ds := m.both(second(mohamed), salah)
	require.Equal(t, []footy.EntryKind{footy.EntryNew, footy.EntryCertain, footy.EntrySecond}, kinds(ds))
	require.Equal(t, "ESPN", ds[1].Data.Feed)
	require.Empty(t, m.both(second(mohamed), salah), "and that is all there is to say")
	require.Empty(t, m.sees(salah))
	require.Equal(t, 1, only(t, m).Round.Number)
}

func TestFeedsThatDoNotAgreeMakeNothingCertain(t *testing.T) {
	t.Parallel()
	early := second(goal(home, 0, "Mohamed Salah", 30))
	early.Score = footy.ScoreOf(0, 0)
	for name, c := range map[string]struct {
		other  *footy.SecondAnswer
		listed footy.FeedEvent
	}{
		"another scorer":                 {second(saysSaka), salah},
		"no scorer there":                {second(goal(home, 0, "", 30)), salah},
		"no scorer here":                 {second(mohamed), goal(home, 0, "", 31)},
		"another team":                   {second(goal(away, 0, "Mohamed Salah", 30)), salah},
		"another score after it":         {second(goal(home, 0, "Ada", 12), mohamed), salah},
		"its own score does not count":   {early, salah},
		"it does not list it":            {second(), salah},
		"it has no such match":           {&footy.SecondAnswer{Feed: "ESPN", State: footy.SecondNoMatch}, salah},
		"it has two such matches":        {&footy.SecondAnswer{Feed: "ESPN", State: footy.SecondAmbiguous}, salah},
		"it could not be asked":          {&footy.SecondAnswer{Feed: "ESPN", State: footy.SecondUnreachable, Score: footy.ScoreOf(1, 0), Events: second(mohamed).Events}, salah},
		"there is no second feed at all": {nil, salah},
	} {
		m := newMatch(t)
		for range 2 {
			require.False(t, has(m.both(c.other, c.listed), footy.EntryCertain), name)
		}
		m.both(c.other, c.listed)
		require.Equal(t, c.listed.Player.Name != "", m.f.Events[0].Certain(), "%s: three sightings are enough", name)
	}
	m := newMatch(t)
	s := answer(list(salah))
	s.SecondFeed = second(mohamed)
	require.False(t, has(m.polls(s, true), footy.EntryCertain), "nor in a poll that is not trusted")
}

// TestAGoalThatTheSecondFeedTellsFirst is looked for ahead, is nothing to anybody else, and becomes the goal that the feed in charge lists.
func TestAGoalThatTheSecondFeedTellsFirst(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.both(second())
	require.Equal(t, []footy.Reason{debounce.ReasonSecondAlone}, said(m.both(second(mohamed))))
	require.Empty(t, m.f.Events, "it is shown, told and posted by nobody")
	require.Zero(t, score.WithoutEvent(m.f))
	require.Len(t, m.f.Foretold, 1)
	told := m.f.Foretold[0]
	require.Equal(t, footy.ScoreOf(1, 0), told.ScoreAfter)
	require.Equal(t, &m.f.Foretold[0], m.f.EventOrForetold(told.UID))
	require.Nil(t, m.f.Event(told.UID))
	n, ahead := round.Ahead(&told, "monitor-2")
	require.True(t, ahead)
	require.Equal(t, 1, n)
	require.True(t, lifecycle.LookAgain(m.f), "the feed in charge may have news of it any moment")

	m.both(second(mohamed))
	n, ahead = round.Ahead(&m.f.Foretold[0], "monitor-3")
	require.True(t, ahead)
	require.Equal(t, 2, n)

	ds := m.both(second(mohamed), salah)
	require.Equal(t, []footy.EntryKind{footy.EntryNew, footy.EntryCertain, footy.EntrySecond}, kinds(ds))
	require.Equal(t, debounce.ReasonSecondLists, ds[2].Reason)
	require.InDelta(t, 60, ds[2].Data.Lead, 0)
	require.Empty(t, m.f.Foretold)
	e := only(t, m)
	require.Equal(t, told.UID, e.UID, "what was found for it is its own")
	require.Equal(t, "5000_40_306_Goal_1", e.ID)
	require.Equal(t, salah.Minute, e.Minute)
	require.Equal(t, told.FirstSeen, e.FirstSeen)
	require.Equal(t, []string{"monitor-4"}, e.Votes, "what the second feed saw is no vote")
}

func TestAForetoldGoalIsRecognisedByAnyScorer(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.both(second(saysSaka))
	uid := m.f.Foretold[0].UID
	ds := m.both(second(saysSaka), goal(home, 0, "", 31))
	require.Equal(t, uid, only(t, m).UID)
	require.Equal(t, []footy.Reason{debounce.ReasonSecondLists}, said(ds))
	ds = m.both(second(saysSaka), salah)
	require.Equal(t, []footy.Reason{debounce.ReasonSecondScorer}, said(ds), "and its other name is evidence")
	require.Equal(t, "Bukayo Saka", ds[len(ds)-1].Data.To.Name)
	require.Empty(t, said(m.both(second(saysSaka), salah)), "said once")
	require.Equal(t, uid, only(t, m).UID)
}

func TestAForetoldGoalThatNobodyListsGoesWithoutCeremony(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.both(second(mohamed))
	m.both(second())
	m.both(&footy.SecondAnswer{Feed: "ESPN", State: footy.SecondUnreachable})
	m.sees()
	m.both(second(mohamed))
	require.Zero(t, m.f.Foretold[0].SecondFeed.Missed, "it is there again")
	m.both(second())
	m.both(second())
	require.Len(t, m.f.Foretold, 1)
	ds := m.both(second())
	require.Equal(t, []footy.Reason{debounce.ReasonSecondDropped}, said(ds))
	require.False(t, has(ds, footy.EntryRemoved))
	require.Empty(t, m.f.Foretold)

	m = newMatch(t)
	m.both(second(mohamed))
	over := lifecycle.Move{To: footy.StageCompleted}
	lifecycle.Apply(&m.f, over, m.now())
	require.Empty(t, m.f.Foretold, "nor does it outlast its match")
}

// TestAGoalIsNotForetoldTwice: the feed in charge has it at another minute, under another name.
func TestAGoalIsNotForetoldTwice(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	far := goal(home, 0, "Ada", 20)
	m.both(second(), salah)
	m.both(second(far), salah)
	require.Empty(t, m.f.Foretold, "it lists no more goals than are known")

	m = newMatch(t)
	m.both(second(far))
	require.Len(t, m.f.Foretold, 1)
	m.both(second(far), salah)
	require.Len(t, m.f.Events, 1)
	require.Empty(t, m.f.Foretold, "it was this one, whatever the feed in charge says of it")

	m = newMatch(t)
	s := answer(nil)
	s.Match.Status, s.SecondFeed = footy.Status{Code: "NS"}, second(mohamed)
	m.polls(s, false)
	s.Match.Status = footy.Status{Code: "FT"}
	m.polls(s, false)
	require.Empty(t, m.f.Foretold, "no goal is new in a match that is not under way")
}

func TestAGoalThatTheSecondFeedStillHasIsRemovedWithItsVAREntryAlone(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.both(second(mohamed), salah)
	for range 5 {
		ds := m.both(second(mohamed))
		require.Equal(t, []footy.EntryKind{footy.EntryWithheld}, kinds(ds))
		require.Equal(t, footy.ReasonSecondHasIt, ds[0].Reason)
		require.Equal(t, "ESPN", ds[0].Data.Feed)
	}
	require.False(t, only(t, m).Removed)
	disallowed := footy.FeedEvent{Type: "Var", Detail: "Goal Disallowed - offside", Kind: footy.KindVAR, Team: footy.Team{ID: home}, Minute: footy.Minute{Elapsed: 33}}
	other := disallowed
	other.Team.ID = away
	require.True(t, has(m.both(second(mohamed), other), footy.EntryWithheld), "of the other team")
	for range 2 {
		require.True(t, has(m.both(second(mohamed), disallowed), footy.EntryAbsence))
	}
	require.True(t, has(m.both(second(mohamed), disallowed), footy.EntryRemoved))
}

func TestAGoalThatBothFeedsDroppedIsRemoved(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.both(second(mohamed), salah)
	m.both(second(mohamed))
	require.Equal(t, []footy.Reason{debounce.ReasonSecondDropped}, said(m.both(second())))
	require.Len(t, only(t, m).AbsentPolls, 1)
	m.both(&footy.SecondAnswer{Feed: "ESPN", State: footy.SecondUnreachable})
	m.both(second(mohamed))
	require.Empty(t, only(t, m).AbsentPolls, "it has it after all")
	for range 3 {
		require.False(t, only(t, m).Removed)
		m.sees()
	}
	require.True(t, only(t, m).Removed, "while it cannot be asked, the feed in charge decides alone")
	m.both(second(mohamed))
	require.Empty(t, m.f.Foretold, "a goal that was removed is not foretold")
}

func TestWhatTheFeedInChargeKeepsTheSecondFeedCannotTake(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.both(second(mohamed), salah)
	for range 5 {
		m.both(second(), salah)
	}
	e := only(t, m)
	require.False(t, e.Removed)
	require.Empty(t, e.AbsentPolls)
}

func TestDifferencesAreEvidence(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.both(second(), salah)
	ds := m.both(second(mohamed), salah)
	require.Equal(t, []footy.Reason{debounce.ReasonSecondLists}, said(ds))
	require.InDelta(t, -30, ds[len(ds)-1].Data.Lead, 0, "it was later")

	m = newMatch(t)
	m.both(second(), salah)
	m.both(second(), salah)
	require.Equal(t, []footy.Reason{debounce.ReasonSecondLacks}, said(m.both(second(), salah)), "once it is certain")

	for state, want := range map[footy.SecondState]footy.Reason{footy.SecondNoMatch: debounce.ReasonSecondNoMatch, footy.SecondAmbiguous: debounce.ReasonSecondTwo,
		footy.SecondUnreachable: debounce.ReasonSecondSilent} {
		m = newMatch(t)
		none := &footy.SecondAnswer{Feed: "ESPN", State: state}
		require.Empty(t, said(m.both(none, salah)))
		m.both(none, salah)
		require.Equal(t, []footy.Reason{want}, said(m.both(none, salah)))
		require.Empty(t, said(m.both(none, salah)), "said once")
	}

	m = newMatch(t)
	m.certain(salah)
	ds = m.both(second(mohamed), salah)
	require.Equal(t, []footy.Reason{debounce.ReasonSecondLists}, said(ds))
	require.Zero(t, ds[len(ds)-1].Data.Lead, "nobody knows who was first")
}

// TestASecondFeedNeverHarmsTheFirst: whatever it says, what the feed in charge alone makes certain is certain no later, and no goal stands that
// it never listed.
func TestASecondFeedNeverHarmsTheFirst(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		goals := rapid.Permutation(list(salah, saka, goal(home, 9, "D. Núñez", 33), goal(away, 11, "Martinelli", 52), goal(home, 306, "M. Salah", 70))).Draw(t, "goals")
		lies := rapid.SliceOfN(rapid.SampledFrom(list(mohamed, saysSaka, goal(away, 0, "Bukayo Saka", 51), goal(home, 0, "", 32), goal(home, 0, "Darwin Núñez", 34),
			goal(away, 0, "Nobody", 5), goal(home, 0, "Mohamed Salah", 71))), 0, 4)
		alone, both := newMatch(t), newMatch(t)
		n := 0
		for range rapid.IntRange(1, 8).Draw(t, "polls") {
			n = rapid.IntRange(n, len(goals)).Draw(t, "listed")
			alone.sees(goals[:n]...)
			other := second(lies.Draw(t, "second")...)
			switch rapid.IntRange(0, 5).Draw(t, "state") {
			case 0:
				other = nil
			case 1:
				other.State = footy.SecondUnreachable
			case 2:
				other.Score = footy.ScoreOf(0, 0)
			}
			both.both(other, goals[:n]...)
			require.Len(t, both.f.Events, len(alone.f.Events))
			require.LessOrEqual(t, certain(alone.f), certain(both.f))
			for i := range both.f.Events {
				require.NotEmpty(t, both.f.Events[i].Votes)
			}
		}
	})
}

func certain(f footy.Fixture) (n int) {
	for i := range f.Events {
		if e := &f.Events[i]; e.Certain() && e.Standing() {
			n++
		}
	}
	return n
}
