package title_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
)

func score(home, away int) footy.Score { return footy.Score{Home: &home, Away: &away} }

// fact is a goal with its match and the scores of the match's other goals.
type fact struct {
	Home, Away title.TeamName
	League     string
	Score      footy.Score
	Side       footy.Side
	Scorer     string
	Minute     footy.Minute
	Siblings   []footy.Score
}

// compare holds a title against a goal on a day of further matches.
func compare(t title.Title, g fact, day ...title.Match) title.Agreement {
	m := title.Match{Home: g.Home, Away: g.Away, League: g.League,
		Goals: []title.Goal{{Score: g.Score, Side: g.Side, Scorer: g.Scorer, Minute: g.Minute}}}
	for _, s := range g.Siblings {
		m.Goals = append(m.Goals, title.Goal{Score: s})
	}
	return title.Wanted{Day: title.NewDay(append(day, m)), Match: len(day)}.Names(t, time.Time{})
}

// playing are matches without goals: names of the day.
func playing(teams ...string) (out []title.Match) {
	for _, t := range teams {
		out = append(out, title.Match{Home: title.TeamName{Name: t}, Away: title.TeamName{Name: "Honvéd"}})
	}
	return out
}

// derby is Tottenham's second goal against Brighton, the match's third.
func derby() fact {
	return fact{
		Home:  title.TeamName{Name: "Tottenham", Aliases: []string{"tottenham", "spurs"}, Abbr: "THFC"},
		Away:  title.TeamName{Name: "Brighton", Aliases: []string{"brighton", "seagulls", "albion"}},
		Score: score(2, 1), Side: footy.SideHome, Scorer: "H. Son", Minute: footy.Minute{Elapsed: 90, Extra: 3},
		Siblings: []footy.Score{score(1, 0), score(1, 1)},
	}
}

func TestTitlesOfTheGoal(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		"Tottenham [2] - 1 Brighton - Heung-min Son 90+3'":                      "all agrees",
		"Tottenham Hotspur [2] - 1 Brighton & Hove Albion - Son Heung-Min 90+3": "whole names",
		"Spurs [2]-1 Brighton - Son 93'":                                        "a nickname, the minute counted through",
		"THFC 2-1 Brighton - Son 90+4'":                                         "an abbreviation, no brackets, a minute late",
		"Brighton 1-[2] Tottenham - Son 90+3'":                                  "the away side first",
		"Tottenham [2] - 1 Brighton - Son 39'":                                  "a wrong minute, the right scorer",
		"Tottenham [2] - 1 Brighton - Dominic Solanke 90+2'":                    "a wrong scorer, the right minute",
		"Tottenham [2] - 1 Brighton - Van Hecke OG 90+3'":                       "who deflected it",
		"Tottenham [2] - 1 Brighton":                                            "the score alone: it is that of one goal of the match",
		"Tottenham [3] - 1 Brighton - Son 90+3'":                                "miscounted",
		"Tottenham 2 - [1] Brighton - Son 90+3'":                                "the wrong bracket",
		"Hotspur [2] - 1 Albion - Son 90+3'":                                    "one strange name and a nickname, where the rest agrees",
		"TOTTENHAM [2] - 1 BRIGHTON - SÓN 90+3'":                                "shouted",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			g := derby()
			g.League = "Premier League"
			a := compare(title.Parse(text), g)
			require.True(t, a.OK(), "%s: %+v", why, a)
		})
	}
}

func TestTitlesOfOtherGoals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]title.Mismatch{
		"Chelsea [2] - 1 Everton - Son 90+3'":                    title.OtherMatch, // same score, minute and even name
		"Tottenham [2] - 1 Fulham - Son 90+3'":                   title.OtherMatch,
		"Brighton [2] - 1 Brentford - Welbeck 90+3'":             title.OtherMatch,
		"Tottenham Women [2] - 1 Brighton Women - England 90+3'": title.OtherMatch,
		"Tottenham U21 [2] - 1 Brighton U21 - Son 90+3'":         title.OtherMatch,
		"Tottenham [2] - 1 Brighton U21 - Son 90+3'":             title.OtherMatch,
		"Tottenham [2] - 1 Brighton - Harry Kane 12'":            title.OtherGoal, // years ago
		"Tottenham [2] - 1 Brighton - Harry Kane":                title.OtherGoal,
		"Tottenham [2] - 1 Brighton - 12'":                       title.OtherGoal,
		"Brighton [2] - 1 Tottenham - Son 90+3'":                 title.OtherGoal, // the return match
		"Tottenham [1] - 0 Brighton - Son 90+3'":                 title.OtherGoal, // his first
		"Tottenham 1 - [1] Brighton - Welbeck 90+1'":             title.OtherGoal,
		"Tottenham [3] - 1 Brighton - Son 90+7'":                 title.OtherGoal, // the next, too new for the feed
		"Tottenham [3] - 1 Brighton - Solanke 90+3'":             title.OtherGoal,
		"Tottenham 2 - [1] Brighton - Welbeck 90+3'":             title.OtherGoal,
		"Tottenham [2] - 1 Brighton - Son disallowed goal 90+3'": title.NoGoal,
		"Tottenham 2 - 1 Brighton - Full time":                   title.NoGoal,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			a := compare(title.Parse(text), derby(), playing("Chelsea", "Everton", "Fulham", "Brentford")...)
			require.Equal(t, want, a.Mismatch, "%+v", a)
		})
	}
}

func TestWhatATitleSaysIsEvidence(t *testing.T) {
	t.Parallel()
	a := compare(title.Parse("Brighton 1-[2] Tottenham - Son 50'"), derby())
	require.True(t, a.OK() && a.Swapped)
	require.Equal(t, &footy.TitleEvidence{Source: "Reddit", Agrees: []string{"teams", "score", "scorer"}, Differs: []string{"minute"}}, a.Evidence("Reddit"))
	require.Equal(t, &footy.TitleEvidence{Source: "Reddit", Agrees: []string{"teams", "score"}}, compare(title.Parse("Tottenham [2]-1 Brighton"), derby()).Evidence("Reddit"))
	require.Equal(t, &footy.TitleEvidence{Source: "Reddit", Agrees: []string{"other team", "score", "scorer", "minute"}, Strange: "Lilywhites", Team: "Tottenham"},
		compare(title.Parse("Lilywhites [2]-1 Brighton - Son 90+2'"), derby()).Evidence("Reddit"))

	unknown := derby()
	unknown.Score, unknown.Scorer = footy.Score{}, ""
	require.Equal(t, title.OtherGoal, compare(title.Parse("Tottenham [2]-1 Brighton - Son 90+3'"), unknown).Mismatch,
		"while the feed tells neither score nor scorer, no title can be sure")
	unknown.Scorer = "Son Heung-Min"
	require.True(t, compare(title.Parse("Tottenham [2]-1 Brighton - Son 90+3'"), unknown).OK())
}

func TestTeamsAreCalledByManyNames(t *testing.T) {
	t.Parallel()
	for feed, calls := range map[string][]string{
		"Bayern München":           {"Bayern", "Bayern Munich", "FC Bayern München"},
		"Paris Saint Germain":      {"PSG", "Paris SG", "Paris Saint-Germain"},
		"Manchester United":        {"Man Utd", "Man. United", "Manchester Utd"},
		"Wolves":                   {"Wolverhampton", "Wolverhampton Wanderers"},
		"Borussia Mönchengladbach": {"Gladbach", "Borussia M'gladbach", "Mönchengladbach"},
		"1. FC Köln":               {"Köln", "FC Cologne", "1. FC Koeln"},
		"AS Roma":                  {"Roma", "AS Roma"},
		"AC Milan":                 {"Milan", "AC Milan"},
		"USA":                      {"United States", "USA"},
		"Nottingham Forest":        {"Nottingham", "Nott'm Forest", "Nottm Forest"},
		"Arsenal W":                {"Arsenal Women", "Arsenal (W)", "Arsenal W"},
		"Spain U21":                {"Spain U-21", "Spain U21s"},
		"Atletico Madrid":          {"Atlético Madrid", "Atl. Madrid", "Atlético"},
		"Sporting CP":              {"Sporting CP", "Sporting"},
		"Independiente del Valle":  {"IDV", "I.D.V.", "Ind. del Valle"},
	} {
		g := fact{Home: title.TeamName{Name: feed}, Away: title.TeamName{Name: "Zenit"}, Score: score(1, 0), Scorer: "A. Bee", Minute: footy.Minute{Elapsed: 8}}
		for _, call := range calls {
			a := compare(title.Parse(call+" [1]-0 Zenit - Bee 8'"), g)
			require.True(t, a.OK(), "%s is %s: %+v", call, feed, a)
		}
	}
	for feed, other := range map[string]string{
		"Manchester United": "Manchester City", "Real Madrid": "Atletico Madrid", "Borussia Dortmund": "Borussia M'gladbach", "Sheffield Utd": "Sheffield Wednesday",
		"Real Sociedad": "Real Betis", "Inter": "Inter Miami", "Arsenal": "Arsenal Women", "Spain": "Spain U21", "Real Madrid W": "Real Madrid", "Barcelona": "Barcelona B",
	} {
		g := fact{Home: title.TeamName{Name: feed}, Away: title.TeamName{Name: "Zenit"}, Score: score(1, 0), Scorer: "A. Bee", Minute: footy.Minute{Elapsed: 8}}
		require.Equal(t, title.OtherMatch, compare(title.Parse(other+" [1]-0 Zenit - Bee 8'"), g, playing(other)...).Mismatch, "%s is not %s", other, feed)
	}
}

func TestScorersAreWrittenInManyWays(t *testing.T) {
	t.Parallel()
	said := func(title_, feed string) title.Said {
		g := derby()
		g.Scorer = feed
		return compare(title.Parse("Tottenham [2] - 1 Brighton - "+title_+" 90+3'"), g).Scorer
	}
	for written, feed := range map[string]string{
		"Mohammed Salah": "M. Salah", "Kylian Mbappé": "K. Mbappe Lottin", "Ødegaard": "M. Odegaard", "Gyökeres": "V. Gyoekeres", "Vini Jr": "Vini Júnior",
		"Heung-min Son": "Son Heung-Min", "De Bruyne": "K. De Bruyne", "N'Golo Kante": "N. Kanté", "Gabriel": "Gabriel Martinelli",
	} {
		require.Equal(t, title.Agrees, said(written, feed), "%s, %s", written, feed)
	}
	for written, feed := range map[string]string{"Gabriel Jesus": "Gabriel Martinelli", "James Ward-Prowse": "J. Maddison", "Rodrigo Bentancur": "Y. Bissouma"} {
		require.Equal(t, title.Differs, said(written, feed), "%s, %s", written, feed)
	}
	for written, feed := range map[string]string{"Papu Gómez": "A. Gómez", "Kike García": "E. García", "Bobby Firmino": "Roberto Firmino"} {
		require.Equal(t, title.SaidNothing, said(written, feed), "%s, %s", written, feed)
	}
	g := derby()
	g.Scorer = "A. Gómez"
	require.Equal(t, title.Differs, compare(title.Parse("Tottenham [2] - 1 Brighton - Papu Gómez"), g).Scorer, "without the minute it may be his brother")
	require.Equal(t, title.SaidNothing, said("", "H. Son"))
	require.Equal(t, title.SaidNothing, said("Son", ""))
	require.Equal(t, title.SaidNothing, said("Son", "Penalty"), "that is how it was scored")
}
