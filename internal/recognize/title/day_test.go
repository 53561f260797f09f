package title_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/title"
)

// game is a match with one goal.
func game(home, away, league string, score footy.Score, side footy.Side, scorer string, minute int) title.Match {
	return title.Match{Home: title.TeamName{Name: home}, Away: title.TeamName{Name: away}, League: league,
		Goals: []title.Goal{{Score: score, Side: side, Scorer: scorer, Minute: footy.Minute{Elapsed: minute}}}}
}

func evening() *title.Day {
	return title.NewDay([]title.Match{
		game("Internazionale", "Udinese", "Serie A", score(2, 0), footy.SideHome, "D. Frattesi", 31),
		game("Inter Miami", "Austin FC", "MLS", score(2, 0), footy.SideHome, "T. Allende", 31),
		game("Rennes", "Nice", "Ligue 1", score(0, 1), footy.SideAway, "E. Guessand", 12),
		game("Chinese Taipei", "Mongolia", "Friendlies", score(1, 0), footy.SideHome, "A. Chen", 77),
		game("Valencia", "Real Sociedad", "La Liga", score(1, 1), footy.SideAway, "T. Kubo", 50),
		game("Valencia", "Real Sociedad", "Primera División Femenina", score(1, 0), footy.SideHome, "A. Marín", 50),
		game("Norwich City", "Real Oviedo", "Club Friendlies", score(0, 3), footy.SideAway, "S. Rondón", 80),
		game("Hungary U21", "Wales U21", "UEFA U21 Championship", score(1, 0), footy.SideHome, "B. Tóth", 9),
	})
}

func TestATitleGoesToTheGoalThatItFitsBest(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"Inter [2]-0 Udinese - Davide Frattesi 31'":               0,
		"Inter Milan [2]-0 Udinese Calcio - Frattesi 32'":         0,
		"Udinese 0-[2] FC Internazionale Milano - Frattesi 31'":   0,
		"Inter Miami [2]-0 Austin - Tadeo Allende 31'":            1,
		"Inter Maimi [2]-0 Austin - Tadeo Allende 31'":            1, // a typing fault
		"Stade Rennais 0-[1] OGC Nice - Evann Guessand 12'":       2,
		"Formosa [1]-0 Mongolia - Ange Chen 77'":                  3, // a strange name, and the rest agrees
		"Formosa Ulan Bator [1]-0 Mongolia Ulan Bator - Chen 77'": 3, // a word that both names have says little
		"Formosa - Mongolia [1]-0 - Ange Chen 77'":                3,
		"Formosa - Mongolia [1]-0 Ange Chen 77'":                  3, // both teams stand before the score
		"Valencia 1-[1] La Real - Takefusa Kubo 50'":              4,
		"Valencia F [1]-0 Real Sociedad F - Ainhoa Marín 50'":     5,
		"Valencia (f) [1]-0 Real Sociedad (f) - Marín 51'":        5,
		"Valencia [1]-0 Real Sociedad - Ainhoa Marín 50'":         5, // the competition says who plays
		"Norwich 0-[3] Oviedo - Salomón Rondón 80'":               6,
		"Hungary U21 [1]-0 Wales U21 - Bence Tóth 9'":             7,
		"Hungary U-21s [1]-0 Wales U-21s - Bence Toth":            7,
	} {
		found, a := evening().Find(title.Parse(text), time.Time{})
		require.NotNil(t, found, "%s: %+v", text, a)
		require.Equal(t, want, found.Match, text)
	}
	for text, why := range map[string]title.Mismatch{
		"Juventus [2]-0 Friuli - Frattesi 31'":                           title.OtherMatch, // two strange names
		"Formosa Ulan Bator [1]-0 Mongolia B - Ange Chen 77'":            title.OtherMatch,
		"Formosa Town [1]-0 Mongolia Bator - Ange Chen 77'":              title.OtherMatch,
		"Formosa [1]-0 Mongolia - Ange Chen 70'":                         title.OtherMatch, // a strange name, and another minute
		"Inter Miami [2]-0 Udinese - Frattesi 31'":                       title.OtherMatch, // a name of the day
		"Norwich 0-[3] Nice - Rondón 80'":                                title.OtherMatch,
		"Valencia Women 1-[1] Real Sociedad Women - Kubo 50'":            title.OtherGoal, // the women play, too
		"Valencia Women 1-[1] Real Sociedad Women - Nerea Eizagirre 50'": title.OtherGoal,
		"Wales [1]-0 Hungary - Brennan Johnson 9'":                       title.OtherGoal,
		"Valencia [2]-0 Real Sociedad - Hugo Duro 66'":                   title.OtherGoal,
		"Inter 2-0 Udinese - Full time":                                  title.NoGoal,
	} {
		found, a := evening().Find(title.Parse(text), time.Time{})
		require.Nil(t, found, text)
		require.Equal(t, why, a.Mismatch, text)
	}
}

func TestGoalsThatFitAlikeGetNoPost(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	first, twin := game("Lech", "Legia", "", score(1, 0), footy.SideHome, "M. Ishak", 8), game("Lech", "Legia", "", score(1, 0), footy.SideHome, "M. Ishak", 8)
	text := title.Parse("Lech [1]-0 Legia - Ishak 8'")
	d := title.NewDay([]title.Match{first, twin})
	_, a := d.Find(text, at)
	require.Equal(t, title.Alike, a.Mismatch)
	require.Equal(t, title.Alike, title.Wanted{Day: d}.Names(text, at).Mismatch)

	twin.Goals[0].Minute.Elapsed = 11
	d = title.NewDay([]title.Match{first, twin})
	require.True(t, title.Wanted{Day: d}.Names(text, at).OK())
	require.Equal(t, title.OtherMatch, title.Wanted{Day: d, Match: 1}.Names(text, at).Mismatch, "it fits a goal of another match better")

	first.Goals = append(first.Goals, first.Goals[0])
	require.True(t, title.Wanted{Day: title.NewDay([]title.Match{first}), Goal: 1}.Names(text, at).OK(), "a goal that the feed lists twice is one goal")

	first.Goals[0].Since = at.Add(time.Minute)
	require.Equal(t, title.OtherGoal, title.Wanted{Day: title.NewDay([]title.Match{first})}.Names(text, at).Mismatch, "posted before it was scored")
	require.Equal(t, title.OtherGoal, title.Wanted{}.Names(text, at).Mismatch, "no goal is wanted")
}

func TestATitleIsRefusedForOneReason(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 14, 15, 0, 0, 0, time.UTC)
	men := game("Valencia", "Real Sociedad", "La Liga", score(1, 0), footy.SideHome, "J. Marín", 50)
	women := game("Valencia W", "Real Sociedad W", "Primera División Femenina", score(1, 0), footy.SideHome, "A. Marín", 50)
	for i := range men.Goals {
		men.Goals[i].Since, women.Goals[i].Since = at, at
	}
	d := title.NewDay([]title.Match{men, women})
	text := title.Parse("Valencia [1]-0 Real Sociedad - Marín 50'")
	require.True(t, title.Wanted{Day: d}.Names(text, at).OK())
	require.Equal(t, title.OtherMatch, title.Wanted{Day: d, Match: 1}.Names(text, at).Mismatch, "it fits the men's match better")
	for text, why := range map[string]title.Mismatch{
		"Valencia [1]-0 Real Sociedad Kubo red card 12'": title.NoGoal, // whichever goals there are
		"Juventus [1]-0 Friuli - Frattesi 31'":           title.OtherMatch,
		"Valencia [1]-0 Real Sociedad - Marín 50'":       title.OtherGoal,
	} {
		_, found := d.Find(title.Parse(text), at.Add(-time.Hour))
		require.Equal(t, why, found.Mismatch, text)
		require.Equal(t, why, title.Wanted{Day: d}.Names(title.Parse(text), at.Add(-time.Hour)).Mismatch, text)
	}
}

// crowded is an evening of clubs that share names, of sides that share clubs, and of countries that begin alike.
func crowded() *title.Day {
	called := func(m title.Match, home, away string) title.Match {
		m.Home.Aliases, m.Away.Aliases = strings.Fields(home), strings.Fields(away)
		return m
	}
	lyon := called(game("Lyon", "Marseille", "Ligue 1", score(1, 0), footy.SideHome, "C. Tolisso", 28), "lyonnais", "phoceens")
	lyon.Home.Abbr, lyon.Away.Abbr = "OL", "OM"
	return title.NewDay([]title.Match{
		game("Barcelona", "Juventus", "UEFA Champions League", score(1, 0), footy.SideHome, "R. Lewandowski", 12),
		game("Arsenal", "Sporting CP", "UEFA Champions League", score(1, 0), footy.SideHome, "B. Saka", 7),
		game("Real Salt Lake", "Sporting Kansas City", "MLS", score(2, 1), footy.SideAway, "D. Joveljic", 60),
		game("Paris Saint-Germain", "Paris FC", "Ligue 1", score(1, 0), footy.SideHome, "O. Dembélé", 8),
		lyon,
		game("Everton", "Nacional", "Club Friendlies", score(1, 0), footy.SideHome, "Beto", 31),
		game("Arsenal", "Chelsea", "English Women's Super League", score(1, 0), footy.SideHome, "A. Russo", 22),
		game("Arsenal U21", "Chelsea U21", "Premier League 2", score(1, 1), footy.SideAway, "T. George", 47),
		game("Wrexham", "Liverpool U21", "EFL Trophy", score(1, 0), footy.SideHome, "S. Smith", 24),
		game("Real Madrid II", "Atletico Madrid II", "Primera División RFEF", score(1, 0), footy.SideHome, "C. García", 52),
		game("Club Nacional", "Liverpool Montevideo", "Apertura", score(1, 0), footy.SideHome, "N. López", 6),
		called(game("Ivory Coast", "United States", "Friendlies", score(1, 0), footy.SideHome, "N. Pépé", 11), "cotedivoire", "usa"),
		game("Niger", "Mali", "Africa Cup of Nations Qualification", score(1, 0), footy.SideHome, "D. Sosah", 19),
		game("Guinea", "Somalia", "Africa Cup of Nations Qualification", score(1, 0), footy.SideHome, "S. Guirassy", 19),
		game("Dundee", "Derby County", "Club Friendlies", score(1, 0), footy.SideHome, "S. Murray", 50),
		game("London City Lionesses", "Everton", "", score(1, 0), footy.SideHome, "I. Goodwin", 82),
		called(game("Red Star Belgrade", "FC Copenhagen", "UEFA Europa League", score(1, 0), footy.SideHome, "M. Arnautovic", 20), "crvena zvezda", "kobenhavn"),
		game("Racing Club", "Arsenal Sarandi", "Copa Argentina", score(1, 0), footy.SideHome, "A. Martínez", 9),
		game("Liverpool", "Atletico Madrid", "UEFA Champions League", score(1, 0), footy.SideHome, "M. Salah", 6),
		game("Juventus W", "Roma W", "Serie A Women", score(1, 0), footy.SideHome, "C. Girelli", 71),
		game("Genk", "Union SG", "Jupiler Pro League", score(0, 1), footy.SideAway, "P. David", 90),
	})
}

func TestNamesThatSeveralTeamsShare(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 24, 20, 30, 0, 0, time.UTC)
	for text, want := range map[string]int{
		"Real Salt Lake 2-[1] Sporting KC - Dejan Joveljić 60'":         2, // the initials of its own words
		"Arsenal [1]-0 Sporting - Saka 7'":                              1,
		"Paris SG [1]-0 Paris FC - Dembélé 8'":                          3,
		"OL [1]-0 OM - Corentin Tolisso 28e":                            4,
		"OL [1]-0 OM - Tolisso (28.)":                                   4,
		"Everton [1]-0 Nacional - Beto 31'":                             5,
		"Arsenal W [1]-0 Chelsea W - Alessia Russo 22'":                 6,
		"Arsenal [1]-0 Chelsea Women - Russo 22'":                       6, // the mark on one side only
		"Arsenal [1]-0 Chelsea - Alessia Russo 22' (WSL)":               6,
		"Arsenal 1-[1] Chelsea U21s - Tyrique George 47'":               7,
		"Wrexham [1]-0 Liverpool U21s - Sam Smith 24'":                  8, // and the other is no youth side
		"Castilla [1]-0 Atlético Madrileño - César García 52'":          9,
		"Nacional [1]-0 Liverpool (Montevideo) - Nicolás López 6'":      10,
		"Côte d'Ivoire [1]-0 USA - Nicolas Pépé 11'":                    11,
		"Niger [1]-0 Mali - Daniel Sosah 19'":                           12,
		"Guinea [1]-0 Somalia - Guirassy 19'":                           13,
		"Dundee [1]-0 Derby - Simon Murray 50'":                         14,
		"London City Lionesses [1]-0 Everton Women - Isobel Goodwin 82": 15, // the feed says it of one
		"Crvena zvezda [1]-0 København - Arnautović 20'":                16,
		"Racing [1]-0 Arsenal de Sarandí - Adrián Martínez 9'":          17,
		"Juventus Donne [1]-0 Roma Donne - Girelli 71'":                 19,
		"Genk 0-[1] Union SG - David 90e+2":                             20,
		"Barcelona [1]-0 Juventus - Lewandowski's first since 2024 12'": 0,
		"Barcelona [1]-0 Juventus - Lewandowski 12' (UCL 2026/27)":      0,
	} {
		found, a := crowded().Find(title.Parse(text), at)
		require.NotNil(t, found, "%s: %+v", text, a)
		require.Equal(t, want, found.Match, text)
	}
	for text, why := range map[string]title.Mismatch{
		"Dundalk [1]-0 Derry - Murray 50'":                                title.OtherMatch, // two that only resemble
		"Nigeria [1]-0 Malawi - Sosah 19'":                                title.OtherMatch,
		"Nigeria [1]-0 Mali 19'":                                          title.OtherGoal, // one, and no scorer
		"Guinea-Bissau [1]-0 Somaliland - Guirassy 19'":                   title.OtherMatch,
		"Guinea-Bissau [1]-0 Somalia - Mama Baldé 19'":                    title.OtherGoal, // more words, and another scorer
		"Dundee United [1]-0 Derby - Louis Moult 50'":                     title.OtherGoal,
		"Paris FC [1]-0 Paris SG - Kebbal 8'":                             title.OtherGoal,
		"Liverpool (Montevideo) [1]-0 Atlético - Pereira 6'":              title.OtherMatch,
		"Everton CD (Chile) [1]-0 Nacional 31'":                           title.OtherMatch,
		"Everton CD [1]-0 Nacional - Contreras 31'":                       title.OtherGoal,
		"Nacional [1]-0 Liverpool - Salah 6'":                             title.OtherMatch,
		"Arsenal [1]-0 Racing - Saka 7'":                                  title.OtherMatch, // a strange name that another team of the day has
		"Barcelona [1]-0 Roma - Lewandowski 12'":                          title.OtherMatch, // be it that of its women
		"Barcelona (futsal) [1]-0 Juventus (futsal) - Lewandowski 12'":    title.NoGoal,
		"Barcelona [1]-0 Juventus - Pito 12' (futsal)":                    title.NoGoal,
		"[Futsal] Barcelona [1]-0 Juventus - Lewandowski 12'":             title.NoGoal,
		"Barcelona [1]-0 Juventus - Neymar 12' [2015]":                    title.OtherGoal,
		"[2015] Barcelona [1]-0 Juventus 12'":                             title.OtherGoal,
		"Barcelona [1]-0 Juventus - Rakitić 12' (UCL 2014/15)":            title.OtherGoal,
		"Arsenal [1]-0 Sporting - Saka 7' | Women's Champions League":     title.OtherMatch,
		"Barcelona [1]-0 Juventus - Fernández 12' (UEFA Youth League)":    title.OtherMatch,
		"Arsenal [1]-0 Chelsea - Bukayo Saka 22'":                         title.OtherGoal,
		"Barcelona Femení [1]-0 Juventus Femminile - Alexia Putellas 12'": title.OtherMatch,
		"Real Madrid [1]-0 Atletico Madrid - Griezmann 52'":               title.OtherMatch,
		"Wrexham [1]-0 Liverpool - Smith 24'":                             title.OtherMatch,
	} {
		found, a := crowded().Find(title.Parse(text), at)
		require.Nil(t, found, text)
		require.Equal(t, why, a.Mismatch, text)
	}
}

// TestAShortNameNeedsItsScorer: the same clubs' women play at the same score and minute, and no feed says so.
func TestAShortNameNeedsItsScorer(t *testing.T) {
	t.Parallel()
	d := title.NewDay([]title.Match{game("Arsenal", "West Ham United", "", score(1, 0), footy.SideHome, "Chloe Kelly", 4)})
	_, a := d.Find(title.Parse("Arsenal [1] - 0 West Ham - Bukayo Saka 4'"), time.Time{})
	require.Equal(t, title.OtherGoal, a.Mismatch)
	for _, text := range []string{"Arsenal [1] - 0 West Ham - Kelly 4'", "Arsenal [1] - 0 West Ham 4'", "Arsenal W [1] - 0 West Ham W - Chloe Kelly 5'"} {
		found, a := d.Find(title.Parse(text), time.Time{})
		require.NotNil(t, found, "%s: %+v", text, a)
		require.Empty(t, a.Strange, "a mark of the women is no strange name to learn")
	}
}

// TestASilentCompetitionNeedsTheScorer: the women of the same clubs may play at the same score and minute.
func TestASilentCompetitionNeedsTheScorer(t *testing.T) {
	t.Parallel()
	d := title.NewDay([]title.Match{game("Barcelona", "Real Madrid", "", score(1, 0), footy.SideHome, "E. Pajor", 20)})
	for text, is := range map[string]bool{"Barcelona [1]-0 Real Madrid - Ewa Pajor 20'": true, "Barcelona [1]-0 Real Madrid 20'": true, "Barcelona [1]-0 Real Madrid - Robert Lewandowski 20'": false} {
		_, a := d.Find(title.Parse(text), time.Time{})
		require.Equal(t, is, a.OK(), text)
	}
	d = title.NewDay([]title.Match{game("Liverpool", "Manchester United", "Premier League", score(1, 0), footy.SideHome, "R. Firmino", 20)})
	_, a := d.Find(title.Parse("Liverpool [1]-0 Man Utd - Bobby Firmino 20'"), time.Time{})
	require.True(t, a.OK(), "a nickname has another initial")
}

// TestAScorersNicknameIsOneFactAmongMany: the names, the score and the minute may say enough without it.
func TestAScorersNicknameIsOneFactAmongMany(t *testing.T) {
	t.Parallel()
	for text, league := range map[string]string{
		"Guadalajara [1]-0 Atlas - Chicharito 34'": "", // a name that says that it is a nickname
		"Chivas [1]-0 Atlas - Chicharito 35'":      "Liga MX",
		"Chivas [1]-0 Atlas - El Tigre 34'":        "Liga MX",
	} {
		m := game("Guadalajara", "Atlas", league, score(1, 0), footy.SideHome, "J. Hernández", 34)
		m.Home.Aliases = []string{"chivas"}
		found, a := title.NewDay([]title.Match{m}).Find(title.Parse(text), time.Time{})
		require.NotNil(t, found, "%s: %+v", text, a)
		require.Equal(t, title.Differs, a.Scorer, text)
		for _, other := range []string{
			strings.Replace(text, "[1]", "[2]", 1), strings.Replace(text, "3", "2", 1), strings.Replace(text, "[1]-0", "0-[1]", 1),
			strings.Replace(text, "Atlas", "Toluca", 1), strings.Replace(text, "Atlas", "Atlas FS", 1),
			strings.Replace(text, "- ", "- Bea ", 1), strings.Replace(text, "Atlas", "Atlas W", 1),
		} {
			found, _ := title.NewDay([]title.Match{m}).Find(title.Parse(other), time.Time{})
			require.Nil(t, found, other)
		}
	}
}

// TestASideThatOneLeavesOut: who scored must say it then, unless the men whose name it is play another match.
func TestASideThatOneLeavesOut(t *testing.T) {
	t.Parallel()
	men := game("England", "Wales", "Friendlies", score(1, 0), footy.SideHome, "B. Saka", 20)
	for _, c := range []struct {
		home, away, text string
		with             []title.Match
		is               bool
	}{
		{"England U21", "Iceland U21", "England U21 [1]-0 Iceland U21 - Ethan Nwaneri 44'", []title.Match{men}, true},
		{"England U21", "Iceland U21", "England [1]-0 Iceland - Ethan Nwaneri 44'", nil, true},
		{"England U21", "Iceland U21", "England [1]-0 Iceland - Ethan Nwaneri 44'", []title.Match{men}, false},
		{"England U21", "Iceland U21", "England [1]-0 Iceland - Harry Kane 44'", nil, false},
		{"England U21", "Iceland U21", "England [1]-0 Iceland 44'", nil, false},
		{"England", "Iceland", "England U21 [1]-0 Iceland U21 - Ethan Nwaneri 44'", []title.Match{men}, true},
		{"England", "Iceland", "England U21 [1]-0 Iceland - Ethan Nwaneri 44'", []title.Match{men}, true},
		{"England", "Iceland", "England U21 [1]-0 Iceland - Ethan Nwaneri 48'", []title.Match{men}, false},
		{"England", "Iceland", "England U21 [1]-0 Iceland - Harry Kane 44'", []title.Match{men}, false},
	} {
		day := title.NewDay(append([]title.Match{game(c.home, c.away, "Friendlies", score(1, 0), footy.SideHome, "E. Nwaneri", 44)}, c.with...))
		found, a := day.Find(title.Parse(c.text), time.Time{})
		require.Equal(t, c.is, found != nil && found.Match == 0, "%s for %s: %+v", c.text, c.home, a)
	}
}

// namesakes is a day on which sides of the same clubs, and clubs of the same names, score alike, and competitions say little of who plays.
func namesakes() *title.Day {
	return title.NewDay([]title.Match{
		game("Arsenal", "Chelsea", "Premier League", score(1, 0), footy.SideHome, "B. Saka", 22),
		game("Arsenal", "Chelsea", "Women's League Cup", score(1, 0), footy.SideHome, "A. Russo", 22),
		game("Arsenal", "Chelsea", "Premier League 2", score(1, 0), footy.SideHome, "A. Harriman", 22),
		game("Juventus", "Inter", "Viareggio Cup", score(2, 1), footy.SideHome, "A. Vacca", 76),
		game("Juventus", "Inter", "Serie A", score(2, 1), footy.SideHome, "L. Martínez", 76),
		game("Jong Ajax", "Jong PSV", "Eerste Divisie", score(1, 0), footy.SideHome, "D. Konadu", 33),
		game("Ajax Amsterdam", "PSV Eindhoven", "Eredivisie", score(1, 0), footy.SideHome, "K. Taylor", 33),
		game("River Plate", "Racing Club", "Libertadores", score(1, 0), footy.SideHome, "S. Driussi", 11),
		game("River Plate Montevideo", "Racing Montevideo", "Primera División", score(1, 0), footy.SideHome, "F. Sansone", 11),
		game("Guinea", "Mozambique", "World Cup Qualification", score(1, 0), footy.SideHome, "S. Guirassy", 40),
		game("Chinese Taipei", "Mongolia", "Friendlies", score(1, 0), footy.SideHome, "", 77),
		game("Chelsea U21", "Fulham U21", "Friendlies", score(1, 0), footy.SideHome, "I. Samuels", 15),
		game("Chelsea", "Fulham", "Premier League", score(1, 0), footy.SideHome, "C. Palmer", 15),
	})
}

func TestNamesakesAreDistinguishedByWhoScored(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"Arsenal [1]-0 Chelsea - Bukayo Saka 22'":                              0,
		"Arsenal [1]-0 Chelsea - Alessia Russo 22'":                            1,
		"Arsenal U21 [1]-0 Chelsea U21 - Andre Harriman 22'":                   2,
		"Arsenal [1]-0 Chelsea - Andre Harriman 22'":                           2,
		"Juventus Primavera [2]-1 Inter Primavera - Alessio Vacca 76'":         3, // no competition that says so
		"Juventus [2]-1 Inter - Lautaro 76'":                                   4, // a given name
		"Jong Ajax [1]-0 Jong PSV 33'":                                         5,
		"Ajax [1]-0 PSV - Kenneth Taylor 33'":                                  6,
		"Ajax [1]-0 PSV 33'":                                                   6,
		"River Plate [1]-0 Racing - Sebastián Driussi 11'":                     7,
		"River Plate [1]-0 Racing - Facundo Sansone 11'":                       8,
		"Guinea [1]-0 Mozambique 40'":                                          9,
		"Formosa [1]-0 Mongolia - Ange Chen 77'":                               10, // the feed has no scorer yet
		"Chelsea U21 [1]-0 Fulham U21 - Ishé Samuels-Smith 15'":                11,
		"Chelsea [1]-0 Fulham - Cole Palmer 15' | great goal from the academy": 12,
	} {
		found, a := namesakes().Find(title.Parse(text), time.Time{})
		require.NotNil(t, found, "%s: %+v", text, a)
		require.Equal(t, want, found.Match, text)
	}
	for _, text := range []string{
		"Arsenal [1]-0 Chelsea - Leandro Trossard 22'", // the scorer of none of them
		"Arsenal U18 [1]-0 Chelsea U18 - Saka 22'",
		"Chelsea [1]-0 Fulham - Ishé Samuels 15'", // maybe the U21's
		"Chelsea W [1]-0 Fulham W - Palmer 15'",
		"Equatorial Guinea [1]-0 Mozambique 40'",
		"Formosa [1]-0 Mongolia 77'",
		"FC 26: Chelsea [1]-0 Fulham - Palmer 15'",
	} {
		found, _ := namesakes().Find(title.Parse(text), time.Time{})
		require.Nil(t, found, text)
	}
}
