package explain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

func TestAGoalWithoutClipSaysIfOperatorsTookThemAway(t *testing.T) {
	t.Parallel()
	down, hidden, seen, gone := footy.Clip{ID: "a", Hidden: true, Swept: true}, footy.Clip{ID: "b", Hidden: true}, footy.Clip{ID: "c"}, footy.Clip{ID: "d", Swept: true}
	for want, clips := range map[string][]footy.Clip{
		"No clip": {gone}, "Taken down": {hidden, down, gone}, "Hidden": {hidden, gone}, "Complete": {down, hidden, seen},
	} {
		e := footy.Event{CertainAt: time.Unix(1, 0), DownloadComplete: true, Clips: clips}
		require.Equal(t, want, explain.StatusOf(&e).Label)
	}
}
