package debounce_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/footy"
)

// story is the truth about one goal, in polls of the whole match.
type story struct {
	g         footy.FeedEvent
	from      int // first poll that lists it
	namedFrom int // first poll that names its scorer
	gone      int // first poll it is cancelled; 0 = stands
	fixed     int // first poll with its scorer corrected; 0 = never
	fixedTo   footy.Person
}

func (s story) at(poll int) (footy.FeedEvent, bool) {
	g := s.g
	if poll < s.from || s.gone > 0 && poll >= s.gone {
		return g, false
	}
	if poll < s.namedFrom {
		g.Player = footy.Person{}
	}
	if s.fixed > 0 && poll >= s.fixed {
		g.Player = s.fixedTo
	}
	return g, true
}

const matchPolls = 24

// stories draws a match. Goals of one side are apart, so that each can be told from the others whatever happens to it.
func stories(rt *rapid.T) []story {
	var out []story
	minute := 1
	for i := range rapid.IntRange(0, 8).Draw(rt, "goals") {
		minute += rapid.IntRange(4, 12).Draw(rt, "gap")
		team := rapid.SampledFrom([]int64{home, away}).Draw(rt, "team")
		player := int64(100*i) + 1
		s := story{g: goal(team, player, fmt.Sprintf("Player%c", 'A'+i), minute), from: rapid.IntRange(1, 16).Draw(rt, "from")}
		s.namedFrom = s.from + rapid.SampledFrom([]int{0, 0, 0, 2, 4}).Draw(rt, "unknown")
		switch rapid.IntRange(0, 5).Draw(rt, "fate") {
		case 0:
			s.gone = s.from + rapid.IntRange(1, 10).Draw(rt, "gone")
		case 1:
			s.fixed, s.fixedTo = s.namedFrom+rapid.IntRange(1, 10).Draw(rt, "fixed"), footy.Person{ID: player + 50, Name: fmt.Sprintf("Other%c", 'A'+i)}
		}
		out = append(out, s)
	}
	return out
}

// listing is what an honest feed lists at a poll, shuffled.
func listing(rt *rapid.T, all []story, poll int) []footy.FeedEvent {
	var out []footy.FeedEvent
	for _, s := range all {
		if g, ok := s.at(poll); ok {
			out = append(out, g)
		}
	}
	if len(out) > 1 {
		out = rapid.Permutation(out).Draw(rt, "order")
	}
	return out
}

func TestGoalsBecomeCertainOnceAndGoOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		all := stories(rt)
		m := newMatch(rt)
		certain, removed := map[string]int{}, map[string]int{}
		seen := make([]int, len(all)) // polls that named the scorer the goal has now, since he was first named
		absent := make([]int, len(all))
		for poll := 1; poll <= matchPolls; poll++ {
			if rapid.IntRange(0, 5).Draw(rt, "lost") == 0 {
				continue // the poll failed: nothing was answered
			}
			events := listing(rt, all, poll)
			s := answer(events)
			if len(events) > 0 && rapid.IntRange(0, 6).Draw(rt, "double") == 0 {
				s.Events = append(s.Events, s.Events[0])
			}
			for _, d := range m.polls(s, false) {
				switch d.Kind {
				case footy.EntryCertain:
					certain[d.EventUID]++
				case footy.EntryRemoved:
					removed[d.EventUID]++
				}
			}
			for i, st := range all {
				if g, ok := st.at(poll); ok {
					if g.Player.ID != 0 {
						seen[i]++
					}
				} else if poll > st.from {
					absent[i]++
				}
			}
		}
		for uid, n := range certain {
			require.Equal(rt, 1, n, "%s became certain %d times", uid, n)
		}
		for uid, n := range removed {
			require.Equal(rt, 1, n, "%s was removed %d times", uid, n)
		}
		for i, st := range all {
			e := find(m.f, st)
			if st.fixed == 0 && seen[i] >= 3 {
				require.NotNil(rt, e, "goal %v was lost", st)
				require.True(rt, e.Certain(), "goal %v stayed for %d polls", st, seen[i])
			}
			if st.gone == 0 && e != nil {
				require.False(rt, e.Removed, "goal %v stands", st)
			}
			if st.gone > 0 && absent[i] >= 3 && e != nil {
				require.True(rt, e.Removed, "goal %v is gone for %d polls", st, absent[i])
			}
		}
		require.LessOrEqual(rt, len(m.f.Events), len(all), "a goal was invented")
	})
}

// find returns the event of a story: goals are far enough apart to be known by their minute.
func find(f footy.Fixture, s story) *footy.Event {
	for i := range f.Events {
		if f.Events[i].Minute == s.g.Minute {
			return &f.Events[i]
		}
	}
	return nil
}

func TestScoreEqualsTheGoalsOrAnOmissionIsReported(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		all := stories(rt)
		m := newMatch(rt)
		for poll := 1; poll <= matchPolls; poll++ {
			s := answer(listing(rt, all, poll))
			if len(s.Events) > 0 && rapid.IntRange(0, 3).Draw(rt, "omit") == 0 {
				i := rapid.IntRange(0, len(s.Events)-1).Draw(rt, "which")
				s.Events = slices.Delete(slices.Clone(s.Events), i, i+1)
			}
			ds := m.polls(s, false)
			live := 0
			for _, e := range m.f.Events {
				if e.Standing() {
					live++
				}
			}
			listed := score.CountGoals(s.Teams, s.Events)
			reported := *s.Score.Home > listed.Home || *s.Score.Away > listed.Away || has(ds, footy.EntryWithheld) || has(ds, footy.EntryAbsence)
			require.True(rt, live == s.Score.Total() || reported, "%d goals, score %d", live, s.Score.Total())
		}
	})
}

func TestArrayOrderMeansNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 7).Draw(rt, "goals")
		a, b := newMatch(rt), newMatch(rt)
		for range rapid.IntRange(1, 6).Draw(rt, "polls") {
			var events []footy.FeedEvent
			for range n {
				events = append(events, goal(rapid.SampledFrom([]int64{home, away}).Draw(rt, "team"),
					rapid.Int64Range(0, 3).Draw(rt, "player"), rapid.SampledFrom([]string{"", "Ann", "Bea"}).Draw(rt, "name"),
					rapid.IntRange(1, 12).Draw(rt, "minute")))
			}
			score := answer(events).Score
			if rapid.Bool().Draw(rt, "odd score") {
				score = footy.ScoreOf(rapid.IntRange(0, 4).Draw(rt, "home"), rapid.IntRange(0, 4).Draw(rt, "away"))
			}
			a.seesAt(score, events...)
			if n > 1 {
				events = rapid.Permutation(events).Draw(rt, "order")
			}
			b.seesAt(score, events...)
			require.JSONEq(rt, text(rt, a.f), text(rt, b.f))
		}
		ids := map[string]bool{}
		for _, e := range a.f.Events {
			for _, id := range append([]string{e.ID, e.UID}, e.MatchedFrom...) {
				require.False(rt, ids[id], "%s names two events", id)
				ids[id] = true
			}
		}
	})
}

func TestRepeatedPollsChangeNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		all := stories(rt)
		var f footy.Fixture
		var said []footy.Snapshot
		ask := func(i int) bool {
			at := kickoff.Add(time.Duration(i) * 30 * time.Second)
			_, changed := debounce.Decide(&f, said[i], debounce.Poll{ID: fmt.Sprint("poll-", i), Now: at}, debounce.Defaults())
			return changed
		}
		for i := range matchPolls {
			said = append(said, answer(listing(rt, all, i+1)))
			ask(i)
			for range rapid.IntRange(0, 2).Draw(rt, "again") {
				require.False(rt, ask(i), "a poll that is tried again")
			}
		}
		before := text(rt, f)
		for i := range said {
			require.False(rt, ask(i), "poll %d of a day that is played again", i)
		}
		require.Equal(rt, before, text(rt, f))
	})
}

func TestBadPollsRemoveNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := newMatch(rt)
		goals := list(goal(home, 1, "Ann", 10), goal(away, 2, "Bea", 30), goal(home, 0, "", 50))
		for range 3 {
			m.sees(goals...)
		}
		for range rapid.IntRange(1, 30).Draw(rt, "polls") {
			s := answer(rapid.SampledFrom([][]footy.FeedEvent{nil, goals[:1], goals[1:], goals}).Draw(rt, "list"))
			distrusted := false
			switch rapid.IntRange(0, 3).Draw(rt, "how") {
			case 0:
				s.HasEvents = false
			case 1:
				s.Score = footy.Score{}
			case 2:
				distrusted = true
			case 3:
				s.Score = footy.ScoreOf(2, 1)
			}
			for _, d := range m.polls(s, distrusted) {
				require.NotEqual(rt, footy.EntryRemoved, d.Kind)
				require.NotEqual(rt, footy.EntryAbsence, d.Kind)
			}
		}
		require.Len(rt, m.f.Events, 3)
	})
}

func TestRulesNeverPanicOnAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var f footy.Fixture
		for i := range rapid.IntRange(1, 8).Draw(rt, "polls") {
			s := rapid.Custom(wild).Draw(rt, "snapshot")
			p := debounce.Poll{ID: fmt.Sprint(i), Now: kickoff, Distrusted: rapid.Bool().Draw(rt, "distrusted")}
			o := debounce.Options{Kinds: []footy.Kind{footy.KindGoal, footy.KindVAR, footy.KindRedCard}}
			debounce.NewlyMissing(f, s)
			debounce.Regressions(debounce.Baseline(f, &s), s)
			debounce.Decide(&f, s, p, o)
			before := text(rt, f)
			_, changed := debounce.Decide(&f, s, p, o)
			require.False(rt, changed)
			require.Equal(rt, before, text(rt, f))
		}
	})
}

func wild(rt *rapid.T) footy.Snapshot {
	n := rapid.IntRange(0, 6).Draw(rt, "n")
	s := footy.Snapshot{HasEvents: true, Match: footy.Match{ID: 1, Status: footy.Status{Code: rapid.SampledFrom([]string{"", "1H", "XYZ", "NS", "FT", "PST"}).Draw(rt, "code")}}}
	if rapid.Bool().Draw(rt, "score") {
		s.Score = footy.ScoreOf(rapid.IntRange(-1, 3).Draw(rt, "h"), rapid.IntRange(0, 3).Draw(rt, "a"))
	}
	for range n {
		s.Events = append(s.Events, footy.FeedEvent{
			Team:   footy.Team{ID: rapid.Int64Range(0, 3).Draw(rt, "team")},
			Player: footy.Person{ID: rapid.Int64Range(0, 3).Draw(rt, "id"), Name: rapid.SampledFrom([]string{"", "Unknown", "Øst", "红魔", "A-B", "..."}).Draw(rt, "name")},
			Minute: footy.Minute{Elapsed: rapid.IntRange(-1, 120).Draw(rt, "m"), Extra: rapid.IntRange(0, 15).Draw(rt, "x")},
			Kind:   rapid.SampledFrom([]footy.Kind{footy.KindGoal, footy.KindVAR, footy.KindRedCard, footy.KindOther}).Draw(rt, "kind"),
			Detail: rapid.SampledFrom([]string{"", "Normal Goal", "Own Goal"}).Draw(rt, "detail"),
		})
	}
	return s
}
