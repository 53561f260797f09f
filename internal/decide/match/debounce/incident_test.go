package debounce_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

// A goal missing from the array while the score in the same response still counts it is an omission, not VAR.
func TestIncidentOmissionWhileTheScoreStillCounts(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	a, b := goal(home, 1, "Ann", 10), goal(home, 2, "Bea", 20)
	m.certain(a, b)
	for range 20 {
		ds := m.seesAt(footy.ScoreOf(2, 0), b)
		require.Equal(t, []footy.EntryKind{footy.EntryWithheld}, kinds(ds))
		require.Equal(t, footy.ReasonScoreNeeds, ds[0].Reason)
	}
	require.False(t, m.f.Events[0].Removed)
	require.Empty(t, m.f.Events[0].AbsentPolls)
	require.Equal(t, footy.ScoreOf(2, 0), m.f.Events[1].ScoreAfter, "an omission does not move the goals after it")
}

// A null score still needs the goal.
func TestIncidentNullScoreRemovesNothing(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 1, "Ann", 10))
	for range 5 {
		require.Equal(t, []footy.EntryKind{footy.EntryWithheld}, kinds(m.seesAt(footy.Score{})))
	}
	require.False(t, only(t, m).Removed)
}

// An answer without an events list is not an answer without events.
func TestIncidentAnswerWithoutEventsIsNoAnswer(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 1, "Ann", 10))
	s := answer(nil)
	s.HasEvents = false
	for range 5 {
		require.Empty(t, m.polls(s, false))
	}
	require.False(t, only(t, m).Removed)
}

// Status 1H -> NS with an empty list: a match that has not begun cannot have lost a goal.
func TestIncidentMatchThatUnbeganLosesNothing(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 1, "Ann", 10))
	s := answer(nil)
	s.Match.Status.Code = "NS"
	for range 5 {
		require.Equal(t, []footy.EntryKind{footy.EntryWithheld}, kinds(m.polls(s, false)))
	}
	require.False(t, only(t, m).Removed)
}

// One poll lost ten goals over four fixtures, the scores unchanged.
func TestIncidentTenGoalsVanishOverFourFixtures(t *testing.T) {
	t.Parallel()
	vanished := 0
	for _, n := range []int{2, 5, 1, 2} {
		m := newMatch(t)
		var goals []footy.FeedEvent
		for i := range n {
			goals = append(goals, goal(home, int64(i+1), "P"+string(rune('a'+i)), 5+10*i))
		}
		m.certain(goals...)
		s := answer(goals)
		s.Events = []footy.FeedEvent{}
		vanished += len(debounce.NewlyMissing(m.f, s))
	}
	require.Equal(t, 10, vanished)
	trusted, why := debounce.PollTrusted(0, vanished)
	require.False(t, trusted)
	require.Contains(t, why, "10")
}

// About 75 minutes of regressed answers led a naive system to delete 10 goals and 26 public clips.
func TestIncidentSeventyFiveMinutesOfRegressedAnswers(t *testing.T) {
	t.Parallel()
	var matches []*match
	for range 4 {
		m := newMatch(t)
		m.f.Match.Status.Code = "2H"
		m.certain(goal(home, 1, "Ann", 10), goal(home, 2, "Bea", 20), goal(away, 3, "Eve", 30))
		full := answer(list(goal(home, 1, "Ann", 10), goal(home, 2, "Bea", 20), goal(away, 3, "Eve", 30)))
		full.Match.Status = status("2H", 60, 0)
		m.polls(full, false)
		matches = append(matches, m)
	}
	previous := make([]*footy.Snapshot, len(matches))
	for poll := range 150 {
		regressed, vanished := 0, 0
		answers := make([]footy.Snapshot, len(matches))
		for i, m := range matches {
			s := answer(nil)
			s.Match.Status = status("1H", 1+poll/4, 0)
			answers[i] = s
			if len(debounce.Regressions(debounce.Baseline(m.f, previous[i]), s)) > 0 {
				regressed++
			}
			vanished += len(debounce.NewlyMissing(m.f, s))
			previous[i] = &answers[i]
		}
		trusted, _ := debounce.PollTrusted(regressed, vanished)
		require.False(t, trusted, "poll %d", poll)
		for i, m := range matches {
			for _, d := range m.polls(answers[i], true) {
				require.Equal(t, footy.EntryWithheld, d.Kind)
			}
		}
	}
	for _, m := range matches {
		for _, e := range m.f.Events {
			require.False(t, e.Removed)
			require.Empty(t, e.AbsentPolls)
		}
	}
}

// A real cancellation stays believable while its absences are counted.
func TestIncidentCancellationsCountingDownAreNoAnomaly(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 1, "Ann", 10), goal(home, 2, "Bea", 20), goal(home, 3, "Cora", 74))
	s := answer(list(goal(home, 1, "Ann", 10), goal(home, 2, "Bea", 20)))
	require.Len(t, debounce.NewlyMissing(m.f, s), 1)
	m.polls(s, false)
	require.Empty(t, debounce.NewlyMissing(m.f, s), "its absence was believed already")
}

func TestDistrustedPollAddsAndNothingElse(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 1, "Ann", 10))
	m.sees(goal(home, 1, "Ann", 10), goal(away, 0, "", 20))
	s := answer(list(goal(home, 2, "Bea", 10), goal(away, 7, "Gina", 20), goal(home, 5, "Flo", 30)))
	ds := m.polls(s, true)
	require.Equal(t, "5000_40_1_Goal_1", m.f.Events[0].ID, "no correction")
	require.Equal(t, "Gina", m.f.Events[1].Player.Name, "a scorer found is an addition")
	require.Len(t, m.f.Events, 3, "so is a goal")
	require.False(t, has(ds, footy.EntryAbsence))
}

func status(code string, elapsed, extra int) footy.Status {
	s := footy.Status{Code: code, Elapsed: &elapsed}
	if extra > 0 {
		s.Extra = &extra
	}
	return s
}

func TestRegressions(t *testing.T) {
	t.Parallel()
	with := func(st footy.Status, score footy.Score, goals ...footy.FeedEvent) footy.Snapshot {
		s := answer(goals)
		s.Match.Status, s.Score = st, score
		return s
	}
	g := goal(home, 1, "Ann", 10)
	none := footy.Status{Code: "NS"}
	cases := map[string]struct {
		prev, cur footy.Snapshot
		want      []string
	}{
		"stoppage disappears at the break": {with(status("HT", 45, 4), footy.ScoreOf(0, 0)), with(status("2H", 46, 0), footy.ScoreOf(0, 0)), nil},
		"the clock falls in one half":      {with(status("2H", 90, 15), footy.ScoreOf(0, 0)), with(status("2H", 46, 0), footy.ScoreOf(0, 0)), []string{"clock"}},
		"the stoppage minute is left out":  {with(status("2H", 90, 5), footy.ScoreOf(0, 0)), with(status("2H", 90, 0), footy.ScoreOf(0, 0)), nil},
		"a small clock correction":         {with(status("2H", 67, 0), footy.ScoreOf(0, 0)), with(status("2H", 66, 0), footy.ScoreOf(0, 0)), nil},
		"score falls, goal still listed":   {with(status("1H", 20, 0), footy.ScoreOf(1, 0), g), with(status("1H", 20, 0), footy.ScoreOf(0, 0), g), []string{"score"}},
		"score falls with its goal":        {with(status("2H", 80, 0), footy.ScoreOf(1, 0), g), with(status("2H", 80, 0), footy.ScoreOf(0, 0)), nil},
		"back to not started":              {with(status("1H", 20, 0), footy.ScoreOf(1, 1)), with(none, footy.Score{}), []string{"phase", "field cleared"}},
		"postponed and cleared":            {with(footy.Status{Code: "PST"}, footy.ScoreOf(0, 0)), with(footy.Status{Code: "PST"}, footy.Score{}), nil},
		"over before extra time":           {with(status("FT", 90, 0), footy.ScoreOf(1, 1)), with(status("ET", 91, 0), footy.ScoreOf(1, 1)), nil},
		"extra time's break":               {with(status("ET", 105, 0), footy.ScoreOf(1, 1)), with(status("BT", 105, 0), footy.ScoreOf(1, 1)), nil},
		"interrupted":                      {with(status("2H", 60, 0), footy.ScoreOf(1, 1)), with(status("INT", 60, 0), footy.ScoreOf(1, 1)), nil},
		"over, then not":                   {with(status("FT", 90, 0), footy.ScoreOf(1, 1)), with(status("2H", 80, 0), footy.ScoreOf(1, 1)), []string{"phase"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, debounce.Regressions(c.prev, c.cur))
		})
	}
}

func TestBaselineIsNotSpoiledByABadAnswer(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	good := answer(nil)
	good.Match.Status = status("2H", 70, 0)
	lifecycle.Merge(&m.f, good, m.now())
	bad := answer(nil)
	bad.Match.Status = status("1H", 10, 0)
	require.NotEmpty(t, debounce.Regressions(debounce.Baseline(m.f, &bad), bad), "the second bad answer is as bad as the first")
	later := answer(nil)
	later.Match.Status = status("2H", 75, 0)
	require.Equal(t, 75, *debounce.Baseline(m.f, &later).Match.Status.Elapsed, "a good one moves the yardstick")
}

// An own goal's scorer swapped, the score unchanged: exactly one goes, one comes, at the same moment.
func TestIncidentOwnGoalChangesItsScorer(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	own := goal(home, 315699, "Old", 13)
	own.Detail = "Own Goal"
	m.certain(own, goal(home, 4, "Cora", 40))
	own.Player = footy.Person{ID: 333672, Name: "New"}
	m.sees(own, goal(home, 4, "Cora", 40))
	require.Len(t, m.f.Events, 2)
	require.Equal(t, "5000_40_333672_Goal_1", m.f.Events[0].ID)
}

func TestPenaltiesAloneCanBeFollowed(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.o.Kinds = []footy.Kind{footy.KindPenalty, footy.KindMissedPenalty}
	open, spot := goal(home, 1, "Ann", 10), goal(home, 2, "Bea", 20)
	spot.Detail = "Penalty"
	missed := goal(away, 3, "Eve", 30)
	missed.Kind, missed.Detail = footy.KindMissedPenalty, "Missed Penalty"
	for range 3 {
		m.sees(open, spot, missed)
	}
	require.Len(t, m.f.Events, 2)
	for _, e := range m.f.Events {
		require.True(t, e.Certain())
	}
	require.Equal(t, footy.ScoreOf(1, 0), m.f.Events[0].ScoreBefore, "the goals that are not followed count all the same")
	require.Equal(t, footy.ScoreOf(2, 0), m.f.Events[0].ScoreAfter)
	for range 3 {
		m.seesAt(footy.ScoreOf(1, 0), open, missed)
	}
	require.True(t, m.f.Events[0].Removed)
}

func TestEmptyListTakesNoCard(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.o.Kinds = []footy.Kind{footy.KindGoal, footy.KindRedCard}
	g, card := goal(home, 1, "Ann", 10), goal(away, 3, "Eve", 30)
	card.Kind, card.Type, card.Detail = footy.KindRedCard, "Card", "Red Card"
	for range 3 {
		m.sees(g, card)
	}
	for range 5 {
		ds := m.seesAt(footy.ScoreOf(1, 0))
		require.False(t, has(ds, footy.EntryAbsence))
	}
	for range 3 {
		m.sees(g)
	}
	require.False(t, m.f.Events[0].Removed)
	require.True(t, m.f.Events[1].Removed, "three answers that list the goal and not the card")
}

// An outage that takes one match a poll is an outage: nothing is removed, and two matches are still two cancellations.
func TestIncidentOutageThatRollsFromMatchToMatch(t *testing.T) {
	t.Parallel()
	for fixtures, removed := range map[int]bool{1: true, 2: true, 3: false, 4: false} {
		var matches []*match
		for range fixtures {
			m := newMatch(t)
			m.certain(goal(home, 1, "Ann", 10))
			matches = append(matches, m)
		}
		said := func(poll, i int) footy.Snapshot {
			s := answer(nil)
			if poll < i {
				s = answer(list(goal(home, 1, "Ann", 10)))
			}
			s.Answered = matches[i].now()
			return s
		}
		for poll := range 10 {
			missing := 0
			for i, m := range matches {
				missing += len(debounce.MissingGoals(m.f, said(poll, i)))
			}
			trusted, _ := debounce.PollTrusted(0, missing)
			for i, m := range matches {
				m.polls(said(poll, i), !trusted)
			}
		}
		for _, m := range matches {
			require.Equal(t, removed, only(t, m).Removed, "%d fixtures", fixtures)
		}
		late := said(10, 0)
		late.Answered = late.Answered.Add(3 * time.Hour)
		require.Empty(t, debounce.MissingGoals(matches[0].f, late), "not for good")
	}
}
