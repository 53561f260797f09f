package script_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/script"
)

func TestTheDefaultDayHoldsEverySituation(t *testing.T) {
	t.Parallel()
	s := script.Default()
	kinds, posts, goals, statuses := map[string]int{}, map[string]int{}, 0, map[string]bool{}
	for _, f := range s.Fixtures {
		for _, turn := range f.Turns {
			statuses[turn.Status] = true
		}
		for _, e := range f.Events {
			kinds[e.Kind]++
			if script.Scores(e.Kind) {
				goals++
			}
			for _, p := range e.Posts {
				posts[p.Kind]++
			}
		}
	}
	require.GreaterOrEqual(t, len(s.Fixtures), 8)
	require.GreaterOrEqual(t, goals, 20)
	for _, k := range []string{script.Goal, script.OwnGoal, script.Penalty, script.MissedPenalty, script.ShootoutScored, script.ShootoutMissed, script.RedCard,
		script.YellowCard, script.VARDecision} {
		require.NotZero(t, kinds[k], k)
	}
	for _, k := range []string{script.Master, script.Reencode, script.Small, script.Trimmed, script.Watermarked, script.Neighbour, script.PhoneFilm,
		script.Meme, script.NotFootball, script.Portrait, script.TwoSecond, script.Truncated, script.CutFile, script.Deleted, script.GeoBlocked,
		script.Cropped, script.Mirrored, script.IntroCard, script.Compilation, script.OldGoal, script.NoVideo} {
		require.NotZero(t, posts[k], k)
	}
	for _, st := range []string{"PST", "TBD", "ABD"} {
		require.True(t, statuses[st], st)
	}
	modes := map[string]bool{}
	for _, f := range s.Feed.Failures {
		modes[f.Mode] = true
	}
	require.Len(t, modes, 3)
}

func TestTheDefaultDayFitsItsFourMinutes(t *testing.T) {
	t.Parallel()
	s := script.Default()
	wall := func(minutes float64) float64 { return minutes * 60 / 30 }
	for _, f := range s.Fixtures {
		if f.KickoffHours != 0 || f.Untracked {
			continue
		}
		for _, e := range f.Events {
			if script.Scores(e.Kind) {
				at := wall(f.Happens(e))
				require.True(t, at > 12 && at < 205, "%d %s at %.0f s", f.ID, e.Key, at)
			}
		}
	}
	require.Less(t, wall(s.End()), 245.0)
}

func TestTwoGoalsFallInOneMinuteOfDifferentMatches(t *testing.T) {
	t.Parallel()
	s := script.Default()
	one, _ := s.Fixture(1300101)
	two, _ := s.Fixture(1300102)
	a, _ := one.Event("first")
	b, _ := two.Event("opener")
	require.InDelta(t, one.Happens(a), two.Happens(b), 0.01)
}

func TestWhatTheOutageTouchesIsQuietMeanwhile(t *testing.T) {
	t.Parallel()
	s := script.Default()
	for _, o := range s.Outages {
		require.GreaterOrEqual(t, len(o.Fixtures), 4)
		for _, x := range o.Fixtures {
			f, ok := s.Fixture(x.Fixture)
			require.True(t, ok)
			for _, e := range f.Events {
				require.False(t, f.Happens(e) > o.From-4 && f.Happens(e) < o.From+o.Minutes, "%d %s", f.ID, e.Key)
			}
		}
	}
}

func TestAScriptWithAMistakeIsRefusedByName(t *testing.T) {
	t.Parallel()
	good := string(script.DefaultJSON())
	for name, tt := range map[string][3]string{
		"typo in a key":    {`"half_time"`, `"halftime"`, "halftime"},
		"unknown kind":     {`"kind": "phonefilm"`, `"kind": "fonefilm"`, "fonefilm"},
		"unknown event":    {`"kind": "own_goal"`, `"kind": "owngoal"`, "owngoal"},
		"unknown team":     {`"home": 40`, `"home": 4000`, "no team 4000"},
		"not JSON":         {`"name": "saturday"`, `"name" "saturday"`, "line 2"},
		"dangling footage": {`"of": "hat1"`, `"of": "hat9"`, "hat9"},
	} {
		require.Contains(t, good, tt[0], name)
		_, err := script.Parse([]byte(strings.Replace(good, tt[0], tt[1], 1)))
		require.ErrorContains(t, err, tt[2], name)
	}
	_, err := script.Load(t.TempDir() + "/none.json")
	require.ErrorContains(t, err, "none.json")
}

func TestTruthNamesAReasonForEveryBadPost(t *testing.T) {
	t.Parallel()
	reasons := map[string]int{}
	for _, p := range script.Default().Truth() {
		reasons[p.Reason]++
	}
	for _, r := range []string{"", script.TooShort, script.IsPortrait, script.NotSoccer, script.Screen, script.WrongMinute, script.SiblingGoal,
		script.IsTruncated, script.IsDeleted, script.IsGeo, script.IsNoVideo} {
		require.NotZero(t, reasons[r], "reason %q", r)
	}
}
