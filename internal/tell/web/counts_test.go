package web_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
)

func TestSendingOffIsShownAndIsNoGoal(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	f := match(1, team(40, "Liverpool"), team(50, "Everton"), noon, "2H", 60, 1, 0)
	goal := footy.Event{UID: "1-1", ID: "1_40_7_Goal_1", Kind: footy.KindGoal, Detail: "Normal Goal", Minute: footy.Minute{Elapsed: 20},
		Team: f.Teams.Home, Player: footy.Person{ID: 7, Name: "Salah"}, ScoringTeam: footy.SideHome, ScoreAfter: footy.ScoreOf(1, 0)}
	card := footy.Event{UID: "1-2", ID: "1_50_9_RedCard_1", Kind: footy.KindRedCard, Detail: "Red Card", Minute: footy.Minute{Elapsed: 52},
		Team: f.Teams.Away, Player: footy.Person{ID: 9, Name: "Graves"}, ScoringTeam: footy.SideAway, ScoreAfter: footy.ScoreOf(1, 0)}
	f.Events = []footy.Event{goal, card}
	s.Add(f)
	body := text(t, s.Get("/day/2026-11-14"))
	require.Contains(t, body, `<i class="card red" aria-hidden="true"></i>red card</span>`, "drawn, since not everybody has a font with such pictures")
	require.Contains(t, body, `<li class="goal" id="e-1-2"`)
	require.Equal(t, 1, strings.Count(body, ` class="scored"`), "a card changes no score")
	require.Contains(t, body, "Graves")
	page := text(t, s.Get("/g/1_50_9_RedCard_1"))
	require.Contains(t, page, `<i class="card red" aria-hidden="true"></i>red card · `)
	require.NotContains(t, body+page, "🟥")
	require.Contains(t, text(t, s.Get("/g/1_40_7_Goal_1")), `<bdi>Graves</bdi></a> <span class="tag"><i class="card red"`, "in the list of the match, too")
	require.Contains(t, page, "Graves 52&#39; · red card", "links of it say what it is")
	require.Contains(t, page, "Nothing is recorded about this red card yet.")
	require.NotContains(t, page, "this goal")
	require.NotContains(t, page, "Goals of this match", "it is none")
	require.Contains(t, text(t, s.Get("/embed/1_50_9_RedCard_1")), "No clip yet.")
}
