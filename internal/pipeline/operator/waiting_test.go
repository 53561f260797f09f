package operator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/operator"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/state"
)

func TestAPostIsGivenUpByTheIDOfItsPage(t *testing.T) {
	t.Parallel()
	c, err := config.Parse(map[string]string{"STATE_DIR": t.TempDir()})
	require.NoError(t, err)
	_, err = state.OpenExistingStore(t.Context(), c, "list posts")
	require.True(t, footy.IsNotFound(err), "no database is not the same as nothing that waits")
	s, err := state.OpenStore(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	require.NoError(t, s.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, Events: []footy.Event{{UID: "1-1", ID: "1_40_7_Goal_1"}}}))
	p := footy.Post{EventUID: "1-1", PostID: "7", FixtureID: 1, State: footy.PostWaiting, Reason: footy.ReasonStorage, WaitingSince: time.Now(), NextTry: time.Now().Add(time.Hour)}
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{p}))
	op := &operator.Operator{Store: s, Page: silent{}, Now: time.Now}
	n, err := op.GiveUp(t.Context(), ledger.Selection{EventUID: "1_40_7_Goal_1", PostID: "7"})
	require.NoError(t, err, "an event goes by the id of its page, too")
	require.Equal(t, 1, n)
	p, err = s.Post(t.Context(), "1-1", "7")
	require.NoError(t, err)
	require.Equal(t, footy.PostRefused, p.State)
}
