package rule_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
)

const date = "2026-11-14"

// match is one of league 78 at an hour of the day: team 1 at home, team 2 away.
func match(id int64, hour int, events ...footy.Event) footy.Fixture {
	f := footy.Fixture{ID: id, Events: events, League: footy.League{ID: 78, Name: "Bundesliga"},
		Teams: footy.Teams{Home: footy.Team{ID: 1, Name: "Bayern München"}, Away: footy.Team{ID: 2, Name: "1. FC Köln"}}}
	f.Match.Kickoff = time.Date(2026, 11, 14, hour, 30, 0, 0, time.UTC)
	return f
}

// scored is a goal with clips of that many seconds, the first ranked best.
func scored(uid string, minute, home, away int, seconds ...float64) footy.Event {
	e := footy.Event{UID: uid, Kind: footy.KindGoal, Minute: footy.Minute{Elapsed: minute}, Player: footy.Person{Name: "Scorer " + uid},
		Team: footy.Team{ID: 1}, ScoreAfter: footy.ScoreOf(home, away), ScoringTeam: footy.SideHome}
	for i, s := range seconds {
		d := fmt.Sprintf("%s%d-0123456789abcdef", uid, i)
		e.Clips = append(e.Clips, footy.Clip{ID: footy.ClipID(d), Digest: d, Key: "clips/" + d, Duration: s, Rank: i + 1, Verified: true, Popularity: 10 - minute/10})
	}
	return e
}

func change(e footy.Event, do func(*footy.Event)) footy.Event {
	do(&e)
	return e
}

func day(t *testing.T) rule.Scope { return scope(t, rule.OfDay, 0) }

func scope(t *testing.T, kind rule.Kind, id int64) rule.Scope {
	t.Helper()
	s, err := rule.ScopeOf(kind, id, date, time.UTC)
	require.NoError(t, err)
	return s
}

// shown is what a plan shows, in a line.
func shown(p rule.Plan) (out string) {
	for _, piece := range p.Pieces {
		out += fmt.Sprintf("%s %.0f ", piece.EventUID, float64(piece.Frames)/rule.Rate)
	}
	for _, l := range p.LeftOut {
		out += fmt.Sprintf("(%s %s) ", l.EventUID, l.Why)
	}
	return out
}

func TestAReelShowsTheBestClipOfEachGoalThatStands(t *testing.T) {
	t.Parallel()
	hidden := func(e *footy.Event) { e.Clips[0].Hidden = true }
	for name, c := range map[string]struct {
		asked    time.Duration
		fixtures []footy.Fixture
		want     string
	}{
		"nothing":                             {fixtures: []footy.Fixture{match(1, 14)}, want: ""},
		"in order of kickoff, then of minute": {fixtures: []footy.Fixture{match(2, 17, scored("c", 3, 1, 0, 8)), match(1, 14, scored("b", 70, 2, 0, 8), scored("a", 9, 1, 0, 8))}, want: "a 8 b 8 c 8 "},
		"two of one minute by the score":      {fixtures: []footy.Fixture{match(1, 14, scored("b", 9, 2, 0, 8), scored("a", 9, 1, 0, 8))}, want: "a 8 b 8 "},
		"stoppage time":                       {fixtures: []footy.Fixture{match(1, 14, change(scored("b", 45, 2, 0, 8), func(e *footy.Event) { e.Minute.Extra = 2 }), scored("a", 45, 1, 0, 8), scored("c", 46, 3, 0, 8))}, want: "a 8 b 8 c 8 "},
		"the best ranked":                     {fixtures: []footy.Fixture{match(1, 14, scored("a", 9, 1, 0, 8, 12))}, want: "a 8 "},
		"not what is hidden":                  {fixtures: []footy.Fixture{match(1, 14, change(scored("a", 9, 1, 0, 8, 12), hidden))}, want: "a 12 "},
		"a compilation last":                  {fixtures: []footy.Fixture{match(1, 14, change(scored("a", 9, 1, 0, 8, 12), func(e *footy.Event) { e.Clips[0].Compiled = true }))}, want: "a 12 "},
		"only what is verified":               {fixtures: []footy.Fixture{match(1, 14, change(scored("a", 9, 1, 0, 8), func(e *footy.Event) { e.Clips[0].Verified = false }), scored("b", 10, 2, 0))}, want: "(a no_verified_clip) (b no_verified_clip) "},
		"no removed goal, no card":            {fixtures: []footy.Fixture{match(1, 14, change(scored("a", 9, 1, 0, 8), func(e *footy.Event) { e.Removed = true }), change(scored("b", 9, 1, 0, 8), func(e *footy.Event) { e.Kind = footy.KindRedCard }))}, want: ""},
		"no goal of another day":              {fixtures: []footy.Fixture{match(1, 25, scored("a", 9, 1, 0, 8))}, want: ""},
		"20 s of each where nothing is asked": {fixtures: []footy.Fixture{match(1, 14, scored("a", 9, 1, 0, 8), scored("b", 10, 2, 0, 55))}, want: "a 8 b 20 "},
		"the length is shared":                {asked: 33 * time.Second, fixtures: []footy.Fixture{match(1, 14, scored("a", 9, 1, 0, 50), scored("b", 10, 2, 0, 6), scored("c", 11, 3, 0, 50))}, want: "a 12 b 6 c 12 "},
		"what is longer than its clips":       {asked: 10 * time.Minute, fixtures: []footy.Fixture{match(1, 14, scored("a", 9, 1, 0, 50))}, want: "a 50 "},
		"what does not fit is told":           {asked: 13 * time.Second, fixtures: []footy.Fixture{match(1, 14, scored("a", 90, 1, 0, 50), scored("b", 10, 2, 0, 50), scored("c", 11, 3, 0, 50))}, want: "b 5 c 5 (a did_not_fit) "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := rule.Make(day(t), c.asked, c.fixtures)
			require.Equal(t, c.want, shown(p))
			if c.asked > 0 {
				require.LessOrEqual(t, rule.Length(p.Frames()), c.asked)
			}
		})
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	other := match(2, 16, scored("c", 5, 1, 0, 8))
	other.League.ID, other.Teams.Home.ID, other.Teams.Away.ID = 39, 7, 8
	list := []footy.Fixture{match(1, 14, scored("a", 9, 1, 0, 8), change(scored("b", 12, 1, 1, 8), func(e *footy.Event) { e.ScoringTeam = footy.SideAway })), other}
	for want, s := range map[string]rule.Scope{"a 8 b 8 c 8 ": day(t), "a 8 b 8 ": scope(t, rule.OfLeague, 78), "b 8 ": scope(t, rule.OfTeam, 2), "c 8 ": scope(t, rule.OfMatch, 2), "": scope(t, rule.OfTeam, 5)} {
		require.Equal(t, want, shown(rule.Make(s, 0, list)), s.Name())
	}
	p := rule.Make(scope(t, rule.OfMatch, 1), 0, list)
	require.Equal(t, [2]string{"Bayern München v 1. FC Köln", "Bundesliga, 14 November 2026"}, p.Title)
	require.Equal(t, [2]string{"Scorer b 12'", "Bayern München 1–1 1. FC Köln"}, p.Pieces[1].Lines)
	require.Equal(t, [2]string{"Goals of 1. FC Köln", "Saturday 14 November 2026"}, rule.Make(scope(t, rule.OfTeam, 2), 0, list).Title)

	berlin := time.FixedZone("Europe/Berlin", 3600)
	s, err := rule.ScopeOf(rule.OfLeague, 78, date, berlin)
	require.NoError(t, err)
	require.Equal(t, "league-78-2026-11-14+0100", s.Name(), "which Paris and Rome share")
	late := match(3, 23, scored("d", 9, 1, 0, 8)) // it is the 15th there
	require.True(t, day(t).Has(&late))
	require.False(t, s.Has(&late))
	for _, bad := range []func() (rule.Scope, error){
		func() (rule.Scope, error) { return rule.ScopeOf("season", 1, date, time.UTC) },
		func() (rule.Scope, error) { return rule.ScopeOf(rule.OfTeam, 0, date, time.UTC) },
		func() (rule.Scope, error) { return rule.ScopeOf(rule.OfDay, 0, "14.11.", time.UTC) },
	} {
		_, err := bad()
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
	}
}

func TestTheKeyNamesWhatIsShown(t *testing.T) {
	t.Parallel()
	base := func() []footy.Fixture {
		return []footy.Fixture{match(1, 14, scored("a", 9, 1, 0, 8, 12), scored("b", 10, 2, 0, 8))}
	}
	key := func(do func(f *footy.Fixture)) string {
		list := base()
		do(&list[0])
		return rule.Make(day(t), 0, list).Key
	}
	same := key(func(*footy.Fixture) {})
	for name, do := range map[string]func(*footy.Fixture){
		"a poll": func(f *footy.Fixture) { f.Revision++; f.UpdatedAt = time.Now() },
		"another clip below": func(f *footy.Fixture) {
			f.Events[0].Clips = append(f.Events[0].Clips, footy.Clip{ID: "x", Rank: 3, Verified: true, Duration: 9})
		},
		"a goal without a clip": func(f *footy.Fixture) { f.Events = append(f.Events, scored("c", 80, 3, 0)) },
	} {
		require.Equal(t, same, key(do), name)
	}
	for name, do := range map[string]func(*footy.Fixture){
		"a better clip":      func(f *footy.Fixture) { f.Events[0].Clips[0].Rank, f.Events[0].Clips[1].Rank = 2, 1 },
		"a goal taken back":  func(f *footy.Fixture) { f.Events[1].Removed = true },
		"a clip taken down":  func(f *footy.Fixture) { f.Events[0].Clips[0].Hidden = true },
		"another scorer":     func(f *footy.Fixture) { f.Events[0].Player.Name = "Somebody else" },
		"another score":      func(f *footy.Fixture) { f.Events[0].ScoreAfter = footy.ScoreOf(0, 1) },
		"another goal":       func(f *footy.Fixture) { f.Events = append(f.Events, scored("c", 80, 3, 0, 9)) },
		"another name of it": func(f *footy.Fixture) { f.Teams.Home.Name = "FC Bayern" },
	} {
		require.NotEqual(t, same, key(do), name)
	}
	list := base()
	require.NotEqual(t, same, rule.Make(day(t), 15*time.Second, list).Key, "another length")
}

func TestWhatMayStillBeShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(*footy.Fixture)
		want bool
	}{
		"as it was":         {func(*footy.Fixture) {}, true},
		"a better clip":     {func(f *footy.Fixture) { f.Events[0].Clips[0].Rank = 9 }, true},
		"a merged clip":     {func(f *footy.Fixture) { f.Events[0].Clips[0].ReplacedBy = f.Events[0].Clips[1].ID }, true},
		"a goal taken back": {func(f *footy.Fixture) { f.Events[0].Removed = true }, false},
		"a hidden clip":     {func(f *footy.Fixture) { f.Events[0].Clips[0].Hidden = true }, false},
		"its better one hidden": {func(f *footy.Fixture) {
			f.Events[0].Clips[0].ReplacedBy = f.Events[0].Clips[1].ID
			f.Events[0].Clips[1].Hidden = true
		}, false},
		"clips that are gone":  {func(f *footy.Fixture) { f.Events[0].Clips = nil }, false},
		"a match that is gone": {func(f *footy.Fixture) { f.ID = 99 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := []footy.Fixture{match(1, 14, scored("a", 9, 1, 0, 8, 12), scored("b", 10, 2, 0, 8))}
			p := rule.Make(day(t), 0, list)
			c.do(&list[0])
			require.Equal(t, c.want, p.Shows(list))
		})
	}
}

func TestChaptersLieEndToEnd(t *testing.T) {
	t.Parallel()
	p := rule.Make(day(t), 0, []footy.Fixture{match(1, 14, scored("a", 9, 1, 0, 8.2), scored("b", 10, 2, 0, 30))})
	at := time.Duration(0)
	for _, c := range p.Chapters() {
		require.Equal(t, at, c.Start)
		require.Greater(t, c.End, c.Start)
		at = c.End
	}
	require.Equal(t, rule.Length(p.Frames()), at)
}

func TestWhatIsWatchedLeastRecentlyMakesRoom(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 14, 18, 0, 0, 0, time.UTC)
	stored := func(key string, before time.Duration) rule.Stored {
		return rule.Stored{Key: key, Size: 10, Used: now.Add(-before)}
	}
	all := []rule.Stored{stored("b", 3*time.Hour), stored("a", 9*time.Hour), stored("c", 2*time.Hour)}
	for name, c := range map[string]struct {
		over int64
		want []string
	}{
		"what fits stays":              {0, nil},
		"no more than is needed":       {1, []string{"a"}},
		"to the byte":                  {20, []string{"a", "b"}},
		"more than there is":           {99, []string{"a", "b", "c"}},
		"less than there is room left": {-5, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var keys []string
			for _, s := range rule.Surplus(all, c.over) {
				keys = append(keys, s.Key)
			}
			require.Equal(t, c.want, keys)
		})
	}
}
