package clock_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
)

// afternoon are eight matches that kick off together, as a feed without codes names them, and what graphics call their teams.
func afternoon() (teams [][2]clock.Team, codes [][]string) {
	for _, m := range [][4]string{
		{"Arsenal", "Chelsea", "ARS", "CHE"}, {"Manchester City", "Aston Villa", "MCI", "AVL"}, {"Manchester United", "Liverpool", "MUN", "LIV"},
		{"Tottenham", "West Ham", "TOT", "WHU"}, {"Newcastle", "Nottingham Forest", "NEW", "NFO"}, {"Crystal Palace", "Brighton", "CRY", "BHA"},
		{"Fulham", "Brentford", "FUL", "BRE"}, {"Everton", "Wolves", "EVE", "WOL"},
	} {
		teams = append(teams, [2]clock.Team{{Name: m[0]}, {Name: m[1]}})
		codes = append(codes, []string{m[2], m[3]})
	}
	return teams, codes
}

func TestCodesTellEightMatchesOfTheSameMinuteApart(t *testing.T) {
	t.Parallel()
	teams, codes := afternoon()
	for i := range teams {
		for k := range 2 { // as a feed that has codes
			teams[i][k].Codes = []string{codes[i][k]}
		}
	}
	for goal := range teams {
		q := clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3, Teams: teams[goal]}
		for i, m := range teams {
			if i != goal {
				q.Others = append(q.Others, m)
			}
		}
		for shown := range teams {
			t.Run(fmt.Sprint(codes[shown], " for ", codes[goal]), func(t *testing.T) {
				t.Parallel()
				read := from(67, 30, 8)
				read.Codes = codes[shown]
				v, ruling := clock.CheckRunning(read, q)
				if shown == goal {
					require.Equal(t, clock.AskPicture, ruling)
					require.Contains(t, v.Detail, fmt.Sprintf("the codes %s and %s beside the clock are the teams'", codes[goal][0], codes[goal][1]))
					require.Equal(t, footy.OutcomeVerified, clock.WithoutModel(q, v, false).Outcome, "the post need not name the match")
					return
				}
				if goal == 2 && shown == 1 { // MCI may be meant for Manchester United
					require.Equal(t, footy.OutcomeUnverified, v.Outcome, v.Detail)
					return
				}
				require.Equal(t, footy.ReasonOtherMatch, v.Reason, v.Detail)
				require.Equal(t, clock.Decided, ruling)
			})
		}
	}
}

func TestNamesAloneVerifyNoOtherMatch(t *testing.T) {
	t.Parallel()
	teams, codes := afternoon()
	for goal := range teams {
		for shown := range teams {
			read := from(67, 30, 8)
			read.Codes = codes[shown]
			v, _ := clock.CheckRunning(read, clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3, Teams: teams[goal], Others: slices.Delete(slices.Clone(teams), goal, goal+1)})
			require.Equal(t, shown == goal, v.Outcome == footy.OutcomeVerified, "%v for %v: %s", codes[shown], codes[goal], v.Detail)
			require.Equal(t, shown == goal, v.Teams)
		}
	}
}

func TestWordsBesideAClock(t *testing.T) {
	t.Parallel()
	teams, _ := afternoon()
	q := clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3, Teams: [2]clock.Team{
		{Name: "Bayern Munich", Names: []string{"fc bayern"}, Codes: []string{"FCB"}}, {Name: "Spain", Codes: []string{"ESP"}}}, Others: teams}
	plain, _ := clock.CheckRunning(from(67, 30, 8), q)
	for name, c := range map[string]struct {
		words   []string
		outcome footy.Outcome
		proven  bool // that it is this match
	}{
		"none":                                     {nil, footy.OutcomeVerified, false},
		"unknown ones say nothing":                 {[]string{"LIVE", "SKY", "XYZ"}, footy.OutcomeVerified, false},
		"codes of the feed":                        {[]string{"FCB", "ESP"}, footy.OutcomeVerified, true},
		"names":                                    {[]string{"BAYERN", "SPAIN"}, footy.OutcomeVerified, true},
		"one of them":                              {[]string{"ESP"}, footy.OutcomeVerified, true},
		"what may be a team's proves nothing":      {[]string{"BYM"}, footy.OutcomeVerified, false},
		"nor does one with a strange word":         {[]string{"MUN", "QQQ"}, footy.OutcomeVerified, false},
		"the teams' beside results of others":      {[]string{"FCB", "ESP", "ARS", "CHE"}, footy.OutcomeVerified, true},
		"another match's":                          {[]string{"ARS", "CHE"}, footy.OutcomeRejected, false},
		"one code of another match holds it back":  {[]string{"ARS"}, footy.OutcomeUnverified, false},
		"of two other matches, too":                {[]string{"ARS", "LIV"}, footy.OutcomeUnverified, false},
		"another match's, but one may be a team's": {[]string{"MUN", "LIV"}, footy.OutcomeUnverified, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := from(67, 30, 8)
			read.Codes = c.words
			v, ruling := clock.CheckRunning(read, q)
			require.Equal(t, c.outcome, v.Outcome, v.Detail)
			require.Equal(t, c.outcome == footy.OutcomeRejected, ruling == clock.Decided)
			require.Equal(t, c.proven, clock.WithoutModel(q, v, false).Outcome == footy.OutcomeVerified, v.Detail)
			if !c.proven && c.outcome == footy.OutcomeVerified {
				require.Equal(t, plain.Detail, v.Detail)
			}
		})
	}
}

func TestAWrongMinuteStaysWrongBesideTheTeamsCodes(t *testing.T) {
	t.Parallel()
	teams, codes := afternoon()
	read := from(52, 10, 8)
	read.Codes = codes[0]
	v, ruling := clock.CheckRunning(read, clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3, Teams: teams[0]})
	require.Equal(t, footy.ReasonWrongMinute, v.Reason)
	require.Equal(t, clock.Decided, ruling)
}

// Feeds leave names out, and have names of letters that are none of ours.
func TestATeamWithoutAReadableNameIsNoWordsTeam(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "!!", "浦和", "1"} {
		read := from(67, 30, 8)
		read.Codes = []string{"ARS", "CHE"}
		q := clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3, Teams: [2]clock.Team{{Name: name}, {Name: name}}, Others: [][2]clock.Team{{{Name: name}, {Name: name}}}}
		v, _ := clock.CheckRunning(read, q)
		require.Equal(t, footy.OutcomeVerified, v.Outcome, "%q: %s", name, v.Detail)
	}
}

// TestAMisreadLetterProvesAndRefusesNothing: a line across an I makes a T of it, a glint within a U a W, and the reader is sure.
func TestAMisreadLetterProvesAndRefusesNothing(t *testing.T) {
	t.Parallel()
	coded := func(home, away string) [2]clock.Team {
		return [2]clock.Team{{Name: "Home", Codes: []string{home}}, {Name: "Away", Codes: []string{away}}}
	}
	for name, c := range map[string]struct {
		goal, other [2]clock.Team
		words       []string
		outcome     footy.Outcome
		proven      bool
	}{
		"the goal's INT is not held back as another's TNT":      {coded("INT", "ROM"), coded("TNT", "KAW"), []string{"TNT"}, footy.OutcomeVerified, false},
		"nor refused with a second word":                        {coded("INT", "ROM"), coded("TNT", "KAW"), []string{"TNT", "KAW"}, footy.OutcomeUnverified, false},
		"the code that was read right proves":                   {coded("INT", "ROM"), coded("TNT", "KAW"), []string{"TNT", "ROM"}, footy.OutcomeVerified, true},
		"another's INT is not the goal's TNT":                   {coded("TNT", "KAW"), coded("INT", "ROM"), []string{"TNT"}, footy.OutcomeVerified, false},
		"another's MUN is not the goal's MWN":                   {coded("MWN", "KAW"), coded("LIV", "MUN"), []string{"MWN"}, footy.OutcomeVerified, false},
		"two codes of which another match explains one":         {coded("TNT", "KAW"), coded("INT", "ROM"), []string{"TNT", "KAW"}, footy.OutcomeVerified, true},
		"two codes of which another match explains both":        {coded("TNT", "KAW"), coded("INT", "KAW"), []string{"TNT", "KAW"}, footy.OutcomeVerified, false},
		"letters that do not look alike tell two matches apart": {coded("SUN", "ROM"), coded("MUN", "LIV"), []string{"MUN", "LIV"}, footy.OutcomeRejected, false},
		"and prove the goal's by one code":                      {coded("SUN", "ROM"), coded("MUN", "LIV"), []string{"SUN"}, footy.OutcomeVerified, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read := from(67, 30, 8)
			read.Codes = c.words
			q := clock.Question{Minute: footy.Minute{Elapsed: 68}, Tolerance: 3, Teams: c.goal, Others: [][2]clock.Team{c.other}}
			v, _ := clock.CheckRunning(read, q)
			require.Equal(t, c.outcome, v.Outcome, v.Detail)
			require.Equal(t, c.proven, clock.WithoutModel(q, v, false).Outcome == footy.OutcomeVerified, v.Detail)
		})
	}
}
