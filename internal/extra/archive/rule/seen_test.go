package rule_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/archive/rule"
	"github.com/found-footy/found-footy/internal/footy"
)

var kickoff = time.Date(2026, 5, 3, 15, 0, 0, 0, time.UTC)

// played is a match that is over, with one clip.
func played() footy.Fixture {
	return footy.Fixture{ID: 1, Stage: footy.StageCompleted, Match: footy.Match{Kickoff: kickoff},
		Teams:  footy.Teams{Home: footy.Team{Name: "Arsenal"}, Away: footy.Team{Name: "Chelsea"}},
		Events: []footy.Event{{UID: "1-1", Kind: footy.KindGoal, Player: footy.Person{Name: "Saka"}, Minute: footy.Minute{Elapsed: 67}, Clips: []footy.Clip{{ID: "c", Verified: true, AddedAt: kickoff.Add(2 * time.Hour)}}}}}
}

func TestWhatAClipProves(t *testing.T) {
	t.Parallel()
	s, ok := rule.Shows(played(), "1-1", "c")
	require.True(t, ok)
	require.Equal(t, footy.Seen{FixtureID: 1, EventUID: "1-1", ClipID: "c", Home: "Arsenal", Away: "Chelsea", Kickoff: kickoff, Kind: footy.KindGoal, Player: "Saka",
		Minute: footy.Minute{Elapsed: 67}, AddedAt: kickoff.Add(2 * time.Hour)}, s)
	for name, change := range map[string]func(*footy.Fixture){
		"its match is not over":    func(f *footy.Fixture) { f.Stage = footy.StageActive },
		"its goal does not stand":  func(f *footy.Fixture) { f.Events[0].Removed = true },
		"its moment is not proven": func(f *footy.Fixture) { f.Events[0].Clips[0].Verified = false },
		"an operator hid it":       func(f *footy.Fixture) { f.Events[0].Clips[0].Hidden = true },
		"it is gone":               func(f *footy.Fixture) { f.Events[0].Clips = nil },
	} {
		f := played()
		change(&f)
		_, ok := rule.Shows(f, "1-1", "c")
		require.False(t, ok, name)
	}
}

func TestOnlyWhatWasKeptBeforeAMatchShowsNothingOfIt(t *testing.T) {
	t.Parallel()
	s, _ := rule.Shows(played(), "1-1", "c")
	day := 24 * time.Hour
	for name, c := range map[string]struct {
		match int64
		began time.Time
		goal  footy.Event
		want  bool
	}{
		"a week later":                              {2, kickoff.Add(7 * day), footy.Event{FirstSeen: kickoff.Add(7*day + time.Hour)}, true},
		"right after it was kept":                   {2, kickoff.Add(2*time.Hour + time.Second), footy.Event{}, true},
		"under way when it was kept":                {2, kickoff.Add(time.Hour), footy.Event{FirstSeen: kickoff.Add(5 * time.Hour)}, false},
		"at the same time":                          {2, kickoff, footy.Event{}, false},
		"earlier":                                   {2, kickoff.Add(-day), footy.Event{}, false},
		"later by a kickoff that was moved":         {2, kickoff.Add(7 * day), footy.Event{FirstSeen: kickoff.Add(time.Hour)}, false},
		"later by a clock, and it fell long before": {2, kickoff.Add(7 * day), footy.Event{FirstSeen: kickoff.Add(8 * day), HappenedAt: kickoff}, false},
		"the same match":                            {1, kickoff.Add(7 * day), footy.Event{}, false},
		"a match without a date":                    {2, time.Time{}, footy.Event{FirstSeen: kickoff.Add(7 * day)}, false},
	} {
		require.Equal(t, c.want, rule.Before(s, footy.Fixture{ID: c.match, Match: footy.Match{Kickoff: c.began}}, c.goal), name)
	}
	require.False(t, rule.Before(footy.Seen{FixtureID: 1, Kickoff: kickoff}, footy.Fixture{ID: 2, Match: footy.Match{Kickoff: kickoff.Add(day)}}, footy.Event{}), "nobody knows when it was kept")
}

func TestWhatStaysOfAMatch(t *testing.T) {
	t.Parallel()
	f := played()
	f.Events[0].Clips = append(f.Events[0].Clips, footy.Clip{ID: "copy", Verified: true, ReplacedBy: "c"}, footy.Clip{ID: "unproven"})
	print := footy.Fingerprint{Version: footy.FingerprintVersion, Frames: make([]footy.Frame, 1)}
	var all []footy.StoredFingerprint
	for _, id := range []string{"c", "copy", "unproven", "gone"} {
		all = append(all, footy.StoredFingerprint{EventUID: "1-1", FixtureID: 1, ClipID: id, Fingerprint: print})
	}
	kept := rule.Keeps(f, all)
	require.Len(t, kept, 1)
	require.Equal(t, "c", kept[0].ClipID)
	require.Equal(t, "Arsenal", kept[0].Seen.Home)
	require.Nil(t, all[0].Seen, "what was handed in is as it was")
}

// TestFindSaysTheSameOfOldFootageAsADownload: the two had a rule each.
func TestFindSaysTheSameOfOldFootageAsADownload(t *testing.T) {
	t.Parallel()
	for _, s := range []footy.Seen{{FixtureID: 1, AddedAt: kickoff, Kickoff: kickoff.Add(time.Hour)}, {FixtureID: 1, AddedAt: kickoff.Add(time.Hour), Kickoff: kickoff}} {
		after := rule.OldAfter(s)
		require.Equal(t, kickoff.Add(time.Hour), *after)
		for _, began := range []time.Time{*after, after.Add(time.Second)} {
			f := footy.Fixture{ID: 2, Match: footy.Match{Kickoff: began}}
			require.Equal(t, began.After(*after), rule.Before(s, f, footy.Event{}))
		}
	}
	require.Nil(t, rule.OldAfter(footy.Seen{FixtureID: 1, Kickoff: kickoff}), "nobody knows when it was kept")
}
