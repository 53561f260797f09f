package inspect_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/inspect"
)

func TestTitleTellsWhatAPostSays(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Wolves 0-[1] Everton - Toti (OG) 45+2'": `{"title":"Wolves 0-[1] Everton - Toti (OG) 45+2'","kind":"goal","home":"Wolves","away":"Everton",
			"home_score":0,"away_score":1,"scoring_side":"away","scorer":"Toti","minute":45,"extra":2,"own_goal":true,"penalty":false}`,
		"Wolves 2-1 Everton - Cunha": `{"title":"Wolves 2-1 Everton - Cunha","kind":"goal","home":"Wolves","away":"Everton",
			"home_score":2,"away_score":1,"scoring_side":null,"scorer":"Cunha","minute":null,"extra":null,"own_goal":false,"penalty":false}`,
		"FT: Wolves 2-1 Everton": `{"title":"FT: Wolves 2-1 Everton","kind":"other","home":null,"away":null,
			"home_score":null,"away_score":null,"scoring_side":null,"scorer":null,"minute":null,"extra":null,"own_goal":false,"penalty":false}`,
	} {
		got, err := json.Marshal(inspect.Title(text))
		require.NoError(t, err)
		require.JSONEq(t, want, string(got))
	}
}

func TestATitleOfNoGoalSaysWhy(t *testing.T) {
	t.Parallel()
	require.Empty(t, inspect.Title("Wolves [2]-1 Everton (pen)").Because)
	require.EqualValues(t, "  # it has neither the minute nor the brackets of a goal\n", inspect.Title("Wolves 2-1 Everton").Because)
}

func TestADaySaysWhichGoalAPostNames(t *testing.T) {
	t.Parallel()
	got, err := inspect.Day("testdata/day.json")
	require.NoError(t, err)
	data, err := json.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, `{"posts": [
		{"title": "Inter 1 - [1] Udinese - Keinan Davis 58'", "match": 0, "event": 1, "why": "names this goal's teams, score, scorer and minute"},
		{"title": "Formosa [1] - 0 Mongolia - Ange Chen 77'", "match": 1, "event": 0,
			"why": "names Formosa, who are Chinese Taipei: the other team, score, scorer and minute agree"},
		{"title": "Juventus [1] - 0 Friuli - Frattesi 31'", "match": null, "event": null, "why": "it names no match of the day"},
		{"title": "Inter [2] - 1 Udinese - Lautaro Martínez 88'", "match": null, "event": null, "why": "it names another goal of a match of the day"},
		{"title": "Full time: Inter 2 - 1 Udinese", "match": null, "event": null, "why": "it is about more than one goal, or none: full time"},
		{"title": "Inter [1] - 0 Udinese Lautaro red card 12'", "match": null, "event": null, "why": "what it says behind the teams is about no goal"}
	]}`, string(data))
	_, err = inspect.Day("title_test.go")
	require.ErrorContains(t, err, "is no day of matches and posts")
}
