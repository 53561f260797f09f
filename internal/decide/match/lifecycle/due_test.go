package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/calls"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

func TestWhoIsDueAndHowItCanBeSeen(t *testing.T) {
	t.Parallel()
	quiet := noon.Add(7 * time.Minute) // within a slot
	vote := func(f *footy.Fixture) { f.Events = []footy.Event{{FirstSeen: quiet.Add(-time.Minute)}} }
	absent := func(f *footy.Fixture) {
		f.Events = []footy.Event{{CertainAt: noon, AbsentPolls: []string{"p"}, UpdatedAt: quiet.Add(-time.Minute)}}
	}
	unknownScorer := func(f *footy.Fixture) { f.Events = []footy.Event{{FirstSeen: quiet.Add(-time.Hour)}} }
	askedAnd := func(with func(*footy.Fixture)) func(*footy.Fixture) {
		return func(f *footy.Fixture) { with(f); f.LastMonitor = quiet.Add(-time.Minute) }
	}
	askedYesterday := func(f *footy.Fixture) { f.LastMonitor = quiet.Add(-20 * time.Hour) }
	asked := func(f *footy.Fixture) { f.LastMonitor = quiet.Add(-time.Minute) }
	const no = calls.Seen(-1)
	for name, c := range map[string]struct {
		stage      footy.Stage
		status     string
		ago        time.Duration // since kickoff
		with       func(*footy.Fixture)
		paid, free calls.Seen
	}{
		"waits, slot not asked":            {footy.StageStaging, "NS", -2 * time.Hour, nil, calls.Apart, no},
		"waits for days":                   {footy.StageStaging, "NS", -50 * time.Hour, asked, no, no},
		"waits for days, not asked today":  {footy.StageStaging, "NS", -50 * time.Hour, askedYesterday, calls.Apart, no},
		"no date, not asked today":         {footy.StageStaging, "TBD", 50 * time.Hour, askedYesterday, calls.Apart, no},
		"no date":                          {footy.StageStaging, "TBD", 50 * time.Hour, asked, no, no},
		"not heard of since its kickoff":   {footy.StageActive, "NS", 3 * time.Hour, askedYesterday, calls.Expected, calls.Expected},
		"has not begun, asked since":       {footy.StageActive, "NS", 3 * time.Hour, asked, no, no},
		"waits, slot asked":                {footy.StageStaging, "NS", -5 * time.Hour, asked, no, no},
		"about to begin":                   {footy.StageActive, "NS", -10 * time.Minute, nil, calls.Expected, no},
		"should begin":                     {footy.StageActive, "NS", time.Minute, nil, calls.Expected, calls.Expected},
		"late":                             {footy.StageActive, "NS", time.Hour, nil, calls.Expected, calls.Expected},
		"under way":                        {footy.StageActive, "1H", 20 * time.Minute, nil, calls.UnderWay, calls.UnderWay},
		"suspended":                        {footy.StageActive, "SUSP", 20 * time.Minute, nil, calls.UnderWay, calls.UnderWay},
		"a code nobody has seen":           {footy.StageActive, "XYZ", 20 * time.Minute, nil, calls.UnderWay, calls.UnderWay},
		"over":                             {footy.StageActive, "FT", 2 * time.Hour, nil, calls.Apart, calls.Apart},
		"over, slot asked":                 {footy.StageActive, "FT", 2 * time.Hour, asked, calls.Apart, no},
		"over, votes open":                 {footy.StageActive, "FT", 2 * time.Hour, askedAnd(vote), calls.Apart, calls.Apart},
		"over, a goal is missing":          {footy.StageActive, "FT", 2 * time.Hour, askedAnd(absent), calls.Apart, calls.Apart},
		"over, a scorer nobody ever named": {footy.StageActive, "FT", 2 * time.Hour, askedAnd(unknownScorer), calls.Apart, no},
		"under way for long, not seen":     {footy.StageActive, "2H", 3 * time.Hour, nil, calls.UnderWay, calls.Apart},
		"under way for long, seen":         {footy.StageActive, "ET", 3 * time.Hour, asked, calls.UnderWay, calls.UnderWay},
		"postponed":                        {footy.StageActive, "PST", time.Hour, asked, calls.Apart, no},
		"postponed for hours":              {footy.StageActive, "PST", 3 * time.Hour, nil, calls.Apart, calls.Apart},
		"postponed for hours, slot asked":  {footy.StageActive, "PST", 3 * time.Hour, asked, no, no},
		"completed":                        {footy.StageCompleted, "FT", 3 * time.Hour, nil, no, no},
	} {
		f := footy.Fixture{ID: 3, Stage: c.stage, Match: footy.Match{Kickoff: quiet.Add(-c.ago), Status: footy.Status{Code: c.status}}}
		if c.with != nil {
			c.with(&f)
		}
		for can, want := range map[calls.Can]calls.Seen{paid: c.paid, freeKey: c.free} {
			m, due := reckoning(can).Due(f, quiet, lifecycle.Pace{Staging: 1, Live: 1})
			require.Equal(t, want != no, due, "%s, %+v", name, can)
			if due {
				require.Equal(t, want, m.Seen, "%s, %+v", name, can)
			}
		}
	}
}

func TestAMatchThatDoesNotBeginIsAskedForByItsID(t *testing.T) {
	t.Parallel()
	f := footy.Fixture{ID: 8, Stage: footy.StageActive, Match: footy.Match{Kickoff: noon, Status: footy.Status{Code: "NS"}}}
	byID := 0
	for at := noon; at.Before(noon.Add(time.Hour)); at = at.Add(30 * time.Second) {
		m, due := reckoning(freeKey).Due(f, at, lifecycle.Pace{Staging: 8, Live: 5})
		if due && m.Slot {
			require.GreaterOrEqual(t, at.Sub(noon), 15*time.Minute)
			f.LastMonitor = at
			byID++
		}
	}
	require.Equal(t, 3, byID, "once a slot")
}
