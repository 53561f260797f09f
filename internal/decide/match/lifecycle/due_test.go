package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

var noon = time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)

func TestWhoIsDue(t *testing.T) {
	t.Parallel()
	now := noon.Add(7 * time.Minute) // within a slot
	for name, c := range map[string]struct {
		stage        footy.Stage
		status       string
		ago          time.Duration // since kickoff
		asked        time.Duration // before now; 0 = never
		paid, single bool
	}{
		"waits, slot not asked":           {footy.StageStaging, "NS", -2 * time.Hour, 0, true, false},
		"waits, slot asked":               {footy.StageStaging, "NS", -2 * time.Hour, time.Minute, false, false},
		"waits, slot before asked":        {footy.StageStaging, "NS", -2 * time.Hour, 8 * time.Minute, true, false},
		"waits for days":                  {footy.StageStaging, "NS", -50 * time.Hour, time.Minute, false, false},
		"waits for days, not asked today": {footy.StageStaging, "NS", -50 * time.Hour, 20 * time.Hour, true, false},
		"no date":                         {footy.StageStaging, "TBD", 50 * time.Hour, time.Minute, false, false},
		"begins soon":                     {footy.StageActive, "NS", -20 * time.Minute, time.Minute, true, false},
		"should have begun":               {footy.StageActive, "NS", time.Minute, time.Minute, true, true},
		"under way":                       {footy.StageActive, "1H", 20 * time.Minute, time.Minute, true, true},
		"over":                            {footy.StageActive, "FT", 2 * time.Hour, time.Minute, true, true},
		"put off, asked in its slot":      {footy.StageActive, "PST", 3 * time.Hour, time.Minute, false, false},
		"put off, slot not asked":         {footy.StageActive, "PST", 3 * time.Hour, 20 * time.Minute, true, true},
		"complete":                        {footy.StageCompleted, "FT", 3 * time.Hour, time.Minute, false, false},
	} {
		f := footy.Fixture{Stage: c.stage, Match: footy.Match{Kickoff: now.Add(-c.ago), Status: footy.Status{Code: c.status}}}
		if c.asked > 0 {
			f.LastMonitor = now.Add(-c.asked)
		}
		require.Equal(t, c.paid, lifecycle.Due(f, now, lifecycle.Defaults(), false), name)
		require.Equal(t, c.single, lifecycle.Due(f, now, lifecycle.Defaults(), true), name)
	}
}
