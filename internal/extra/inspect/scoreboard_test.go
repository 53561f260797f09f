package inspect_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/tools/devtest"
)

func TestASavedScoreboardIsTold(t *testing.T) {
	t.Parallel()
	a, err := inspect.Scoreboard(devtest.Payloads(t, "samples/espn/made-scoreboard.json")[0])
	require.NoError(t, err)
	require.Len(t, a.Fixtures, 5)
	body, err := json.Marshal(a.Fixtures[0])
	require.NoError(t, err)
	require.JSONEq(t, `{"id":501,"kickoff":"2026-11-21T15:00:00Z","league":900,"status":"2H","elapsed":90,"extra":3,"home":"Rovers","away":"Wanderers","home_score":2,"away_score":1,"events":[
		{"kind":"goal","elapsed":9,"extra":0,"side":"home","player":"Ada","own_goal":false,"penalty":false},
		{"kind":"goal","elapsed":45,"extra":2,"side":"away","player":"Bo","own_goal":true,"penalty":false},
		{"kind":"yellow_card","elapsed":60,"extra":0,"side":"away","player":"","own_goal":false,"penalty":false},
		{"kind":"goal","elapsed":90,"extra":1,"side":"home","player":"Cy","own_goal":false,"penalty":true}]}`, string(body))
	require.Len(t, a.Fixtures[1].Events, 3, "kicks of the shoot-out are left out")
	require.Nil(t, a.Fixtures[2].HomeScore)
	_, err = inspect.Scoreboard("/nowhere")
	require.ErrorContains(t, err, "/nowhere")
}
