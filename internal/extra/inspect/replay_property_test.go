package inspect_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/tools/devtest"
)

// recording is a recorded response, taken apart so that its events can be reordered.
type recording struct {
	name string
	body map[string]any
}

// payloads are the answers of API-Football: our own, and recorded ones where they are there.
func payloads(t *testing.T) []string {
	var out []string
	for _, dir := range devtest.Payloads(t, "samples/api-football") {
		paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
		require.NoError(t, err)
		out = append(out, paths...)
	}
	return out
}

func recordings(t *testing.T) []recording {
	var out []recording
	for _, path := range payloads(t) {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var body map[string]any
		if json.Unmarshal(data, &body) == nil && strings.Contains(string(data), `"events"`) {
			out = append(out, recording{filepath.Base(path), body})
		}
	}
	require.NotEmpty(t, out)
	return out
}

// shuffled is the response with fixtures and events in another order.
func (r recording) shuffled(rt *rapid.T) json.RawMessage {
	body := map[string]any{}
	for k, v := range r.body {
		body[k] = v
	}
	list := rapid.Permutation(r.body["response"].([]any)).Draw(rt, "fixtures")
	out := make([]any, len(list))
	for i, f := range list {
		fixture := map[string]any{}
		for _, k := range []string{"fixture", "league", "teams", "goals", "score", "events"} { // line-ups only cost time here
			if v, ok := f.(map[string]any)[k]; ok {
				fixture[k] = v
			}
		}
		if events, ok := fixture["events"].([]any); ok && len(events) > 1 {
			fixture["events"] = rapid.Permutation(events).Draw(rt, "events")
		}
		out[i] = fixture
	}
	body["response"] = out
	data, err := json.Marshal(body)
	require.NoError(rt, err)
	return data
}

// Whatever the order and whichever polls are lost: names are stable, goals become certain once, nothing is removed.
func TestRecordedMatchesInAnyOrderWithPollsLost(t *testing.T) {
	t.Parallel()
	for _, rec := range recordings(t) {
		t.Run(rec.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				count := map[string]int{}
				omitted := map[int64]bool{} // fixtures of the present poll
				r := inspect.NewReplayer(inspect.ReplayOptions{}, func(row inspect.Row) {
					count[fmt.Sprintf("%s %s", row.Decision, row.EventID)]++
					omitted[row.Fixture] = omitted[row.Fixture] || row.Decision == footy.EntryWithheld
				}, nobody)
				answered := 0
				for range rapid.IntRange(1, 6).Draw(rt, "polls") {
					if rapid.IntRange(0, 3).Draw(rt, "lost") == 0 {
						r.Poll([]json.RawMessage{json.RawMessage(`{"errors":{"rateLimit":"Too many requests."},"response":[]}`)})
						continue
					}
					clear(omitted)
					r.Poll([]json.RawMessage{rec.shuffled(rt)})
					answered++
					for _, id := range r.Fixtures() {
						f, _ := r.Fixture(id)
						require.True(rt, omitted[id] || counted(f), "%d: the score is %d and nobody says which goals are missing", id, f.Score.Total())
					}
				}
				for what, n := range count {
					kind, id, _ := strings.Cut(what, " ")
					switch footy.EntryKind(kind) {
					case footy.EntryNew, footy.EntryCertain:
						require.Equal(rt, 1, n, what)
					case footy.EntryRemoved, footy.EntryRenamed, footy.EntryAbsence, footy.EntryDistrusted, footy.EntryChanged, footy.EntryRestored:
						require.Fail(rt, what)
					case footy.EntryWithheld:
						require.Empty(rt, id, "only goals the vendor never listed are missing: %s", what)
					}
				}
				for _, id := range r.Fixtures() {
					f, _ := r.Fixture(id)
					for _, e := range f.Events {
						require.Equal(rt, answered >= 3 && e.Player.Name != "", e.Certain(), "%s after %d polls", e.ID, answered)
					}
				}
			})
		})
	}
}

// counted reports whether the score is the number of goals that stand; of an unknown score nothing can be said, nor of a match
// known from a list alone.
func counted(f footy.Fixture) bool {
	n := 0
	for _, e := range f.Events {
		if e.Standing() && e.Kind == footy.KindGoal {
			n++
		}
	}
	return !f.Score.Known() || n == f.Score.Total() || len(f.Events) == 0
}

// A vendor that regresses four matches for 75 minutes loses nobody a goal, and is believed again afterwards.
func TestReplayOfAVendorOutage(t *testing.T) {
	t.Parallel()
	body := func(elapsed int, bad, cancelled bool) string {
		var list []string
		for id := 1; id <= 4; id++ {
			g := goalAt(28, 40, 7, "Ann")
			one := response("2H", 1, 0, g)
			switch {
			case bad:
				one = response("1H", 0, 0)
			case cancelled && id == 1:
				one = response("2H", 0, 0)
			}
			one = one[strings.Index(one, `"response":[`)+12 : len(one)-2]
			one = strings.Replace(one, `"id":900`, fmt.Sprintf(`"id":%d`, id), 1)
			list = append(list, strings.Replace(one, `"elapsed":30`, fmt.Sprintf(`"elapsed":%d`, elapsed), 1))
		}
		return `{"parameters":{"ids":"1-2-3-4"},"errors":[],"response":[` + strings.Join(list, ",") + `]}`
	}
	var polls []string
	for range 4 {
		polls = append(polls, body(50, false, false))
	}
	for i := range 150 {
		polls = append(polls, body(5+i/4, true, false))
	}
	for range 3 {
		polls = append(polls, body(89, false, true))
	}
	count := map[string]int{}
	for _, r := range rows(t, write(t, "outage.jsonl", polls...)) {
		count[string(r.Decision)]++
		if r.Decision == footy.EntryRemoved {
			require.EqualValues(t, 1, r.Fixture, "a goal that is really cancelled afterwards goes")
		}
	}
	require.Equal(t, 4, count["certain"])
	require.Equal(t, 150*4, count["poll_distrusted"])
	require.Equal(t, 150*4, count["absence_withheld"])
	require.Equal(t, 1, count["removed"])
	require.Zero(t, count["restored"])
}
