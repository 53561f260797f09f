package debounce_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestThreeSightingsMakeAGoalCertain(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	g := goal(home, 234, "D. Szoboszlai", 23)
	require.Equal(t, []footy.EntryKind{footy.EntryNew}, kinds(m.sees(g)))
	require.Equal(t, []footy.EntryKind{footy.EntrySighting}, kinds(m.sees(g)))
	require.Equal(t, []footy.EntryKind{footy.EntrySighting, footy.EntryCertain}, kinds(m.sees(g)))
	e := only(t, m)
	require.Equal(t, "5000_40_234_Goal_1", e.ID)
	require.Equal(t, "5000-1", e.UID)
	require.Equal(t, "twitter-Liverpool-Szoboszlai-23min-5000_40_234_Goal_1", e.Round.Workflow)
	require.Equal(t, "upload-5000_40_234_Goal_1", e.UploadWorkflow)
	require.Equal(t, 1, e.Round.Number)
	require.False(t, e.Round.TakenUp(), "Twitter sets it, nobody else")
	require.Len(t, e.Votes, 3)
	require.Empty(t, m.sees(g), "a certain goal that is listed again is no news")
	require.Len(t, e.Votes, 3, "votes are counted only until certain")
}

func TestUnknownScorerWaitsUntilTwoPollsNameHim(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	unknown := goal(home, 0, "", 17)
	for range 4 {
		require.False(t, has(m.sees(unknown), footy.EntryCertain))
	}
	uid := only(t, m).UID
	named := goal(home, 0, "J. Love", 17)
	ds := m.sees(named)
	require.True(t, has(ds, footy.EntryRenamed))
	require.False(t, has(ds, footy.EntryCertain), "named once is not enough")
	require.True(t, has(m.sees(named), footy.EntryCertain), "a name is enough, an id is not needed")
	require.Equal(t, uid, only(t, m).UID)
	ds = m.sees(goal(home, 77, "J. Love", 17))
	require.Equal(t, []footy.EntryKind{footy.EntryRenamed}, kinds(ds))
	require.Equal(t, "5000_40_77_Goal_1", only(t, m).ID)
	require.Equal(t, []string{"5000_40_0_Goal_1"}, only(t, m).MatchedFrom)
	require.Equal(t, 1, only(t, m).Round.Number, "the same man with a number is no new search")
}

// TestVotesEnd: the ids of an hour of polls would stand in the document that every poll reads.
func TestVotesEnd(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	for range 40 {
		m.sees(goal(home, 0, "", 17))
	}
	require.Len(t, only(t, m).Votes, round.MostAhead, "of a goal whose scorer nobody names")
	m.sees(goal(home, 1, "Ann", 17))
	require.True(t, has(m.sees(goal(home, 1, "Ann", 17)), footy.EntryCertain), "it is certain all the same when somebody does")
	m.sees(goal(home, 2, "Bea", 17))
	m.sees(goal(home, 2, "Bea", 17))
	require.Len(t, only(t, m).Votes, round.MostAhead)
	require.Equal(t, 2, only(t, m).Round.Number, "who corrects the scorer is counted without")
}

func TestScorerMustBeTheSameInTheLastTwoPolls(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	a, b := goal(home, 1, "Ann", 10), goal(home, 2, "Bea", 10)
	m.sees(a)
	m.sees(a)
	require.False(t, has(m.sees(b), footy.EntryCertain), "three sightings, but the last two disagree")
	require.True(t, has(m.sees(b), footy.EntryCertain))
	require.Equal(t, "5000_40_2_Goal_1", only(t, m).ID)
}

func TestCorrectedScorerKeepsClipsAndSearchesAnew(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	e := m.certain(goal(home, 1, "Ann", 10))
	e.Clips = []footy.Clip{{ID: "clip"}}
	e.Round.TakenUpBy, e.Round.Searches, e.Round.Tries = e.Round.Workflow, 1, 4
	first, twitter, upload := e.FirstSeen, e.Round.Workflow, e.UploadWorkflow
	ds := m.sees(goal(home, 2, "Bea", 10))
	require.True(t, has(ds, footy.EntryRenamed))
	require.Equal(t, 1, only(t, m).Round.Number, "one poll with another name starts nothing")
	m.sees(goal(home, 2, "Bea", 10))
	e = only(t, m)
	require.Equal(t, 2, e.Round.Number)
	require.Equal(t, "5000_40_2_Goal_1", e.ID)
	require.Equal(t, []string{"5000_40_1_Goal_1"}, e.MatchedFrom)
	require.Same(t, e, m.f.Event("5000_40_1_Goal_1"), "old links find it")
	require.Len(t, e.Clips, 1)
	require.Equal(t, first, e.FirstSeen)
	require.NotEqual(t, twitter, e.Round.Workflow)
	require.Equal(t, "twitter-Liverpool-Bea-10min-5000_40_2_Goal_1-r2", e.Round.Workflow)
	require.Equal(t, upload, e.UploadWorkflow, "one Upload workflow serves an event for life")
	require.False(t, e.Round.TakenUp())
	require.Zero(t, e.Round.Tries)
	require.Zero(t, e.Round.Searches)
}

func TestCorrectionOfACompleteGoalSearchesNoMore(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	e := m.certain(goal(home, 1, "Ann", 10))
	e.Round.TakenUpBy, e.DownloadComplete = "twitter", true
	m.sees(goal(home, 2, "Bea", 10))
	m.sees(goal(home, 2, "Bea", 10))
	require.Equal(t, 1, only(t, m).Round.Number)
	require.True(t, only(t, m).DownloadComplete)
}

func TestScorerThatFlipsBackGetsHisNameBack(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	a, b := goal(home, 1, "Ann", 10), goal(home, 2, "Bea", 10)
	m.certain(a)
	m.sees(b)
	m.sees(a)
	m.sees(a)
	e := only(t, m)
	require.Equal(t, "5000_40_1_Goal_1", e.ID)
	require.Equal(t, []string{"5000_40_2_Goal_1"}, e.MatchedFrom)
	require.Equal(t, 1, e.Round.Number, "the search already looks for her")
}

func TestBraceThatLosesItsFirstGoalKeepsTheSecond(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	a, b := goal(home, 111, "Ann", 30), goal(home, 111, "Ann", 60)
	m.certain(a)
	m.certain(a, b)
	for range 3 {
		m.sees(b)
	}
	first, second := m.f.Event("5000_40_111_Goal_1"), m.f.Event("5000_40_111_Goal_2")
	require.True(t, first.Removed)
	require.False(t, second.Removed)
	require.Equal(t, 60, second.Minute.Elapsed)
	require.Equal(t, footy.ScoreOf(1, 0), second.ScoreAfter)
	m.sees(b, goal(home, 111, "Ann", 80))
	require.NotNil(t, m.f.Event("5000_40_111_Goal_3"), "a freed number is never given again")
}

func TestThreeAbsencesHideAGoal(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	g := goal(home, 1, "Ann", 10)
	m.certain(g)
	require.Equal(t, []footy.EntryKind{footy.EntryAbsence}, kinds(m.sees()))
	require.Equal(t, []footy.EntryKind{footy.EntryAbsence}, kinds(m.sees()))
	require.Equal(t, []footy.EntryKind{footy.EntryAbsence, footy.EntryRemoved}, kinds(m.sees()))
	require.True(t, only(t, m).Removed)
	require.Equal(t, footy.ReasonVAR, only(t, m).RemovedReason)
	require.Empty(t, m.sees(), "removed once")
}

func TestGoalThatFlickersForTwoPollsStays(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	g := goal(home, 1, "Ann", 10)
	m.certain(g)
	m.sees()
	m.sees()
	require.Equal(t, []footy.EntryKind{footy.EntrySighting}, kinds(m.sees(g)))
	require.Empty(t, only(t, m).AbsentPolls, "the count begins anew")
	m.sees()
	m.sees()
	require.False(t, only(t, m).Removed)
}

func TestCancelledGoalComesBackWithAnotherMinute(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 1, "Ann", 4502))
	for range 3 {
		m.sees()
	}
	require.True(t, only(t, m).Removed)
	ds := m.sees(goal(home, 1, "Ann", 4501))
	require.True(t, has(ds, footy.EntryRestored))
	e := only(t, m)
	require.False(t, e.Removed)
	require.True(t, e.RemovedAt.IsZero())
	require.Equal(t, footy.Minute{Elapsed: 45, Extra: 1}, e.Minute)
	require.Equal(t, 2, e.Round.Number, "the search was stopped: it starts anew")
}

func TestAnotherGoalAfterACancelledOneIsNew(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 1, "Ann", 30))
	for range 3 {
		m.sees()
	}
	m.sees(goal(home, 2, "Bea", 32))
	require.Len(t, m.f.Events, 2)
	require.True(t, m.f.Events[0].Removed)
	m.sees(goal(home, 2, "Bea", 32), goal(home, 1, "Ann", 70))
	require.Len(t, m.f.Events, 3, "the same scorer forty minutes later is another goal")
	require.Equal(t, "5000_40_1_Goal_2", m.f.Events[2].ID)
}

func TestSweptGoalIsNotRestored(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	g := goal(home, 1, "Ann", 30)
	m.certain(g)
	for range 3 {
		m.sees()
	}
	m.f.Events[0].Swept = true
	m.sees(g)
	require.Len(t, m.f.Events, 2)
}

func TestPlaceholderIsDroppedWithoutCeremony(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.sees(goal(home, 0, "", 10))
	m.sees()
	m.sees()
	ds := m.sees()
	require.True(t, has(ds, footy.EntryRemoved))
	require.Equal(t, footy.ReasonPlaceholder, ds[len(ds)-1].Reason)
	require.Empty(t, m.f.Events)
	m.sees(goal(home, 0, "", 40))
	require.Equal(t, "5000-2", only(t, m).UID, "its uid stays taken: the log has rows under it")
	require.Equal(t, "5000_40_0_Goal_2", only(t, m).ID)
}

func TestMinuteCorrectionUpdatesInPlace(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.certain(goal(home, 1, "Ann", 30))
	ds := m.sees(goal(home, 1, "Ann", 31))
	require.Equal(t, []footy.EntryKind{footy.EntryChanged}, kinds(ds))
	require.Equal(t, debounce.ReasonMinute, ds[0].Reason)
	require.Equal(t, "5000_40_1_Goal_1", only(t, m).ID)
	require.Equal(t, 31, only(t, m).Minute.Elapsed)
	require.Len(t, only(t, m).Changes, 2, "the audit trail has both")
}

// TestALateAssistIsNoNewGoal: the founding documents had it in the hash, and it often comes minutes later.
func TestALateAssistIsNoNewGoal(t *testing.T) {
	t.Parallel()
	for name, reset := range map[string]bool{"by default": false, "where changes restart the vote": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMatch(t)
			m.o.ResetOnChange = reset
			g := goal(home, 1, "Ann", 30)
			m.sees(g)
			m.sees(g)
			before := *only(t, m)
			g.Assist = footy.Person{ID: 9, Name: "Cora"}
			require.Equal(t, []footy.EntryKind{footy.EntryChanged, footy.EntrySighting, footy.EntryCertain}, kinds(m.sees(g)), "no sighting is lost")
			workflow := only(t, m).Round.Workflow
			g.Assist = footy.Person{ID: 8, Name: "Dora"}
			ds := m.sees(g)
			require.Equal(t, []footy.EntryKind{footy.EntryChanged}, kinds(ds), "it is told, once, and not as a goal")
			require.Equal(t, debounce.ReasonAssist, ds[0].Reason)
			e := only(t, m)
			require.Equal(t, "Dora", e.Assist.Name)
			require.Equal(t, before.ID, e.ID)
			require.Equal(t, before.Changes, e.Changes)
			require.Equal(t, workflow, e.Round.Workflow, "nothing is searched for again")
		})
	}
}

// TestTheVoteIsRestartedByWhatItsSettingNames holds docs/settings.md, which is written from the setting, to the code.
func TestTheVoteIsRestartedByWhatItsSettingNames(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../../docs/settings.md")
	require.NoError(t, err)
	_, row, found := strings.Cut(string(page), "`DEBOUNCE_RESET_ON_CHANGE")
	require.True(t, found)
	says, _, _ := strings.Cut(row, ".")
	for word, change := range map[string]func(*footy.FeedEvent){
		"minute": func(g *footy.FeedEvent) { g.Minute.Elapsed++ },
		"scorer": func(g *footy.FeedEvent) { g.Player = footy.Person{ID: 2, Name: "Bea"} },
		"detail": func(g *footy.FeedEvent) { g.Detail = "Penalty" },
		"assist": func(g *footy.FeedEvent) { g.Assist = footy.Person{ID: 9, Name: "Cora"} },
	} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			m := newMatch(t)
			m.o.ResetOnChange, m.o.ScorerPolls = true, 1
			g := goal(home, 1, "Ann", 30)
			m.sees(g)
			m.sees(g)
			change(&g)
			require.Equal(t, !strings.Contains(says, word), has(m.sees(g), footy.EntryCertain), "the setting says: %s", says)
		})
	}
}

func TestAChangeRestartsTheVoteOnRequest(t *testing.T) {
	t.Parallel()
	for name, reset := range map[string]bool{"by default it goes on": false, "on request it restarts": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMatch(t)
			m.o.ResetOnChange = reset
			m.sees(goal(home, 1, "Ann", 30))
			m.sees(goal(home, 1, "Ann", 30))
			ds := m.sees(goal(home, 1, "Ann", 31))
			require.Equal(t, !reset, has(ds, footy.EntryCertain))
			m.sees(goal(home, 1, "Ann", 31))
			require.Equal(t, reset, has(m.sees(goal(home, 1, "Ann", 31)), footy.EntryCertain))
		})
	}
}

func TestFollowedKindsAreEventsOfTheirOwn(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.o.Kinds = []footy.Kind{footy.KindGoal, footy.KindRedCard}
	red := footy.FeedEvent{Team: footy.Team{ID: away}, Player: footy.Person{ID: 8, Name: "Dora"}, Minute: footy.Minute{Elapsed: 50},
		Type: "Card", Detail: "Red Card", Kind: footy.KindRedCard}
	yellow := red
	yellow.Detail, yellow.Kind = "Yellow Card", footy.KindYellowCard
	g := goal(home, 1, "Ann", 10)
	for range 3 {
		m.sees(g, red, yellow)
	}
	require.Len(t, m.f.Events, 2)
	e := m.f.Event("5000_42_8_RedCard_1")
	require.True(t, e.Certain())
	require.Equal(t, footy.ScoreOf(1, 0), e.ScoreAfter)
	for range 3 {
		m.sees(g, yellow)
	}
	require.True(t, e.Removed, "a card needs no score to be taken back")
}

func TestGoalListedTwiceIsOne(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	g := goal(home, 1, "Ann", 10)
	m.seesAt(footy.ScoreOf(1, 0), g, g)
	require.Len(t, m.f.Events, 1)
	two := newMatch(t)
	u := goal(home, 0, "", 10)
	two.seesAt(footy.ScoreOf(2, 0), u, u)
	require.Len(t, two.f.Events, 2, "the score counts both")
}

func TestScoreContextFollowsTheClock(t *testing.T) {
	t.Parallel()
	m := newMatch(t)
	m.sees(goal(home, 1, "Ann", 60), goal(away, 5, "Eve", 4502), goal(home, 2, "Bea", 45))
	after := map[string]footy.Score{}
	for _, e := range m.f.Events {
		after[e.Player.Name] = e.ScoreAfter
		require.Equal(t, map[int64]footy.Side{home: footy.SideHome, away: footy.SideAway}[e.Team.ID], e.ScoringTeam)
	}
	require.Equal(t, map[string]footy.Score{"Bea": footy.ScoreOf(1, 0), "Eve": footy.ScoreOf(1, 1), "Ann": footy.ScoreOf(2, 1)}, after)
}
