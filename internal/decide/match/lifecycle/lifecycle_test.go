package lifecycle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
)

var (
	kickoff = time.Date(2026, 3, 7, 15, 0, 0, 0, time.UTC)
	w       = lifecycle.Defaults()
)

func at(code string) footy.Match {
	return footy.Match{ID: 1, Kickoff: kickoff, Status: footy.Status{Code: code}}
}

func fixture(stage footy.Stage, code string) footy.Fixture {
	return footy.Fixture{ID: 1, Stage: stage, Match: at(code)}
}

func TestUnknownStatusKeepsTheStage(t *testing.T) {
	t.Parallel()
	early := kickoff.Add(-5 * time.Hour)
	for _, stage := range footy.Stages {
		require.Empty(t, lifecycle.Plan(fixture(stage, "XYZ"), early, w).To, stage)
	}
	f := fixture(footy.StageActive, "FT")
	f.TerminalSince = kickoff
	lifecycle.Merge(&f, footy.Snapshot{Match: at("XYZ")}, kickoff)
	require.False(t, f.TerminalSince.IsZero(), "a code nobody knows says nothing about the end")
}

func TestPlan(t *testing.T) {
	t.Parallel()
	active, staging, completed := footy.StageActive, footy.StageStaging, footy.StageCompleted
	cases := map[string]struct {
		stage footy.Stage
		code  string
		after time.Duration // since kickoff
		set   func(*footy.Fixture)
		want  footy.Stage
		why   footy.Reason
	}{
		"too early":                              {staging, "NS", -31 * time.Minute, nil, "", ""},
		"the window's edge is inside":            {staging, "NS", -30 * time.Minute, nil, active, lifecycle.ReasonPreActivation},
		"past kickoff":                           {staging, "NS", 5 * time.Minute, nil, active, lifecycle.ReasonPreActivation},
		"a time to be defined comes near":        {staging, "TBD", 0, nil, active, lifecycle.ReasonPreActivation},
		"live hours before its kickoff":          {staging, "1H", -4 * time.Hour, nil, active, lifecycle.ReasonLive},
		"long forgotten":                         {staging, "NS", 25 * time.Hour, nil, "", ""},
		"called off in advance":                  {staging, "CANC", -5 * time.Hour, nil, completed, lifecycle.ReasonAllComplete},
		"postponed in advance":                   {staging, "PST", -5 * time.Hour, nil, "", ""},
		"postponed and given up":                 {staging, "PST", time.Hour, func(f *footy.Fixture) { f.PostponedAt = kickoff.Add(-24 * time.Hour) }, "", ""},
		"postponed today, may still begin":       {staging, "PST", 0, func(f *footy.Fixture) { f.PostponedAt = kickoff.Add(-time.Hour) }, active, lifecycle.ReasonPreActivation},
		"under way":                              {active, "2H", time.Hour, nil, "", ""},
		"postponed, waits":                       {active, "PST", 3 * time.Hour, func(f *footy.Fixture) { f.PostponedAt = kickoff }, "", ""},
		"postponed for a day":                    {active, "PST", 24 * time.Hour, func(f *footy.Fixture) { f.PostponedAt = kickoff }, staging, lifecycle.ReasonPostponed},
		"has a new date":                         {active, "TBD", -48 * time.Hour, nil, staging, lifecycle.ReasonNewDate},
		"delayed by a little":                    {active, "NS", -20 * time.Minute, nil, "", ""},
		"never began":                            {active, "NS", 24 * time.Hour, nil, staging, lifecycle.ReasonNeverBegan},
		"over without events":                    {active, "FT", 2 * time.Hour, over(2*time.Hour, nil), completed, lifecycle.ReasonAllComplete},
		"over, search still open":                {active, "FT", 2 * time.Hour, over(2*time.Hour, event(false, false)), "", ""},
		"over, search done":                      {active, "FT", 2 * time.Hour, over(2*time.Hour, event(true, false)), completed, lifecycle.ReasonAllComplete},
		"over, goal removed":                     {active, "FT", 2 * time.Hour, over(2*time.Hour, event(false, true)), completed, lifecycle.ReasonAllComplete},
		"over an hour, search still open":        {active, "FT", 3 * time.Hour, over(2*time.Hour, event(false, false)), completed, lifecycle.ReasonGraceOver},
		"over an hour, a goal seen twice":        {active, "FT", 3 * time.Hour, over(2*time.Hour, seen("a", "b")), "", ""},
		"over an hour, a goal nobody named":      {active, "FT", 3 * time.Hour, over(2*time.Hour, seen("a", "b", "c")), completed, lifecycle.ReasonGraceOver},
		"over a day, a goal seen twice":          {active, "FT", 26 * time.Hour, over(2*time.Hour, seen("a", "b")), completed, lifecycle.ReasonGraceOver},
		"over, the score counts an unlisted one": {active, "FT", 2 * time.Hour, over(2*time.Hour, score(1, 0)), "", ""},
		"a goal the vendor never lists":          {active, "FT", 3 * time.Hour, over(2*time.Hour, score(1, 0)), completed, lifecycle.ReasonGraceOver},
		"over, nobody said so first":             {active, "FT", 3 * time.Hour, event(false, false), "", ""},
		"awarded":                                {active, "AWD", time.Hour, over(time.Hour, nil), completed, lifecycle.ReasonAllComplete},
		"suspended, waits":                       {active, "SUSP", 70 * time.Hour, rests(0), "", ""},
		"suspended and never resumed":            {active, "SUSP", 72 * time.Hour, rests(0), completed, lifecycle.ReasonNeverResumed},
		"interrupted and never resumed":          {active, "INT", 74 * time.Hour, rests(2 * time.Hour), completed, lifecycle.ReasonNeverResumed},
		"resumed and interrupted again":          {active, "INT", 80 * time.Hour, rests(30 * time.Hour), "", ""},
		"an unknown status, waits":               {active, "XYZ", 2 * time.Hour, rests(time.Hour), "", ""},
		"an unknown status for days":             {active, "XYZ", 73 * time.Hour, rests(time.Hour), completed, lifecycle.ReasonNeverResumed},
		"an unknown status for days, waits":      {staging, "XYZ", 73 * time.Hour, rests(time.Hour), completed, lifecycle.ReasonNeverResumed},
		"played on after three days":             {active, "2H", 74 * time.Hour, func(f *footy.Fixture) { f.ActivatedAt = kickoff.Add(73 * time.Hour) }, "", ""},
		"forgotten in the second half":           {active, "2H", 96 * time.Hour, nil, completed, lifecycle.ReasonNeverResumed},
		"completed, still suspended":             {completed, "SUSP", 90 * time.Hour, rests(time.Hour), "", ""},
		"completed, the status is not known":     {completed, "XYZ", 90 * time.Hour, rests(time.Hour), "", ""},
		"given up, the answer is as it was":      {completed, "2H", 100 * time.Hour, nil, "", ""},
		"completed, played on after all":         {completed, "2H", 90 * time.Hour, rests(90 * time.Hour), active, lifecycle.ReasonLive},
		"completed stays":                        {completed, "FT", 3 * time.Hour, nil, "", ""},
		"completed goes on after all":            {completed, "ET", 2 * time.Hour, nil, active, lifecycle.ReasonLive},
		"completed is played again":              {completed, "NS", -72 * time.Hour, nil, staging, lifecycle.ReasonNewDate},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := fixture(c.stage, c.code)
			if c.set != nil {
				c.set(&f)
			}
			m := lifecycle.Plan(f, kickoff.Add(c.after), w)
			require.Equal(t, c.want, m.To)
			require.Equal(t, c.why, m.Reason)
			require.Equal(t, m.To != "", m.Kind != "")
		})
	}
}

func over(after time.Duration, more func(*footy.Fixture)) func(*footy.Fixture) {
	return func(f *footy.Fixture) {
		f.TerminalSince = kickoff.Add(after)
		if more != nil {
			more(f)
		}
	}
}

// rests is a match that came to rest so long after its kickoff.
func rests(after time.Duration) func(*footy.Fixture) {
	return func(f *footy.Fixture) { f.PlayedAt = kickoff.Add(after) }
}

func event(complete, removed bool) func(*footy.Fixture) {
	return func(f *footy.Fixture) {
		f.Events = []footy.Event{{Kind: footy.KindGoal, DownloadComplete: complete, Removed: removed}}
	}
}

// seen is a goal that is not certain, with the polls that saw it.
func seen(polls ...string) func(*footy.Fixture) {
	return func(f *footy.Fixture) { f.Events = []footy.Event{{Kind: footy.KindGoal, Votes: polls}} }
}

func score(h, a int) func(*footy.Fixture) {
	return func(f *footy.Fixture) { f.Score = footy.ScoreOf(h, a) }
}

// codes are those the feed documents, one nobody has seen and none.
func codes() []string {
	out := []string{"XYZ", ""}
	for _, in := range footy.Statuses() {
		out = append(out, in.Code)
	}
	return out
}

func TestPlanDoesNotFlapAfterItsMove(t *testing.T) {
	t.Parallel()
	for _, code := range codes() {
		for _, stage := range footy.Stages {
			for _, after := range []time.Duration{-72 * time.Hour, -30 * time.Minute, 0, time.Hour, 3 * time.Hour, 30 * time.Hour} {
				f := fixture(stage, code)
				now := kickoff.Add(after)
				lifecycle.Merge(&f, footy.Snapshot{Match: at(code)}, now)
				for range 3 {
					m := lifecycle.Plan(f, now, w)
					if m.To == "" || m.To == f.Stage {
						break
					}
					lifecycle.Apply(&f, m, now)
					f.Stage = m.To
				}
				m := lifecycle.Plan(f, now, w)
				require.True(t, m.To == "" || m.To == f.Stage, "%s %s %s keeps moving: %+v", code, stage, after, m)
			}
		}
	}
}

func TestMergeClearsNothingItDoesNotKnow(t *testing.T) {
	t.Parallel()
	f := fixture(footy.StageActive, "1H")
	elapsed := 40
	lifecycle.Merge(&f, footy.Snapshot{Match: footy.Match{Status: footy.Status{Code: "1H", Elapsed: &elapsed}, Venue: "Anfield"}, Score: footy.ScoreOf(1, 1),
		Teams: footy.Teams{Home: footy.Team{ID: 40, Name: "Liverpool"}}, Periods: footy.Periods{Halftime: footy.ScoreOf(1, 1)}}, kickoff)
	lifecycle.Merge(&f, footy.Snapshot{Match: footy.Match{Status: footy.Status{Code: "HT"}}}, kickoff)
	require.Equal(t, footy.ScoreOf(1, 1), f.Score, "a null score never clears a known one")
	require.Equal(t, footy.ScoreOf(1, 1), f.Periods.Halftime)
	require.Equal(t, "Anfield", f.Match.Venue)
	require.Equal(t, "Liverpool", f.Teams.Home.Name)
	require.Equal(t, "HT", f.Match.Status.Code)
	require.True(t, f.Match.Kickoff.Equal(kickoff))
}

func TestTerminalAnswersAreCountedFromTheFirst(t *testing.T) {
	t.Parallel()
	f := fixture(footy.StageActive, "2H")
	say := func(code string, after time.Duration) {
		lifecycle.Merge(&f, footy.Snapshot{Match: at(code)}, kickoff.Add(after))
	}
	say("FT", 2*time.Hour)
	say("FT", 2*time.Hour+time.Minute)
	require.Equal(t, kickoff.Add(2*time.Hour), f.TerminalSince)
	say("2H", 2*time.Hour+2*time.Minute)
	require.True(t, f.TerminalSince.IsZero(), "a live answer resets the grace")
	say("PST", 3*time.Hour)
	say("PST", 4*time.Hour)
	require.Equal(t, kickoff.Add(3*time.Hour), f.PostponedAt)
	say("NS", 5*time.Hour)
	require.True(t, f.PostponedAt.IsZero())
}

func TestChangedIgnoresARunningClock(t *testing.T) {
	t.Parallel()
	f := fixture(footy.StageActive, "2H")
	clock := func(n int) footy.Snapshot {
		s := footy.Snapshot{Match: at("2H"), Score: footy.ScoreOf(1, 0)}
		s.Match.Status.Elapsed = &n
		return s
	}
	changes := func(s footy.Snapshot) bool {
		after := f
		lifecycle.Merge(&after, s, kickoff)
		return lifecycle.Changed(f, after, w)
	}
	require.True(t, changes(clock(60)))
	lifecycle.Merge(&f, clock(60), kickoff)
	require.False(t, changes(clock(60)))
	require.False(t, changes(clock(65)))
	require.True(t, changes(clock(70)), "the yardstick for anomalies must not grow too old")
	require.True(t, changes(clock(59)))
	s := clock(61)
	s.Score = footy.ScoreOf(2, 0)
	require.True(t, changes(s))
	s = clock(61)
	s.Match.Status.Code = "FT"
	require.True(t, changes(s))
}

func TestStagingIsPolledOncePerSlot(t *testing.T) {
	t.Parallel()
	f := fixture(footy.StageStaging, "NS")
	slot := 15 * time.Minute
	require.True(t, lifecycle.StagingDue(f, kickoff, slot))
	f.LastMonitor = kickoff.Add(time.Second)
	require.False(t, lifecycle.StagingDue(f, kickoff.Add(14*time.Minute), slot))
	require.True(t, lifecycle.StagingDue(f, kickoff.Add(15*time.Minute), slot))
}

func TestForgottenMatchesAreAskedRarely(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"PST", "NS", "TBD"} {
		f := fixture(footy.StageActive, code)
		polls := 0
		for at := kickoff; at.Before(kickoff.Add(24 * time.Hour)); at = at.Add(30 * time.Second) {
			if lifecycle.Due(f, at, w, false) {
				polls++
				f.LastMonitor = at
			}
		}
		require.Equal(t, 240+22*4, polls, "%s: two hours every 30 s, then every 15 min", code)
	}
	f := fixture(footy.StageActive, "2H")
	f.LastMonitor = kickoff.Add(5 * time.Hour)
	require.False(t, lifecycle.Rare(f, kickoff.Add(5*time.Hour), w))
}

// TestAMatchThatRestsIsAskedRarelyAndIsLiveWhenPlayedOn goes through the days of a match that is suspended after an hour.
func TestAMatchThatRestsIsAskedRarelyAndIsLiveWhenPlayedOn(t *testing.T) {
	t.Parallel()
	day := func(code string, resumes time.Duration) (polls int, f footy.Fixture, rows []footy.Reason) {
		f = fixture(footy.StageActive, "1H")
		f.ActivatedAt = kickoff
		for now := kickoff; now.Before(kickoff.Add(5 * 24 * time.Hour)); now = now.Add(30 * time.Second) {
			if !lifecycle.Due(f, now, w, false) {
				continue
			}
			said := "2H"
			if after := now.Sub(kickoff); after >= time.Hour && after < resumes {
				said = code
			} else if after >= resumes+time.Hour {
				said = "FT"
			}
			polls++
			m := at(said)
			if said == "2H" {
				m.Status.Elapsed = minutes(1 + int(now.Sub(kickoff).Minutes()))
			}
			lifecycle.Merge(&f, footy.Snapshot{Match: m}, now)
			if m := lifecycle.Plan(f, now, w); m.To != "" {
				lifecycle.Apply(&f, m, now)
				rows = append(rows, m.Reason)
			}
		}
		return polls, f, rows
	}
	for _, code := range []string{"SUSP", "INT", "XYZ"} {
		polls, f, rows := day(code, 1000*time.Hour)
		require.Equal(t, footy.StageCompleted, f.Stage)
		require.Equal(t, []footy.Reason{lifecycle.ReasonNeverResumed}, rows)
		require.Equal(t, 358+22*4+48+1, polls, "%s: three hours every 30 s, a day every 15 min, then each hour", code)
		for _, resumes := range []time.Duration{2 * time.Hour, 20 * time.Hour, 47 * time.Hour, 70 * time.Hour} {
			polls, f, rows = day(code, resumes)
			require.Equal(t, []footy.Reason{lifecycle.ReasonAllComplete}, rows, "%s: played on after %s", code, resumes)
			require.Equal(t, "FT", f.Match.Status.Code)
			require.GreaterOrEqual(t, polls, 120+60, "%s: played on after %s it is live again", code, resumes)
		}
	}
}

// TestAMatchThatRestsEndsWhateverAFeedSaysNowAndThen: only a clock or a score that goes on is play.
func TestAMatchThatRestsEndsWhateverAFeedSaysNowAndThen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ rests, stray footy.Status }{
		"suspended, live once a day":             {footy.Status{Code: "SUSP", Elapsed: minutes(37)}, footy.Status{Code: "1H", Elapsed: minutes(37)}},
		"suspended without a minute":             {footy.Status{Code: "SUSP"}, footy.Status{Code: "1H", Elapsed: minutes(37)}},
		"live without a minute":                  {footy.Status{Code: "SUSP", Elapsed: minutes(37)}, footy.Status{Code: "LIVE"}},
		"live for days, suspended once":          {footy.Status{Code: "1H", Elapsed: minutes(37)}, footy.Status{Code: "SUSP"}},
		"unknown, half-time once":                {footy.Status{Code: "XYZ"}, footy.Status{Code: "HT", Elapsed: minutes(37)}},
		"no status at all":                       {footy.Status{}, footy.Status{}},
		"a status that is not said now and then": {footy.Status{Code: "INT"}, footy.Status{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := fixture(footy.StageActive, "")
			f.ActivatedAt = kickoff
			var polls, answers int
			for now := kickoff; now.Before(kickoff.Add(6 * 24 * time.Hour)); now = now.Add(30 * time.Second) {
				if !lifecycle.Due(f, now, w, false) {
					continue
				}
				polls++
				said := c.rests
				if after := now.Sub(kickoff); after < 37*time.Minute && name != "no status at all" {
					said = footy.Status{Code: "1H", Elapsed: minutes(int(after.Minutes()))}
				} else if answers++; answers%300 == 0 || after%(24*time.Hour) > 23*time.Hour+30*time.Minute {
					said = c.stray
				}
				lifecycle.Merge(&f, footy.Snapshot{Match: footy.Match{ID: 1, Kickoff: kickoff, Status: said}}, now)
				if m := lifecycle.Plan(f, now, w); m.To != "" {
					lifecycle.Apply(&f, m, now)
				}
			}
			require.Equal(t, footy.StageCompleted, f.Stage)
			require.Less(t, polls, 6*24*60)
		})
	}
}

func minutes(n int) *int { return &n }

func TestTracked(t *testing.T) {
	t.Parallel()
	s := footy.Snapshot{League: footy.League{ID: 39}, Teams: footy.Teams{Home: footy.Team{ID: 40}, Away: footy.Team{ID: 42}}}
	other := footy.Snapshot{League: footy.League{ID: 5000}, Teams: footy.Teams{Home: footy.Team{ID: 1}, Away: footy.Team{ID: 42}}}
	require.True(t, lifecycle.Tracked(s, lifecycle.Follow{}))
	require.False(t, lifecycle.Tracked(other, lifecycle.Follow{}))
	require.True(t, lifecycle.Tracked(other, lifecycle.Follow{Leagues: []int64{39}, Teams: []int64{42}}), "either list is enough")
	require.False(t, lifecycle.Tracked(s, lifecycle.Follow{Leagues: []int64{140}}), "a list replaces the default")
}

func TestAdmitPutsANewFixtureWhereItBelongs(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]footy.Stage{"NS": footy.StageStaging, "TBD": footy.StageStaging, "1H": footy.StageActive,
		"FT": footy.StageCompleted, "PST": footy.StageStaging, "XYZ": footy.StageStaging} {
		require.Equal(t, want, lifecycle.Admit(footy.Snapshot{Match: at(code)}, kickoff.Add(-10*time.Hour), w), code)
	}
}

func TestScaledDividesWaitsOnly(t *testing.T) {
	t.Parallel()
	s := w.Scaled(30)
	require.Equal(t, time.Minute, s.PreActivate)
	require.Equal(t, 2*time.Minute, s.CompletionGrace)
	require.Equal(t, w, w.Scaled(1))
	require.Equal(t, w, w.Scaled(0))
}

func TestNewDateIsMoreThanADelay(t *testing.T) {
	t.Parallel()
	told := func(stage footy.Stage, code string, before time.Time) footy.Reason {
		was := fixture(stage, "NS")
		was.Match.Kickoff = before
		m := lifecycle.News(was, fixture(stage, code), w)
		require.Equal(t, m.Reason != "", m.Kind == footy.EntryRescheduled)
		return m.Reason
	}
	for _, stage := range []footy.Stage{footy.StageStaging, footy.StageActive} {
		require.Equal(t, lifecycle.ReasonDelayed, told(stage, "NS", kickoff.Add(-40*time.Minute)))
		require.Equal(t, lifecycle.ReasonDelayed, told(stage, "PST", kickoff.Add(-40*time.Minute)))
		require.Empty(t, told(stage, "1H", kickoff.Add(-3*time.Minute)), "it began late, and goes on")
		require.Empty(t, told(stage, "NS", kickoff))
		require.Empty(t, told(stage, "NS", kickoff.Add(40*time.Minute)), "sooner")
		require.Empty(t, told(stage, "NS", time.Time{}))
	}
	require.Equal(t, lifecycle.ReasonNewDate, told(footy.StageStaging, "NS", kickoff.Add(24*time.Hour)))
	require.Equal(t, lifecycle.ReasonNewDate, told(footy.StageStaging, "NS", kickoff.AddDate(0, -3, 0)))
	require.Empty(t, told(footy.StageActive, "NS", kickoff.Add(24*time.Hour)), "of an active one its move tells")
	require.Empty(t, told(footy.StageCompleted, "NS", kickoff.Add(-time.Hour)))
}

// TestAMatchThatIsOverSaysWhatHoldsIt once, when it is first said to be over.
func TestAMatchThatIsOverSaysWhatHoldsIt(t *testing.T) {
	t.Parallel()
	was, f := fixture(footy.StageActive, "2H"), fixture(footy.StageActive, "FT")
	event(false, false)(&f)
	f.Score, f.TerminalSince = footy.ScoreOf(2, 1), kickoff.Add(2*time.Hour)
	m := lifecycle.News(was, f, w)
	require.Equal(t, footy.EntryOver, m.Kind)
	require.Empty(t, m.To)
	require.Equal(t, "FT", m.Evidence.Status)
	require.Equal(t, 1, m.Evidence.Open)
	require.Positive(t, m.Evidence.Unlisted)
	require.Empty(t, lifecycle.News(f, f, w).Kind, "it was said")
}

func TestMatchesTheVendorForgotAreAskedRarely(t *testing.T) {
	t.Parallel()
	f := fixture(footy.StageActive, "2H")
	f.Trouble = &footy.Trouble{Since: kickoff.Add(time.Hour)}
	require.False(t, lifecycle.Rare(f, kickoff.Add(4*time.Hour), w), "an outage during play is waited out at full pace")
	require.True(t, lifecycle.Rare(f, kickoff.Add(5*time.Hour), w))
	f.Trouble.Since = kickoff.Add(4 * time.Hour)
	require.False(t, lifecycle.Rare(f, kickoff.Add(5*time.Hour), w), "a long match is not forgotten yet")
}

func TestGoalsThatAreNotFollowedAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	f := fixture(footy.StageActive, "FT")
	f.Score, f.TerminalSince = footy.ScoreOf(2, 1), kickoff.Add(2*time.Hour)
	now := f.TerminalSince.Add(time.Minute)
	require.Empty(t, lifecycle.Plan(f, now, w).To, "an unlisted goal may still come")
	cards := w
	cards.Unlisted = false
	require.Equal(t, footy.StageCompleted, lifecycle.Plan(f, now, cards).To)
}

// TestAGoalThatIsMissingAtTheEndIsDecidedOnFirst: cancelled with the last kick, it would stand for ever if the match were
// completed at its first answer without it.
func TestAGoalThatIsMissingAtTheEndIsDecidedOnFirst(t *testing.T) {
	t.Parallel()
	w, now := lifecycle.Defaults(), time.Date(2026, 11, 14, 17, 0, 0, 0, time.UTC)
	f := footy.Fixture{ID: 1, Stage: footy.StageActive, TerminalSince: now, Events: []footy.Event{{UID: "1-1", DownloadComplete: true, AbsentPolls: []string{"poll-1"}}}}
	f.Match.Status.Code = "FT"
	require.Empty(t, lifecycle.Plan(f, now, w).To, "two more answers without it, or one with it")
	require.Equal(t, footy.StageCompleted, lifecycle.Plan(f, now.Add(w.CompletionGrace), w).To, "but not longer than the grace")
	f.Events[0].Removed = true
	require.Equal(t, footy.StageCompleted, lifecycle.Plan(f, now, w).To)
}
