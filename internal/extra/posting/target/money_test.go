package target_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world/serve/search/paid"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// TestPostsAtXWaitForMoney: 402 was a refusal of the goal for good.
func TestPostsAtXWaitForMoney(t *testing.T) {
	t.Parallel()
	for want, remedy := range map[paid.Want]string{paid.NoCredits: "Add credits", paid.MonthlyCap: "Raise the monthly cap"} {
		wants := want
		x := &social.X{Account: &paid.Account{Wants: func() paid.Want { return wants }}}
		b := setup(t, onX(serve(t, x)))
		b.clip("aa", 1000, true)
		require.Error(t, b.look())
		require.Contains(t, b.posting().Error, remedy)
		require.Empty(t, b.posting().Refused)
		wants = paid.Nothing
		b.now = b.now.Add(2 * time.Minute)
		require.NoError(t, b.look())
		require.Len(t, x.Standing(), 1)
		require.Empty(t, b.posting().Error)

		wants = want
		b.change(func(e *footy.Event) { e.Removed = true })
		require.Error(t, b.look())
		wants = paid.Nothing
		b.now = b.now.Add(2 * time.Minute)
		require.NoError(t, b.look(), "a deletion waits for nothing but its next try")
		require.Empty(t, x.Standing())
	}
}
