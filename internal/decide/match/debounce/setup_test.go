package debounce_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/cycle"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/match/score"
	"github.com/found-footy/found-footy/internal/footy"
)

const (
	home = int64(40)
	away = int64(42)
)

var kickoff = time.Date(2026, 3, 7, 15, 0, 0, 0, time.UTC)

// tester is a test or one case of a property.
type tester interface {
	require.TestingT
	Helper()
}

// match drives one fixture through polls.
type match struct {
	t    tester
	f    footy.Fixture
	o    debounce.Options
	poll int
}

func newMatch(t tester) *match {
	return &match{t: t, o: debounce.Defaults(), f: footy.Fixture{ID: 5000, Stage: footy.StageActive, Teams: sides(),
		Match: footy.Match{ID: 5000, Kickoff: kickoff, Status: footy.Status{Code: "1H"}}}}
}

func sides() footy.Teams {
	return footy.Teams{Home: footy.Team{ID: home, Name: "Liverpool"}, Away: footy.Team{ID: away, Name: "Arsenal"}}
}

// goal lists a goal; extra time is written 45+2 as 4502.
func goal(team, player int64, name string, minute int) footy.FeedEvent {
	m := footy.Minute{Elapsed: minute}
	if minute > 1000 {
		m = footy.Minute{Elapsed: minute / 100, Extra: minute % 100}
	}
	return footy.FeedEvent{Team: footy.Team{ID: team}, Player: footy.Person{ID: player, Name: name}, Minute: m,
		Type: "Goal", Detail: "Normal Goal", Kind: footy.KindGoal}
}

func list(events ...footy.FeedEvent) []footy.FeedEvent { return events }

// answer builds a snapshot whose score counts the listed goals.
func answer(events []footy.FeedEvent) footy.Snapshot {
	c := score.CountGoals(sides(), events)
	return footy.Snapshot{Match: footy.Match{ID: 5000, Kickoff: kickoff, Status: footy.Status{Code: "1H"}}, Teams: sides(),
		Score: footy.ScoreOf(c.Home, c.Away), Events: events, HasEvents: true}
}

func (m *match) now() time.Time { return kickoff.Add(time.Duration(m.poll) * 30 * time.Second) }

// sees polls once with a score that agrees with the list.
func (m *match) sees(events ...footy.FeedEvent) []debounce.Decision {
	return m.polls(answer(events), false)
}

// seesAt polls with a score of its own.
func (m *match) seesAt(score footy.Score, events ...footy.FeedEvent) []debounce.Decision {
	s := answer(events)
	s.Score = score
	return m.polls(s, false)
}

func (m *match) polls(s footy.Snapshot, distrusted bool) []debounce.Decision {
	m.t.Helper()
	m.poll++
	p := debounce.Poll{ID: fmt.Sprintf("monitor-%d", m.poll), Now: m.now(), Distrusted: distrusted}
	before := text(m.t, m.f)
	due := cycle.Rules{Votes: m.o, Windows: lifecycle.Defaults()}.Due(m.f, s, p.Now)
	require.Equal(m.t, before, text(m.t, m.f), "a look whether a decision is due must change nothing")
	if !distrusted {
		lifecycle.Merge(&m.f, s, p.Now)
		before = text(m.t, m.f)
	}
	ds, changed := debounce.Decide(&m.f, s, p, m.o)
	after := text(m.t, m.f)
	require.Equal(m.t, before != after, changed, "changed must tell the truth")
	require.True(m.t, due || !changed && len(ds) == 0, "the look must never hide a decision: %v", kinds(ds))
	_, again := debounce.Decide(&m.f, s, p, m.o)
	require.Equal(m.t, after, text(m.t, m.f), "the same poll again must change nothing")
	require.False(m.t, again, "the same poll again changed something")
	return ds
}

func text(t tester, f footy.Fixture) string {
	data, err := json.Marshal(f)
	require.NoError(t, err)
	return string(data)
}

// certain brings a goal to certainty and returns its event.
func (m *match) certain(events ...footy.FeedEvent) *footy.Event {
	m.t.Helper()
	for range 3 {
		m.sees(events...)
	}
	for i := range m.f.Events {
		require.True(m.t, m.f.Events[i].Certain())
	}
	return &m.f.Events[len(m.f.Events)-1]
}

func kinds(ds []debounce.Decision) []footy.EntryKind {
	out := []footy.EntryKind{}
	for _, d := range ds {
		out = append(out, d.Kind)
	}
	return out
}

func has(ds []debounce.Decision, kind footy.EntryKind) bool { return slices.Contains(kinds(ds), kind) }

func only(t tester, m *match) *footy.Event {
	t.Helper()
	require.Len(t, m.f.Events, 1)
	return &m.f.Events[0]
}
