package ingest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/policy/enginetest"
)

func TestSmallPlanStillHasToday(t *testing.T) {
	t.Parallel()
	a, l, now := setup(t)
	l.err = footy.Errorf(footy.CodeNotInPlan, "ask feed", "plan: Free plans do not have access to this date")
	env := enginetest.Activity()
	env.RegisterActivity(a)
	out, err := env.ExecuteActivity(a.StoreDay, now.AddDate(0, 0, 2))
	require.NoError(t, err)
	var s ingest.Stored
	require.NoError(t, out.Get(&s))
	require.Equal(t, ingest.Stored{Beyond: true}, s)
	_, err = env.ExecuteActivity(a.StoreDay, *now)
	require.Error(t, err, "without today's list nothing is followed")
	l.err = footy.Errorf(footy.CodeUnavailable, "ask feed", "HTTP 503")
	_, err = env.ExecuteActivity(a.StoreDay, now.Add(48*time.Hour))
	require.Error(t, err, "could not look is not beyond the plan")
}
