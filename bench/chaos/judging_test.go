package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/bench/chaos/plan"
)

func TestNewsAreLostOrComeAgainOnlyForAReason(t *testing.T) {
	t.Parallel()
	of := func(kind, target string) plan.Plan {
		return plan.Plan{Faults: []plan.Fault{{Kind: kind, Target: target}}}
	}
	none := plan.Plan{}
	require.Equal(t, []string{"9 messages for 13 goals", "2 messages came twice"}, wrongNews(none, 13, 9, 2, false))
	require.Empty(t, wrongNews(none, 13, 13, 2, true), "a page that was killed does not know whom it told")
	require.Empty(t, wrongNews(of(plan.Restore, plan.State), 13, 9, 0, false), "of what was scored before a restore nobody is told")
	require.Len(t, wrongNews(of(plan.Restore, plan.State), 13, 13, 2, false), 1, "and nobody twice")
	require.Empty(t, wrongNews(of(plan.Rewind, plan.State), 13, 13, 2, false), "a database that was put back by hand does not know that it was")
	require.Len(t, wrongNews(of(plan.Rewind, plan.State), 13, 9, 0, false), 1, "so all are told")
	require.Len(t, wrongNews(of(plan.Rewind, plan.Engine), 13, 13, 2, false), 1)
}

func TestADayIsNotGivenUpWhileItGoesOn(t *testing.T) {
	t.Parallel()
	d := &judging{patience: patience}
	require.False(t, d.spent(patience+time.Minute, time.Second, true), "a clip came in the last moment: its post is edited within a minute")
	require.True(t, d.spent(patience+time.Minute, quiet+time.Second, true), "nothing is under way")
	require.False(t, d.spent(patience+time.Minute, quiet+time.Second, false))
	require.True(t, d.spent(2*patience, patience+time.Second, false), "it stands still")
	require.True(t, d.spent(3*patience+time.Second, time.Second, false), "it goes to and fro")
}
