package title_test

import (
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
		"Inter [2]-0 Udinese - Davide Frattesi 31'":             0,
		"Inter Milan [2]-0 Udinese Calcio - Frattesi 32'":       0,
		"Udinese 0-[2] FC Internazionale Milano - Frattesi 31'": 0,
		"Inter Miami [2]-0 Austin - Tadeo Allende 31'":          1,
		"Inter Maimi [2]-0 Austin - Tadeo Allende 31'":          1, // a typing fault
		"Stade Rennais 0-[1] OGC Nice - Evann Guessand 12'":     2,
		"Formosa [1]-0 Mongolia - Ange Chen 77'":                3, // a strange name, and the rest agrees
		"Valencia 1-[1] La Real - Takefusa Kubo 50'":            4,
		"Valencia F [1]-0 Real Sociedad F - Ainhoa Marín 50'":   5,
		"Valencia (f) [1]-0 Real Sociedad (f) - Marín 51'":      5,
		"Valencia [1]-0 Real Sociedad - Ainhoa Marín 50'":       5, // the competition says who plays
		"Norwich 0-[3] Oviedo - Salomón Rondón 80'":             6,
		"Hungary U21 [1]-0 Wales U21 - Bence Tóth 9'":           7,
		"Hungary U-21s [1]-0 Wales U-21s - Bence Toth":          7,
	} {
		found, a := evening().Find(title.Parse(text), time.Time{})
		require.NotNil(t, found, "%s: %+v", text, a)
		require.Equal(t, want, found.Match, text)
	}
	for text, why := range map[string]title.Mismatch{
		"Juventus [2]-0 Friuli - Frattesi 31'":                           title.OtherMatch, // two strange names
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
