package rule_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
)

func goal() (*footy.Fixture, *footy.Event) {
	f := footy.Fixture{League: footy.League{Name: "Premier League"}, Teams: footy.Teams{Home: footy.Team{Name: "Liverpool"}, Away: footy.Team{Name: "City"}},
		Events: []footy.Event{{Kind: footy.KindGoal, Player: footy.Person{Name: "Salah"}, Minute: footy.Minute{Elapsed: 59}, ScoreAfter: footy.ScoreOf(1, 0)}}}
	return &f, &f.Events[0]
}

func TestNamesAreShortenedAndLinksAreNot(t *testing.T) {
	t.Parallel()
	const link = "https://goals.example/g/1-1"
	f, e := goal()
	e.Player.Name = strings.Repeat("Abcdefghij ", 40)
	f.Teams.Home.Name = strings.Repeat("Zürich ", 40)
	for _, max := range []int{300, 120, 60, 40} {
		for _, l := range []rule.Limit{{Max: max, Unit: rule.UTF16}, {Max: max, Unit: rule.Runes, Link: 23}} {
			text := rule.Render(rule.DefaultTemplate, f, e, link, l)
			require.LessOrEqual(t, l.Count(text, link), max)
			require.Contains(t, text, link)
			require.Contains(t, text, "…")
		}
	}
	text := rule.Render(rule.DefaultTemplate, f, e, link, rule.Limit{Max: 280, Unit: rule.UTF16})
	require.Contains(t, text, "59'")
	require.Contains(t, text, "1–0 City\nPremier League", "a name that is far too long takes nothing from the others")
}

func TestALineWithoutWordsIsLeftOut(t *testing.T) {
	t.Parallel()
	f, e := goal()
	f.League.Name = ""
	l := rule.Limit{Max: 500, Unit: rule.Runes}
	require.Equal(t, "⚽ Salah 59': Liverpool 1–0 City", rule.Render(rule.DefaultTemplate, f, e, "", l))
	e.Player.Name, e.Kind = "", footy.KindRedCard
	require.Equal(t, "🟥 unknown scorer\n59'", rule.Render(`{sign}  {scorer}\n{minute}`, f, e, "", l))
}

func TestNamesCallNobodyAndTheTemplateMay(t *testing.T) {
	t.Parallel()
	f, e := goal()
	f.Teams.Home.Name, e.Player.Name, f.League.Name = "@user@mastodon.example", "<@123>", "@everyone"
	text := rule.Render("@ourclub {scorer} {home} {competition} {link}", f, e, "https://goals.example/@footy/1", rule.Limit{Max: 500, Unit: rule.Runes})
	require.Contains(t, text, "@ourclub ")
	require.Contains(t, text, "https://goals.example/@footy/1")
	require.NotRegexp(t, "<@1|@user|@mastodon|@everyone", text)
}

func TestATemplateThatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	l := rule.Limit{Max: 280, Unit: rule.Runes, Link: 23}
	require.NoError(t, rule.DefaultTemplate.Check(l))
	require.ErrorContains(t, rule.Template("{scorer} {minuet}").Check(l), "has {minuet}, which is no field: write one of {sign}, {scorer}")
	require.ErrorContains(t, rule.Template(strings.Repeat("x", 141)+"{link}").Check(l), "has 141 characters beside its fields: write at most 140")
}
