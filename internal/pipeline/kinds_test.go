package pipeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/download"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/found-footy/found-footy/internal/recognize/clockface"
)

const theEvent = "100-k"

// event adds a certain event of a kind, of the other team.
func (b *bench) addEvent(kind footy.Kind, minute int) {
	b.t.Helper()
	b.goal(theEvent, minute)
	b.changeEvent(theEvent, func(e *footy.Event) {
		e.Kind, e.Team, e.Player = kind, footy.Team{ID: 42, Name: "Arsenal"}, footy.Person{ID: 2, Name: "Bukayo Saka"}
	})
}

// judged downloads and judges posts of that event.
func (b *bench) judged(ids ...string) { b.t.Helper(); b.judgedWith("", ids...) }

func (b *bench) judgedWith(text string, ids ...string) {
	b.t.Helper()
	var key string
	b.changeEvent(theEvent, func(e *footy.Event) { key = round.RetryID(e) })
	b.found(b.event(theEvent), key, ids...)
	for _, id := range ids {
		_, err := b.store.Advance(b.t.Context(), theEvent, id, func(p footy.Post) (footy.Post, []footy.Entry, error) {
			p.Candidate.Text = text
			return p, nil, nil
		})
		require.NoError(b.t, err)
	}
	b.batch(key, download.Input{EventInput: policy.EventInput{FixtureID: matchID, EventUID: theEvent, Timing: timing()}, Download: key})
}

// TestACardGetsNoGoalOfAnotherTeam: the clock shows the minute of both, and only the picture tells them apart.
func TestACardGetsNoGoalOfAnotherTeam(t *testing.T) {
	t.Parallel()
	for _, kind := range []footy.Kind{footy.KindRedCard, footy.KindYellowCard, footy.KindVAR, footy.KindMissedPenalty} {
		for name, clock := range map[string]bool{"by the model": false, "by the running clock": true} {
			b := newBench(t)
			b.addEvent(kind, 67)
			b.x.film = map[string]string{"1": "the goal", "2": "it", "3": "late in it"}
			b.model.saw = map[string]string{"it": kind.Info().Name}
			if clock {
				b.clocks(map[string]int{"the goal": 66*60 + 12, "it": 66*60 + 20})
			}
			b.judged("1", "2")
			require.Equal(t, footy.OutcomeUnverified, b.post(theEvent, "1").Verdict.Outcome, "%s %s", kind, name)
			require.Equal(t, footy.OutcomeVerified, b.post(theEvent, "2").Verdict.Outcome, "%s %s: %s", kind, name, b.post(theEvent, "2").Verdict.Detail)

			in := b.open("4", "5")
			b.x.film["4"], b.x.film["5"] = "the goal", "it"
			b.batch(in.Download, in)
			require.Equal(t, footy.OutcomeVerified, b.post(oneGoal, "4").Verdict.Outcome, "%s %s: %s", kind, name, b.post(oneGoal, "4").Verdict.Detail)
			require.Equal(t, footy.OutcomeUnverified, b.post(oneGoal, "5").Verdict.Outcome, "the goal does not get the %s either, %s", kind, name)
		}
	}
}

// TestTheScoreBesideACardMayBeThatBeforeAGoalOfItsMinute: which of the two was first nobody says.
func TestTheScoreBesideACardMayBeThatBeforeAGoalOfItsMinute(t *testing.T) {
	t.Parallel()
	for minute, want := range map[int]footy.Outcome{67: footy.OutcomeVerified, 66: footy.OutcomeUnverified} {
		b := newBench(t)
		b.changeEvent(oneGoal, func(e *footy.Event) {
			e.Minute.Elapsed, e.ScoreBefore, e.ScoreAfter, e.ScoringTeam = minute, footy.ScoreOf(0, 0), footy.ScoreOf(1, 0), footy.SideHome
		})
		b.addEvent(footy.KindYellowCard, 67)
		b.changeEvent(theEvent, func(e *footy.Event) { e.ScoreBefore, e.ScoreAfter = footy.ScoreOf(1, 0), footy.ScoreOf(1, 0) })
		b.down.Clock, b.down.Decoder = true, clockwork{first: map[string]int{"it": 66*60 + 20}, score: &clockface.Score{}}
		b.model.saw = map[string]string{"it": "yellow_card"}
		b.x.film = map[string]string{"1": "it"}
		b.judged("1")
		require.Equal(t, want, b.post(theEvent, "1").Verdict.Outcome, b.post(theEvent, "1").Verdict.Detail)
	}
}

func TestWithoutAModelWhatIsNoGoalStaysUnverified(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.addEvent(footy.KindRedCard, 67)
	b.clocks(map[string]int{"it": 66*60 + 12})
	b.down.Reader = nil
	b.x.film = map[string]string{"1": "it"}
	b.judgedWith("Saka sent off", "1")
	v := b.post(theEvent, "1").Verdict
	require.Equal(t, footy.OutcomeUnverified, v.Outcome)
	require.Contains(t, v.Detail, "no model has looked for the red card")
}

// TestACancelledGoalKeepsItsClip: its clip is within three minutes of the next goal, and is not that goal's.
func TestACancelledGoalKeepsItsClip(t *testing.T) {
	t.Parallel()
	for _, kind := range []footy.Kind{footy.KindGoal, footy.KindVAR} {
		b := newBench(t)
		b.addEvent(kind, 65)
		b.changeEvent(theEvent, func(e *footy.Event) { e.Removed, e.RemovedReason, e.RemovedAt = true, footy.ReasonVAR, b.now() })
		b.model.clock["cancelled"] = "64:1"
		b.x.film = map[string]string{"1": "cancelled", "2": "goal"}
		in := b.open("1", "2")
		b.batch(in.Download, in)
		require.Equal(t, "refused sibling_goal", b.states(oneGoal)["1"])
		require.Equal(t, theEvent, b.post(oneGoal, "1").Verdict.Sibling)
		require.Equal(t, footy.OutcomeVerified, b.post(oneGoal, "2").Verdict.Outcome)
		require.Contains(t, b.states(theEvent), "1", "it is there if that one is reinstated")
	}
}

// TestOneGoalListedTwiceIsNoSibling: what a placeholder or a second listing showed is the goal itself.
func TestOneGoalListedTwiceIsNoSibling(t *testing.T) {
	t.Parallel()
	for _, why := range []footy.Reason{footy.ReasonPlaceholder, footy.ReasonListedTwice} {
		b := newBench(t)
		b.addEvent(footy.KindGoal, 66)
		b.changeEvent(theEvent, func(e *footy.Event) {
			e.Removed, e.RemovedReason, e.RemovedAt = true, why, b.now()
			if why == footy.ReasonListedTwice {
				e.SameAs = oneGoal
			}
		})
		b.model.clock["goal"] = "65:1"
		b.x.film = map[string]string{"1": "goal"}
		in := b.open("1")
		b.batch(in.Download, in)
		require.Equal(t, footy.OutcomeVerified, b.post(oneGoal, "1").Verdict.Outcome, b.post(oneGoal, "1").Verdict.Detail)
	}
}
