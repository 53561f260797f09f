package title_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
)

func score(home, away int) footy.Score { return footy.Score{Home: &home, Away: &away} }

// derby is Tottenham's second goal against Brighton, the match's third.
func derby() title.Goal {
	return title.Goal{
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
		"TOTTENHAM [2] - 1 BRIGHTON - SÓN 90+3'":                                "shouted",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			a := title.Compare(title.Parse(text), derby())
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
		"Hotspur [2] - 1 Albion - Son 90+3'":                     title.OtherMatch, // words of many teams
		"Tottenham [2] - 1 Brighton - Harry Kane 12'":            title.OtherGoal,  // years ago
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
			a := title.Compare(title.Parse(text), derby())
			require.Equal(t, want, a.Mismatch, "%+v", a)
		})
	}
}

func TestWhatATitleSaysIsEvidence(t *testing.T) {
	t.Parallel()
	require.Equal(t, title.Agreement{Score: title.Agrees, Scorer: title.Agrees, Minute: title.Differs, Swapped: true},
		title.Compare(title.Parse("Brighton 1-[2] Tottenham - Son 50'"), derby()))
	require.Equal(t, title.Agreement{Score: title.Agrees}, title.Compare(title.Parse("Tottenham [2]-1 Brighton"), derby()))

	unknown := derby()
	unknown.Score, unknown.Scorer = footy.Score{}, ""
	require.Equal(t, title.OtherGoal, title.Compare(title.Parse("Tottenham [2]-1 Brighton - Son 90+3'"), unknown).Mismatch,
		"while the feed tells neither score nor scorer, no title can be sure")
	unknown.Scorer = "Son Heung-Min"
	require.True(t, title.Compare(title.Parse("Tottenham [2]-1 Brighton - Son 90+3'"), unknown).OK())
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
	} {
		g := title.Goal{Home: title.TeamName{Name: feed}, Away: title.TeamName{Name: "Zenit"}, Score: score(1, 0), Scorer: "A. Bee", Minute: footy.Minute{Elapsed: 8}}
		for _, call := range calls {
			a := title.Compare(title.Parse(call+" [1]-0 Zenit - Bee 8'"), g)
			require.True(t, a.OK(), "%s is %s: %+v", call, feed, a)
		}
	}
	for feed, other := range map[string]string{
		"Manchester United": "Manchester City", "Real Madrid": "Atletico Madrid", "Borussia Dortmund": "Borussia M'gladbach", "Sheffield Utd": "Sheffield Wednesday",
		"Real Sociedad": "Real Betis", "Inter": "Inter Miami", "Arsenal": "Arsenal Women", "Spain": "Spain U21", "Real Madrid W": "Real Madrid", "Barcelona": "Barcelona B",
	} {
		g := title.Goal{Home: title.TeamName{Name: feed}, Away: title.TeamName{Name: "Zenit"}, Score: score(1, 0), Scorer: "A. Bee", Minute: footy.Minute{Elapsed: 8}}
		require.Equal(t, title.OtherMatch, title.Compare(title.Parse(other+" [1]-0 Zenit - Bee 8'"), g).Mismatch, "%s is not %s", other, feed)
	}
}

func TestScorersAreWrittenInManyWays(t *testing.T) {
	t.Parallel()
	said := func(title_, feed string) title.Said {
		g := derby()
		g.Scorer = feed
		return title.Compare(title.Parse("Tottenham [2] - 1 Brighton - "+title_+" 90+3'"), g).Scorer
	}
	for written, feed := range map[string]string{
		"Mohammed Salah": "M. Salah", "Kylian Mbappé": "K. Mbappe Lottin", "Ødegaard": "M. Odegaard", "Gyökeres": "V. Gyoekeres", "Vini Jr": "Vini Júnior",
		"Heung-min Son": "Son Heung-Min", "De Bruyne": "K. De Bruyne", "N'Golo Kante": "N. Kanté", "Gabriel": "Gabriel Martinelli",
	} {
		require.Equal(t, title.Agrees, said(written, feed), "%s, %s", written, feed)
	}
	for written, feed := range map[string]string{"Gabriel Jesus": "Gabriel Martinelli", "James Ward-Prowse": "J. Maddison", "Rodrigo Bentancur": "Y. Bissouma", "Thiago Alcântara": "R. Alcântara"} {
		require.Equal(t, title.Differs, said(written, feed), "%s, %s", written, feed)
	}
	require.Equal(t, title.SaidNothing, said("", "H. Son"))
	require.Equal(t, title.SaidNothing, said("Son", ""))
}
