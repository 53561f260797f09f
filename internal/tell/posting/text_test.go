package posting_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/posting"
)

func goal() (*footy.Fixture, *footy.Event) {
	f := match(1, time.Now())
	return &f, &f.Events[0]
}

func TestNamesAreShortenedAndLinksAreNot(t *testing.T) {
	t.Parallel()
	const link = "https://goals.example/g/1-1"
	f, e := goal()
	e.Player.Name = strings.Repeat("Abcdefghij ", 40)
	f.Teams.Home.Name = strings.Repeat("Zürich ", 40)
	for _, max := range []int{300, 120, 60, 40} {
		for _, l := range []posting.Limit{{Max: max, Unit: posting.UTF16}, {Max: max, Unit: posting.Runes, Link: 23}} {
			text := posting.Render(posting.DefaultTemplate, f, e, link, l)
			require.LessOrEqual(t, l.Count(text, link), max)
			require.Contains(t, text, link)
			require.Contains(t, text, "…")
		}
	}
	text := posting.Render(posting.DefaultTemplate, f, e, link, posting.Limit{Max: 120, Unit: posting.UTF16})
	require.Contains(t, text, "59'")
	require.Contains(t, text, "1–0 City", "the longest names are cut first")
}

func TestALineWithoutWordsIsLeftOut(t *testing.T) {
	t.Parallel()
	f, e := goal()
	f.League.Name = ""
	l := posting.Limit{Max: 500, Unit: posting.Runes}
	require.Equal(t, "⚽ Salah 59': Liverpool 1–0 City", posting.Render(posting.DefaultTemplate, f, e, "", l))
	e.Player.Name, e.Kind = "", footy.KindRedCard
	require.Equal(t, "🟥 unknown scorer\n59'", posting.Render(`{sign}  {scorer}\n{minute}`, f, e, "", l))
}

func TestNamesCallNobodyAndTheTemplateMay(t *testing.T) {
	t.Parallel()
	f, e := goal()
	f.Teams.Home.Name, e.Player.Name, f.League.Name = "@user@mastodon.example", "<@123>", "@everyone"
	text := posting.Render("@ourclub {scorer} {home} {competition} {link}", f, e, "https://goals.example/@footy/1", posting.Limit{Max: 500, Unit: posting.Runes})
	require.Contains(t, text, "@ourclub ")
	require.Contains(t, text, "https://goals.example/@footy/1")
	require.NotRegexp(t, "<@1|@user|@mastodon|@everyone", text)
}

func TestATemplateThatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	l := posting.Limit{Max: 280, Unit: posting.Runes, Link: 23}
	require.NoError(t, posting.DefaultTemplate.Check(l))
	require.ErrorContains(t, posting.Template("{scorer} {minuet}").Check(l), "has {minuet}, which is no field: write one of {sign}, {scorer}")
	require.ErrorContains(t, posting.Template(strings.Repeat("x", 141)+"{link}").Check(l), "has 141 characters beside its fields: write at most 140")
}
