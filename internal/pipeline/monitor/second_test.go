package monitor_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
)

// again takes a second look at a match, 15 s later.
func (b *bench) again(poll string, id int64) monitor.Todo {
	b.t.Helper()
	b.now = b.now.Add(15 * time.Second)
	p, err := b.call(monitor.Chunk{Poll: poll, IDs: []int64{id}})
	require.NoError(b.t, err)
	return b.decide(monitor.DecideInput{Poll: poll, Changed: p.Changed, Regressed: p.Regressed, SecondLook: true})
}

// TestAGoalIsCertainHalfAMinuteAfterItIsSeen: three looks 15 s apart.
func TestAGoalIsCertainHalfAMinuteAfterItIsSeen(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	b.add(footy.StageActive, match(2, 0))
	b.feed.list(match(1, 1), match(2, 0))
	require.Equal(t, 15*time.Second, b.plan("p1").SecondLook)
	p, err := b.poll("p1", 1, 2)
	require.NoError(t, err)
	require.Equal(t, []int64{1}, b.decide(monitor.DecideInput{Poll: "p1", Changed: p.Changed}).Voting, "the other has no goal")
	require.Empty(t, b.again("run of p1", 1).Searches)
	b.now = b.now.Add(15 * time.Second)
	p, err = b.poll("p2", 1, 2)
	require.NoError(t, err)
	todo := b.decide(monitor.DecideInput{Poll: "p2", Changed: p.Changed})
	require.Len(t, todo.Searches, 1)
	require.Empty(t, todo.Voting)
	e := b.fixture(1).Events[0]
	require.Equal(t, []string{"p1", "run of p1", "p2"}, e.Votes)
	require.Equal(t, 30*time.Second, e.CertainAt.Sub(e.FirstSeen))
}

func TestASecondLookThatMissesAGoalSaysNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	b.feed.list(match(1, 1))
	b.cycle(0, false, 1)
	b.feed.list(match(1, 0))
	b.again("run of p0", 1)
	f := b.fixture(1)
	require.Empty(t, f.Events[0].AbsentPolls)
	require.Equal(t, footy.ScoreOf(1, 0), f.Score, "nor does it take the goal from the score")
	require.Empty(t, b.rows(1, footy.EntryAbsence))
	require.Empty(t, b.rows(1, footy.EntryWithheld))
	b.now = b.now.Add(15 * time.Second)
	b.cycle(1, false, 1)
	require.Len(t, b.fixture(1).Events[0].AbsentPolls, 1, "the next cycle says so")
}

func TestAShortPlanHasNoSecondLook(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.add(footy.StageActive, match(1, 0))
	b.allows(100, 40)
	require.Zero(t, b.plan("p1").SecondLook)
	b.allows(7500, 7000)
	require.NotZero(t, b.plan("p2").SecondLook)
}
