package explain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/tell/explain"
)

func TestTheObjectiveInASentence(t *testing.T) {
	t.Parallel()
	o := stats.Objective{Share: 0.9, Within: 5 * time.Minute}
	require.Equal(t, "In the last 7 days 83 % of 120 goals had a verified clip within 5 min; the objective is 90 %.", explain.Objective(o, stats.Kept{Met: 100, Missed: 20}, 7))
	require.Equal(t, "In the last 24 hours 0 % of 1 goal had a verified clip within 5 min; the objective is 90 %.", explain.Objective(o, stats.Kept{Missed: 1}, 1))
	require.Equal(t, "90 % of the goals should have a verified clip within 5 min; no goal of the last 7 days is that old yet.", explain.Objective(o, stats.Kept{}, 7))
}
