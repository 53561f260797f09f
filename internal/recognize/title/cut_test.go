package title_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
)

// opener is the first goal of a match, by the home side in its 12th minute.
func opener(home, away, scorer string) fact {
	return fact{Home: title.TeamName{Name: home}, Away: title.TeamName{Name: away}, Score: score(1, 0), Side: footy.SideHome,
		Scorer: scorer, Minute: footy.Minute{Elapsed: 12}, Siblings: []footy.Score{score(1, 1)}}
}

// called adds what people call the away side.
func called(f fact, as string) fact {
	f.Away.Aliases = []string{as}
	return f
}

// TestAScorerWithoutASeparator: where the away team's name ends only the event can tell. The minute is wrong or missing on purpose, so
// that it is the scorer who bears the title out.
func TestAScorerWithoutASeparator(t *testing.T) {
	t.Parallel()
	for text, g := range map[string]fact{
		"Arsenal [1]-0 Chelsea Saka 50'":                             opener("Arsenal", "Chelsea", "B. Saka"),
		"Arsenal [1]-0 Chelsea B. Saka 50' | Premier League":         opener("Arsenal", "Chelsea", "B. Saka"),
		"Arsenal [1]-0 Chelsea FC Saka 50'":                          opener("Arsenal", "Chelsea", "Bukayo Saka"),
		"Arsenal 1-0 Chelsea Saka 50'":                               opener("Arsenal", "Chelsea", "B. Saka"),
		"Arsenal [1]-0 Chelsea 50' Saka":                             opener("Arsenal", "Chelsea", "B. Saka"),
		"Arsenal [1]-0 Chelsea Saka 50' | Premier League":            opener("Arsenal", "Chelsea", "B. Saka"),
		"Arsenal [1]-0 Chelsea Saka (pen) 50'":                       opener("Arsenal", "Chelsea", "B. Saka"),
		"Arsenal [1]-0 Chelsea Saka (pen 50')":                       opener("Arsenal", "Chelsea", "B. Saka"),
		"Arsenal [1]-0 Chelsea Saka penalty 50'":                     opener("Arsenal", "Chelsea", "B. Saka"),
		"Arsenal [1]-0 Chelsea Saka great goal 50'":                  opener("Arsenal", "Chelsea", "B. Saka"),
		"Arsenal [1]-0 Chelsea Levi Colwill own goal 50'":            opener("Arsenal", "Chelsea", "L. Colwill"),
		"Arsenal [1]-0 Chelsea Colwill (OG) 50'":                     opener("Arsenal", "Chelsea", "L. Colwill"),
		"Chelsea 0-[1] Arsenal Saka 50'":                             opener("Arsenal", "Chelsea", "B. Saka"),
		"Arsenal [1]-0 Athletic Club Saka":                           opener("Arsenal", "Athletic Club", "B. Saka"),
		"Osasuna [1]-0 Athletic Club Ante Budimir 50'":               opener("Osasuna", "Athletic Club", "A. Budimir"),
		"Athletic Club 0-[1] Osasuna Ante Budimir 50'":               opener("Osasuna", "Athletic Club", "A. Budimir"),
		"Getafe [1]-0 Real Sociedad B Borja Mayoral 50'":             opener("Getafe", "Real Sociedad II", "Borja Mayoral"),
		"Getafe [1]-0 Real Sociedad Borja Mayoral 50'":               opener("Getafe", "Real Sociedad", "Borja Mayoral"),
		"Atlanta United [1]-0 Inter Miami Alexey Miranchuk 50'":      opener("Atlanta United FC", "Inter Miami", "A. Miranchuk"),
		"Atlanta United [1]-0 Inter Miami CF Miranchuk 50'":          opener("Atlanta United FC", "Inter Miami", "A. Miranchuk"),
		"Benfica [1]-0 Sporting CP Vangelis Pavlidis 50'":            opener("Benfica", "Sporting CP", "V. Pavlidis"),
		"Benfica [1]-0 Sporting Pavlidis 50'":                        opener("Benfica", "Sporting CP", "V. Pavlidis"),
		"Mainz 05 [1]-0 1. FC Köln Nadiem Amiri 50'":                 opener("FSV Mainz 05", "1. FC Köln", "N. Amiri"),
		"Köln [1]-0 Mainz 05 Saïd El Mala 50'":                       opener("1. FC Köln", "FSV Mainz 05", "S. El Mala"),
		"Real Madrid [1]-0 Barcelona Vinícius Júnior 50'":            opener("Real Madrid", "Barcelona", "Vinicius Junior"),
		"Real Madrid 0-[1] Barcelona Frenkie de Jong 50'":            {Home: title.TeamName{Name: "Real Madrid"}, Away: title.TeamName{Name: "Barcelona"}, Score: score(0, 1), Side: footy.SideAway, Scorer: "F. de Jong", Minute: footy.Minute{Elapsed: 12}},
		"Barcelona [1]-0 Real Madrid De Jong 50'":                    opener("Barcelona", "Real Madrid", "F. de Jong"),
		"PSG [1]-0 Man Utd João Neves 50'":                           opener("Paris Saint Germain", "Manchester United", "J. Neves"),
		"Mexico [1]-0 United States Raúl Jiménez 50'":                called(opener("Mexico", "USA", "R. Jimenez"), "United States"),
		"Arsenal Women [1]-0 Chelsea Women Alessia Russo 50'":        opener("Arsenal W", "Chelsea W", "A. Russo"),
		"Arsenal (W) [1]-0 Chelsea (W) Russo 50'":                    opener("Arsenal W", "Chelsea W", "A. Russo"),
		"Arsenal [1]-0 Chelsea Martin Ødegaard (assist by Saka) 50'": opener("Arsenal", "Chelsea", "M. Odegaard"),
		"Brighton [1]-0 Tottenham Hotspur Danny Welbeck 50'":         opener("Brighton", "Tottenham", "D. Welbeck"),
		"Arsenal [1]-0 Nottingham Forest Gabriel Magalhães 45+1'":    opener("Arsenal", "Nottingham Forest", "Gabriel"),
		"Liverpool [1]-0 Atlético de Madrid Virgil van Dijk 50'":     opener("Liverpool", "Atletico Madrid", "V. van Dijk"),
		"Arsenal [1]-0 Chelsea Saka goal confirmed by VAR 50'":       opener("Arsenal", "Chelsea", "B. Saka"),
		"arsenal [1]-0 chelsea saka 50'":                             opener("Arsenal", "Chelsea", "B. Saka"),
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			a := compare(title.Parse(text), g)
			require.True(t, a.OK(), "%+v", a)
			require.Equal(t, title.Agrees, a.Scorer)
		})
	}
}

func TestWithoutASeparatorOtherGoalsStayOthers(t *testing.T) {
	t.Parallel()
	saka := opener("Arsenal", "Chelsea", "B. Saka")
	for text, tc := range map[string]struct {
		g    fact
		want title.Mismatch
	}{
		"Arsenal [1]-0 Everton Saka 12'":                        {saka, title.OtherMatch},
		"Liverpool [1]-0 Chelsea Saka 12'":                      {saka, title.OtherMatch},
		"Arsenal [1]-0 Chelsea Women Saka 12'":                  {saka, title.OtherMatch},
		"Arsenal [1]-0 Chelsea (W) Saka 12'":                    {saka, title.OtherMatch},
		"Arsenal [1]-0 Chelsea U21 Saka 12'":                    {saka, title.OtherMatch},
		"Arsenal [1]-0 Chelsea FC U21 Saka 12'":                 {saka, title.OtherMatch},
		"Arsenal [1]-0 Chelsea B Saka 12'":                      {saka, title.OtherMatch},
		"Arsenal [2]-0 Chelsea Saka 12'":                        {opener("Arsenal", "Chelsea", "K. Havertz"), title.OtherGoal},
		"Arsenal [2]-0 Chelsea Saka 70'":                        {saka, title.OtherGoal},
		"Arsenal 1-[1] Chelsea Saka 12'":                        {saka, title.OtherGoal}, // that of a sibling
		"Arsenal [1]-0 Chelsea Havertz 50'":                     {saka, title.OtherGoal},
		"Chelsea [1]-0 Arsenal Saka 12'":                        {opener("Arsenal", "Chelsea", "K. Havertz"), title.OtherGoal},
		"Arsenal [1]-0 Chelsea Palmer assisted by Saka 50'":     {saka, title.OtherGoal},
		"Arsenal [1]-0 Chelsea Saka disallowed goal 12'":        {saka, title.NoGoal},
		"Arsenal [1]-0 Chelsea Palmer red card 12'":             {saka, title.NoGoal},
		"Arsenal [1]-0 Chelsea Palmer missed penalty 12'":       {saka, title.NoGoal},
		"Arsenal 1-0 Chelsea Saka hits the post 12'":            {saka, title.NoGoal},
		"AC Milan [1]-0 Inter Miami Messi 12'":                  {opener("AC Milan", "Inter", "R. Leao"), title.OtherMatch},
		"AC Milan [1]-0 Inter Miami Lionel Messi 12'":           {opener("AC Milan", "Inter", "R. Leao"), title.OtherMatch},
		"Osasuna [1]-0 Athletic Budimir 12'":                    {opener("Osasuna", "Charlton Athletic", "A. Budimir"), title.OtherMatch},
		"Osasuna [1]-0 Athletico Paranaense Budimir 12'":        {opener("Osasuna", "Athletic Club", "A. Budimir"), title.OtherMatch},
		"Getafe [1]-0 Real Sociedad B Borja Mayoral 12'":        {opener("Getafe", "Real Sociedad", "Borja Mayoral"), title.OtherMatch},
		"Getafe [1]-0 Real Sociedad B Borja Mayoral 13'":        {opener("Getafe", "Real Sociedad", "B. Mayoral"), title.OtherMatch},
		"Getafe [1]-0 Real Sociedad Borja Mayoral 12'":          {opener("Getafe", "Real Sociedad II", "Borja Mayoral"), title.OtherMatch},
		"Getafe [1]-0 Real Betis Borja Mayoral 12'":             {opener("Getafe", "Real Sociedad", "Borja Mayoral"), title.OtherMatch},
		"Benfica [1]-0 Sporting Gijón Pavlidis 50'":             {opener("Benfica", "Sporting CP", "F. Aursnes"), title.OtherMatch},
		"Mainz 05 [1]-0 1. FC Heidenheim Nadiem Amiri 12'":      {opener("FSV Mainz 05", "1. FC Köln", "N. Amiri"), title.OtherMatch},
		"Real Madrid [1]-0 Barcelona Women Frenkie de Jong 12'": {opener("Real Madrid", "Barcelona", "F. de Jong"), title.OtherMatch},
		"Ajax [1]-0 Jong PSV Kenneth Taylor 12'":                {opener("Ajax", "PSV Eindhoven", "K. Taylor"), title.OtherMatch},
		"Manchester City [1]-0 Manchester Haaland Evra 12'":     {opener("Manchester City", "Manchester United", "P. Foden"), title.OtherMatch},
		"Arsenal [1]-0 Chelsea":                                 {opener("Arsenal", "Everton", "B. Saka"), title.OtherMatch},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			a := compare(title.Parse(text), tc.g, playing("Everton", "Liverpool", "Inter Miami", "Athletic Club", "Athletico Paranaense", "Real Betis", "Sporting Gijón",
				"1. FC Heidenheim")...)
			require.Equal(t, tc.want, a.Mismatch, "%+v", a)
		})
	}
}

// TestWhatIsLeftOfAnAwayNameIsNoScorer: people write more of a team's name than the feed does, and nothing is lost by that.
func TestWhatIsLeftOfAnAwayNameIsNoScorer(t *testing.T) {
	t.Parallel()
	for text, away := range map[string]string{
		"Arsenal [1]-0 Brighton & Hove Albion":     "Brighton",
		"Arsenal [1]-0 Brighton & Hove Albion 12'": "Brighton",
		"Arsenal [1]-0 Hertha Berlin":              "Hertha BSC",
		"Arsenal [1]-0 Wolverhampton Wanderers":    "Wolves",
	} {
		require.Equal(t, title.SaidNothing, compare(title.Parse(text), called(opener("Arsenal", away, "B. Saka"), "wolverhampton")).Scorer, text)
	}
	brighton := called(opener("Arsenal", "Brighton", "B. Saka"), "hove")
	require.True(t, compare(title.Parse("Arsenal [1]-0 Brighton & Hove 12'"), brighton).OK())
	require.False(t, compare(title.Parse("Arsenal [1]-0 Brighton Town 12'"), brighton).OK(), "a longer name may be another's, and no scorer says that it is not")
	said := func(text string) title.Said {
		return compare(title.Parse(text), opener("Arsenal", "Chelsea", "B. Saka")).Scorer
	}
	require.Equal(t, title.SaidNothing, said("Arsenal [1]-0 Chelsea Kai Havertz 12'"), "who may be the rest of a name")
	require.Equal(t, title.SaidNothing, said("Arsenal [1]-0 Chelsea 12'"))
	require.Equal(t, title.SaidNothing, said("Arsenal [1]-0 Chelsea own goal 12'"))
}

// TestThatPeoplePostedWithoutTheirSeparator drops it from labelled titles: each names its own goal by its scorer, and no other that it did
// not name before.
func TestThatPeoplePostedWithoutTheirSeparator(t *testing.T) {
	t.Parallel()
	age := regexp.MustCompile(`(?i)\bu17\b`) // behind everything: "Colombia Jesus U17" may be Colombia's youth
	ours, cut, whole := map[string]fact{}, map[string]title.Title{}, map[string]title.Title{}
	for _, c := range labelled(t) {
		e := c.Expected
		separated := regexp.MustCompile(regexp.QuoteMeta(e.Away) + `\s*[-–—:|,]+\s*` + regexp.QuoteMeta(e.Scorer))
		if c.Ambiguous || c.Grammar != "standard" || e.Scorer == "" || !separated.MatchString(c.Title) || age.MatchString(c.Title) {
			continue
		}
		without := title.Parse(separated.ReplaceAllLiteralString(c.Title, e.Away+" "+e.Scorer))
		if e.Minute == 0 && !without.Goal() { // nor has it brackets: a headline, for all one can see
			continue
		}
		whole[c.Title], cut[c.Title] = title.Parse(c.Title), without
		ours[c.Title] = fact{Home: title.TeamName{Name: e.Home}, Away: title.TeamName{Name: e.Away}, Score: score(e.HomeScore, e.AwayScore),
			Side: e.ScoringSide, Scorer: e.Scorer, Minute: footy.Minute{Elapsed: e.Minute%90 + 20}} // so that only the scorer bears it out
	}
	for text, without := range cut {
		a := compare(without, ours[text])
		require.True(t, a.OK() && a.Scorer == title.Agrees, "%s: %+v", without.Text, a)
		for other, g := range ours {
			a := compare(without, g)
			require.True(t, !a.OK() || compare(whole[text], g).OK(), "%s is taken for %s: %+v", without.Text, other, a)
		}
	}
}
