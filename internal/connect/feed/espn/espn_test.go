package espn_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed/espn"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func made(t *testing.T) []byte {
	t.Helper()
	body, err := os.ReadFile(devtest.Payloads(t, "samples/espn/made-scoreboard.json")[0])
	require.NoError(t, err)
	return body
}

func read(t *testing.T, body []byte) map[int64]footy.Snapshot {
	t.Helper()
	board, err := espn.Read(body, noon)
	require.NoError(t, err)
	require.Empty(t, board.Failed)
	out := map[int64]footy.Snapshot{}
	for _, s := range board.Snapshots {
		out[s.Match.ID] = s
	}
	return out
}

func TestAMatchIsReadAsOurs(t *testing.T) {
	t.Parallel()
	s := read(t, made(t))[501]
	require.Contains(t, string(s.Said), `"id": "501"`)
	s.Said = nil
	elapsed, extra := 90, 3
	rovers, wanderers := footy.Team{ID: 11, Name: "Rovers", Logo: "https://crests.example/11.png"}, footy.Team{ID: 12, Name: "Wanderers", Logo: "https://crests.example/12.png"}
	goal := func(m footy.Minute, team footy.Team, player footy.Person, detail string) footy.FeedEvent {
		return footy.FeedEvent{Minute: m, Team: team, Player: player, Type: "Goal", Detail: detail, Kind: footy.KindGoal}
	}
	require.Equal(t, footy.Snapshot{
		Match: footy.Match{ID: 501, Kickoff: time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC), Venue: "The Ground",
			Status: footy.Status{Code: "2H", Long: "In_Progress", Elapsed: &elapsed, Extra: &extra}},
		League:    footy.League{ID: 900, Name: "Test League", Season: 2026, Round: "Round 3"},
		Teams:     footy.Teams{Home: rovers, Away: wanderers},
		Score:     footy.ScoreOf(2, 1),
		HasEvents: true, Answered: noon,
		Events: []footy.FeedEvent{
			goal(footy.Minute{Elapsed: 9}, rovers, footy.Person{ID: 101, Name: "Ada"}, "Normal Goal"),
			goal(footy.Minute{Elapsed: 45, Extra: 2}, wanderers, footy.Person{ID: 102, Name: "Bo"}, "Own Goal"),
			{Minute: footy.Minute{Elapsed: 60}, Team: wanderers, Type: "Card", Detail: "Yellow Card", Kind: footy.KindYellowCard},
			goal(footy.Minute{Elapsed: 90, Extra: 1}, rovers, footy.Person{ID: 103, Name: "Cy"}, "Penalty"),
		},
	}, s)
}

func TestKicksOfAShootOutAreNoGoals(t *testing.T) {
	t.Parallel()
	s := read(t, made(t))[502]
	require.Equal(t, footy.ScoreOf(1, 1), s.Score)
	require.Equal(t, footy.ScoreOf(4, 3), s.Periods.Penalty)
	var kinds []footy.Kind
	for _, e := range s.Events {
		kinds = append(kinds, e.Kind)
	}
	require.Equal(t, []footy.Kind{footy.KindGoal, footy.KindRedCard, footy.KindGoal, footy.KindShootout}, kinds)
}

func TestBeforeAMatchThereIsNoScore(t *testing.T) {
	t.Parallel()
	all := read(t, made(t))
	for id, code := range map[int64]string{503: "NS", 504: "PST"} {
		require.Equal(t, code, all[id].Match.Status.Code)
		require.Equal(t, footy.Score{}, all[id].Score, code)
		require.True(t, all[id].HasEvents)
		require.Nil(t, all[id].Match.Status.Elapsed)
	}
	require.Equal(t, footy.ScoreOf(0, 0), all[505].Score)
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, state string
		period      int
		want        string
	}{
		{"STATUS_IN_PROGRESS", "in", 1, "1H"}, {"STATUS_IN_PROGRESS", "in", 2, "2H"}, {"STATUS_IN_PROGRESS", "in", 0, "LIVE"},
		{"STATUS_OVERTIME", "in", 3, "ET"}, {"STATUS_OVERTIME", "in", 4, "ET"}, {"STATUS_HALFTIME_ET", "in", 3, "BT"}, {"STATUS_SHOOTOUT", "in", 5, "P"},
		{"STATUS_FULL_TIME", "post", 2, "FT"}, {"STATUS_FINAL_AET", "post", 4, "AET"}, {"STATUS_FINAL_PEN", "post", 5, "PEN"},
		{"STATUS_POSTPONED", "post", 0, "PST"}, {"STATUS_CANCELED", "post", 0, "CANC"}, {"STATUS_ABANDONED", "post", 2, "ABD"}, {"STATUS_SUSPENDED", "in", 2, "SUSP"},
		{"STATUS_DELAYED", "pre", 0, "NS"}, {"STATUS_DELAYED", "in", 1, "INT"}, {"STATUS_OF_TOMORROW", "in", 1, "1H"}, {"STATUS_OF_TOMORROW", "post", 2, "STATUS_OF_TOMORROW"},
	} {
		body := edited(t, 505, func(m map[string]any) {
			status := m["status"].(map[string]any)
			status["period"] = c.period
			status["type"] = map[string]any{"name": c.name, "state": c.state}
		})
		require.Equal(t, c.want, read(t, body)[505].Match.Status.Code, "%s %s %d", c.name, c.state, c.period)
	}
	over, not := true, false
	for _, c := range []struct {
		name, state string
		completed   bool
		period      int
		want        string
	}{ // what is completed is over whatever its name, and no name ends what is not
		{"STATUS_AWARDED", "post", over, 2, "AWD"}, {"STATUS_WALKOVER", "post", over, 0, "WO"}, {"STATUS_FORFEIT", "post", over, 0, "AWD"},
		{"STATUS_FINAL_PENALTIES", "post", over, 2, "PEN"}, {"STATUS_SHOOTOUT_FINAL", "post", over, 5, "PEN"}, {"STATUS_FINAL_AGG", "post", over, 2, "FT"},
		{"STATUS_FINAL_AGG", "post", over, 4, "AET"}, {"STATUS_SOMETHING_NEW", "post", over, 2, "FT"}, {"STATUS_SECOND_HALF", "in", over, 2, "FT"},
		{"STATUS_SUSPENDED", "post", over, 2, "ABD"}, {"STATUS_DELAYED", "post", over, 1, "ABD"}, {"STATUS_POSTPONED", "post", over, 0, "CANC"},
		{"STATUS_CANCELLED", "post", over, 0, "CANC"}, {"status_final", "post", over, 2, "FT"}, {"STATUS_NEW", "", over, 0, "FT"},
		{"STATUS_FINAL_GOLDEN", "post", not, 2, "FT"}, {"STATUS_FULL_TIME", "post", not, 2, "FT"}, {"STATUS_FULL_TIME", "in", not, 2, "BT"},
		{"STATUS_FINAL_AGG", "in", not, 2, "2H"}, {"STATUS_ABANDONED", "in", not, 2, "SUSP"}, {"STATUS_SOMETHING_NEW", "post", not, 2, "STATUS_SOMETHING_NEW"},
		{"STATUS_RAIN_DELAY", "in", not, 2, "INT"}, {"STATUS_DELAYED", "in", not, 2, "INT"}, {"STATUS_DELAYED_START", "pre", not, 0, "NS"}, {"STATUS_INTERRUPTED", "in", not, 1, "INT"}, {"STATUS_COOLING_BREAK", "in", not, 2, "INT"},
		{"STATUS_EXTRA_TIME", "in", not, 3, "ET"}, {"STATUS_PENALTY", "in", not, 5, "P"}, {"STATUS_FIRST_HALF_ET", "in", not, 3, "ET"},
		{"STATUS_END_PERIOD", "in", not, 1, "HT"}, {"STATUS_END_PERIOD", "in", not, 2, "BT"}, {"STATUS_POSTPONED_WEATHER", "post", not, 0, "PST"},
	} {
		body := edited(t, 505, func(m map[string]any) {
			status := m["status"].(map[string]any)
			status["period"], status["type"] = c.period, map[string]any{"name": c.name, "state": c.state, "completed": c.completed}
		})
		require.Equal(t, c.want, read(t, body)[505].Match.Status.Code, "%s %s %d completed %t", c.name, c.state, c.period, c.completed)
	}
	later := edited(t, 503, func(m map[string]any) { m["timeValid"] = false })
	require.Equal(t, "TBD", read(t, later)[503].Match.Status.Code)
}

// TestWhatCannotBeReadWholeIsAFailedMatch: the others of the answer are believed.
func TestWhatCannotBeReadWholeIsAFailedMatch(t *testing.T) {
	t.Parallel()
	detail := func(change func(map[string]any)) func(map[string]any) {
		return func(m map[string]any) { change(m["details"].([]any)[0].(map[string]any)) }
	}
	for want, change := range map[string]func(map[string]any){
		"match without its teams":                    func(m map[string]any) { m["competitors"] = []any{} },
		"match without a status":                     func(m map[string]any) { delete(m, "status") },
		`score "two" of the home team is no number`:  func(m map[string]any) { m["competitors"].([]any)[0].(map[string]any)["score"] = "two" },
		"a goal of team 99, which does not play":     detail(func(d map[string]any) { d["team"] = map[string]any{"id": "99"} }),
		"its goals and cards are no list":            func(m map[string]any) { m["details"] = "none" },
		"a goal of team eleven, which does not play": detail(func(d map[string]any) { d["team"] = map[string]any{"id": "eleven"} }),
	} {
		board, err := espn.Read(edited(t, 501, change), noon)
		require.NoError(t, err, want)
		require.Len(t, board.Snapshots, 4, want)
		require.Contains(t, board.Failed[501], want)
	}
	for _, clock := range []map[string]any{{"displayValue": "9"}, {"displayValue": ""}, {"value": 540.0}, {"displayValue": "HT"}, nil} {
		s := read(t, edited(t, 501, detail(func(d map[string]any) { d["clock"] = clock })))[501]
		require.True(t, s.HasEvents)
		require.False(t, s.Events[0].Minute.Known(), "a goal without a minute is a goal")
		require.Equal(t, footy.KindGoal, s.Events[0].Kind)
	}
	s := read(t, edited(t, 501, func(m map[string]any) { delete(m, "details") }))[501]
	require.False(t, s.HasEvents, "no list is not an empty one")
	s = read(t, edited(t, 501, detail(func(d map[string]any) { d["athletesInvolved"] = []any{map[string]any{"id": nil, "displayName": "Ann"}} })))[501]
	require.Equal(t, footy.Person{Name: "Ann"}, s.Events[0].Player)
	s = read(t, edited(t, 505, func(m map[string]any) {
		m["status"].(map[string]any)["type"] = map[string]any{"name": "STATUS_AWARDED", "state": "post", "completed": true}
		for i, score := range []any{nil, ""} {
			m["competitors"].([]any)[i].(map[string]any)["score"] = score
		}
	}))[505]
	require.True(t, s.Match.Status.Terminal(), "over, whatever its score is")
	require.False(t, s.Score.Known())
}

func TestWhatIsNoScoreboardIsNoAnswer(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		``:                "no scoreboard",
		`<html>`:          "no scoreboard",
		`{}`:              "no list of events",
		`{"events":null}`: "no list of events",
		`{"code":400,"message":"Failed to get events endpoint."}`: "Failed to get events endpoint. (400)",
		`{"events":[{"id":"?"}]}`:                                 "match 1 of the list",
	} {
		_, err := espn.Read([]byte(body), noon)
		require.ErrorContains(t, err, want, body)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), body)
	}
	board, err := espn.Read([]byte(`{"leagues":[],"events":[]}`), noon)
	require.NoError(t, err, "a day without a match")
	require.Empty(t, board.Snapshots)
}

// TestRecordedScoreboards: what all recordings have in common. The score counts the goals of the list but not the shoot-out's kicks.
func TestRecordedScoreboards(t *testing.T) {
	t.Parallel()
	matches := 0
	for _, dir := range devtest.Payloads(t, "samples/espn") {
		files, err := filepath.Glob(filepath.Join(dir, "*.json"))
		require.NoError(t, err)
		for _, file := range files {
			if name := filepath.Base(file); strings.HasPrefix(name, "error-") || strings.HasPrefix(name, "summary-") {
				continue
			}
			body, err := os.ReadFile(file)
			require.NoError(t, err)
			all := read(t, body)
			for _, id := range slices.Sorted(maps.Keys(all)) {
				s := all[id]
				matches++
				require.NotEqual(t, footy.PhaseUnknown, s.Match.Status.Info().Phase, "%s %d: %s", file, id, s.Match.Status.Code)
				require.NotZero(t, s.League.ID, "%s %d", file, id)
				counted := map[footy.Side]int{}
				for _, e := range s.Events {
					if e.Kind == footy.KindGoal {
						require.NotEmpty(t, e.Player.Name, "%s %d", file, id)
						require.True(t, e.Minute.Known(), "%s %d", file, id)
						counted[s.Teams.Side(e.Team.ID)]++
					}
				}
				if edited := id == 623574; s.Score.Known() && !edited { // somebody put a goal in by hand
					require.Equal(t, footy.ScoreOf(counted[footy.SideHome], counted[footy.SideAway]), s.Score, "%s %d", file, id)
				}
			}
		}
	}
	require.GreaterOrEqual(t, matches, 5)
}

// edited is the made scoreboard with one match changed.
func edited(t *testing.T, id int64, change func(competition map[string]any)) []byte {
	t.Helper()
	var board map[string]any
	require.NoError(t, json.Unmarshal(made(t), &board))
	events := board["events"].([]any)
	i := slices.IndexFunc(events, func(e any) bool { return e.(map[string]any)["id"] == strconv.FormatInt(id, 10) })
	change(events[i].(map[string]any)["competitions"].([]any)[0].(map[string]any))
	out, err := json.Marshal(board)
	require.NoError(t, err)
	return out
}
