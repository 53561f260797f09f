package round_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
)

func event(team footy.Team, player, minute string, id string) footy.Event {
	e := footy.Event{Team: team, Player: footy.Person{Name: player}, ID: id, Minute: footy.Minute{Elapsed: 90, Extra: 2}}
	if minute == "" {
		e.Minute.Extra = 0
	}
	return e
}

func TestMint(t *testing.T) {
	t.Parallel()
	e := event(footy.Team{ID: 40, Name: "Manchester United"}, "R. Højlund", "+", "900_40_7_Goal_1")
	round.Begin(&e, time.Now())
	require.Equal(t, "twitter-Manchester_United-Hojlund-90+2min-900_40_7_Goal_1", e.Round.Workflow)
	require.Equal(t, "upload-900_40_7_Goal_1", e.UploadWorkflow)
	require.Equal(t, "download3-Manchester_United-Hojlund-900_40_7_Goal_1", round.DownloadID(e, 3))
	require.True(t, round.SearchesFor(e))
	require.Equal(t, "download-again1-900_40_7_Goal_1", round.RetryID(&e))
	require.Equal(t, "download-again2-900_40_7_Goal_1", round.RetryID(&e))
	before := round.DownloadID(e, 4)
	round.TakeUp(&e, e.Round.Workflow)
	e.Player.Name, e.ID = "Bruno Fernandes Jr.", "900_40_8_Goal_1"
	require.False(t, round.SearchesFor(e))
	require.Equal(t, before, round.DownloadID(e, 4), "ids are built from what was minted")
	round.Begin(&e, time.Now())
	require.Equal(t, "twitter-Manchester_United-Fernandes-90+2min-900_40_8_Goal_1-r2", e.Round.Workflow)
	require.Equal(t, "upload-900_40_7_Goal_1", e.UploadWorkflow)
	require.Equal(t, "twitter-Manchester_United-Hojlund-90+2min-900_40_7_Goal_1", e.Round.Before, "it may still run and is told")
	require.NotEqual(t, before, round.DownloadID(e, 4), "no id is given twice")
	require.True(t, round.SearchesFor(e))
	round.RestartSearch(&e)
	require.Equal(t, "twitter-Manchester_United-Fernandes-90+2min-900_40_8_Goal_1-r2-g2", e.Round.Workflow)
}

// TestAnUploadIsNamedAsItsCertainEvent: what a sibling goal offers an event before its scorer is known does not name its Upload for good.
func TestAnUploadIsNamedAsItsCertainEvent(t *testing.T) {
	t.Parallel()
	e := event(footy.Team{ID: 40, Name: "Liverpool"}, "", "+", "900_40_0_Goal_1")
	require.Equal(t, "download-again1-900_40_0_Goal_1", round.RetryID(&e))
	e.Player.Name, e.ID = "Szoboszlai", "900_40_234_Goal_1"
	round.Begin(&e, time.Now())
	require.Equal(t, "upload-900_40_234_Goal_1", e.UploadWorkflow)
	require.Equal(t, "download-again2-900_40_234_Goal_1", round.RetryID(&e))
}

var allowed = regexp.MustCompile(`^[A-Za-z0-9_+-]+$`)

func TestMintedIdsAreSafeForAnyName(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		e := event(footy.Team{ID: 1, Name: rapid.String().Draw(rt, "team")}, rapid.String().Draw(rt, "player"), "+", "1_1_0_Goal_1")
		for range 2 {
			round.Begin(&e, time.Now())
			for _, id := range []string{e.Round.Workflow, e.UploadWorkflow, round.DownloadID(e, 12), round.RetryID(&e)} {
				require.Regexp(rt, allowed, id)
			}
		}
	})
}
