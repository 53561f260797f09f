package inspect_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/internal/footy"
)

// response spells a by-id answer about one fixture.
func response(status string, home, away any, events ...string) string {
	return fmt.Sprintf(`{"get":"fixtures","parameters":{"ids":"900"},"errors":[],"results":1,"response":[{"fixture":{"id":900,"date":"2026-03-07T15:00:00+00:00",
	"status":{"short":%q,"elapsed":30}},"league":{"id":39},"teams":{"home":{"id":40,"name":"Liverpool"},"away":{"id":42,"name":"Arsenal"}},
	"goals":{"home":%v,"away":%v},"score":{},"events":[%s]}]}`, status, home, away, strings.Join(events, ","))
}

func goalAt(minute int, team, player int, name string) string {
	return fmt.Sprintf(`{"time":{"elapsed":%d,"extra":null},"team":{"id":%d},"player":{"id":%d,"name":%q},"assist":{"id":null,"name":null},"type":"Goal","detail":"Normal Goal","comments":null}`,
		minute, team, player, name)
}

func write(t testing.TB, name string, polls ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	for i, p := range polls {
		polls[i] = strings.Join(strings.Fields(p), " ")
	}
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(polls, "\n")), 0o600))
	return path
}

func rows(t testing.TB, paths ...string) []inspect.Row {
	t.Helper()
	var got []inspect.Row
	require.NoError(t, inspect.Replay(paths, inspect.ReplayOptions{}, func(a fmt.Stringer) error {
		if r, ok := a.(inspect.Row); ok {
			got = append(got, r)
		}
		return nil
	}))
	return got
}

// told is what people read of a replay.
func told(t testing.TB, path string, o inspect.ReplayOptions) (string, error) {
	t.Helper()
	var b strings.Builder
	err := inspect.Replay([]string{path}, o, func(a fmt.Stringer) error {
		b.WriteString(a.String())
		return nil
	})
	return b.String(), err
}

func story(rs []inspect.Row) []string {
	var out []string
	for _, r := range rs {
		out = append(out, fmt.Sprintf("%d %s %s", r.Poll, r.Decision, r.EventID))
	}
	return out
}

func TestReplayTellsAGoalsLife(t *testing.T) {
	t.Parallel()
	g := goalAt(28, 40, 7, "Ann")
	path := write(t, "day.jsonl",
		response("1H", 1, 0, g), response("1H", 1, 0, g), response("1H", 1, 0, g),
		response("1H", 1, 0), // still counted: an omission
		`{"errors":{"rateLimit":"Too many requests."},"parameters":{"ids":"900"},"response":[]}`,
		response("1H", 0, 0), response("1H", 0, 0), response("1H", 0, 0),
		response("1H", 1, 0, g),
		response("FT", 1, 0, g),
	)
	require.Equal(t, []string{
		"1 new 900_40_7_Goal_1",
		"2 sighting 900_40_7_Goal_1",
		"3 sighting 900_40_7_Goal_1", "3 certain 900_40_7_Goal_1",
		"4 absence_withheld 900_40_7_Goal_1",
		"5 poll_failed ",
		"6 absence 900_40_7_Goal_1", "7 absence 900_40_7_Goal_1", "8 absence 900_40_7_Goal_1", "8 removed 900_40_7_Goal_1",
		"9 restored 900_40_7_Goal_1",
		"10 completed ",
	}, story(rows(t, path)))
}

func TestReplayOneFilePerPollInNaturalOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	g := goalAt(28, 40, 7, "Ann")
	for i := 1; i <= 12; i++ {
		body := response("1H", 0, 0)
		if i >= 10 {
			body = "[" + response("1H", 1, 0, g) + "]" // an array of responses is one poll too
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("poll%d.json", i)), []byte(body), 0o600))
	}
	got := rows(t, dir)
	require.Equal(t, "10 new 900_40_7_Goal_1", story(got)[0])
	require.Equal(t, "12 certain 900_40_7_Goal_1", story(got)[3])
}

func TestReplayReportsWhatWasAskedAndNotAnswered(t *testing.T) {
	t.Parallel()
	body := strings.Replace(response("1H", 0, 0), `"ids":"900"`, `"ids":"900-901"`, 1)
	noEvents := strings.Replace(response("1H", 0, 0), `,"events":[]`, "", 1)
	require.NotEqual(t, response("1H", 0, 0), noEvents)
	got := rows(t, write(t, "x.jsonl", body, noEvents))
	require.Len(t, got, 2)
	require.EqualValues(t, 901, got[0].Fixture)
	require.EqualValues(t, 900, got[1].Fixture)
	require.EqualValues(t, "poll_failed", got[1].Decision)
	require.Contains(t, got[1].Reason, "events")
}

func TestReplayReportsGoalsThatAreNeverListed(t *testing.T) {
	t.Parallel()
	got := rows(t, write(t, "x.json", response("1H", 1, 0)))
	require.Equal(t, []string{"1 absence_withheld "}, story(got))
}

func TestReplayTakesAnEmptyLiveListForNoAbsence(t *testing.T) {
	t.Parallel()
	g := goalAt(28, 40, 7, "Ann")
	live := func(events ...string) string {
		return strings.Replace(response("1H", 1, 0, events...), `"ids":"900"`, `"live":"all"`, 1)
	}
	got := rows(t, write(t, "x.jsonl", response("1H", 1, 0, g), live(), live(g)))
	require.Equal(t, []string{"1 new 900_40_7_Goal_1", "3 sighting 900_40_7_Goal_1"}, story(got))
}

func TestReplayGivesEveryDecisionAReason(t *testing.T) {
	t.Parallel()
	g := goalAt(28, 40, 7, "Ann")
	with, without := response("1H", 1, 0, g), response("1H", 0, 0)
	for _, r := range rows(t, write(t, "x.jsonl", with, with, with, without, without, without, with, response("FT", 1, 0, g))) {
		require.NotEmpty(t, r.Reason, "%s", r.Decision)
	}
}

func TestReplayFollowsAMatchPutOffTwice(t *testing.T) {
	t.Parallel()
	at := func(status, date string) string {
		return strings.Replace(response(status, "null", "null"), "2026-03-07", date, 1)
	}
	got := rows(t, write(t, "x.jsonl", at("NS", "2026-03-07"), at("PST", "2026-03-07"), at("NS", "2026-05-20"), at("NS", "2026-05-20"),
		at("PST", "2026-05-20"), at("NS", "2026-09-02"), at("NS", "2026-09-02")))
	require.Equal(t, []string{"3 rescheduled ", "6 rescheduled "}, story(got))
}

func TestReplaySaysThatATracedFixtureIsNotThere(t *testing.T) {
	t.Parallel()
	path := write(t, "x.json", response("1H", 0, 0))
	_, err := told(t, path, inspect.ReplayOptions{Trace: 901})
	require.ErrorContains(t, err, "901")
}

func TestReplayFollowsAPostponementToItsNewDate(t *testing.T) {
	t.Parallel()
	at := func(status, date string) string {
		return strings.Replace(response(status, "null", "null"), "2026-03-07", date, 1)
	}
	got := rows(t, write(t, "x.jsonl", at("NS", "2026-03-07"), at("PST", "2026-03-07"), at("PST", "2026-03-07"),
		at("TBD", "2026-05-20"), at("NS", "2026-05-20"), at("1H", "2026-05-20")))
	require.Equal(t, []string{"4 rescheduled ", "6 activated "}, story(got))
}

func TestReplayTraceIsForPeople(t *testing.T) {
	t.Parallel()
	g := goalAt(28, 40, 7, "Ann")
	path := write(t, "day.jsonl", response("1H", 1, 0, g), response("1H", 1, 0, g), response("1H", 1, 0, g), response("1H", 1, 0, g))
	out, err := told(t, path, inspect.ReplayOptions{Trace: 900})
	require.NoError(t, err)
	require.Regexp(t, `poll 3 +certain +900_40_7_Goal_1 +1-0 +Certain: Ann, 28'\. The search starts\.`, out)
	require.Contains(t, out, "4 polls, 1 fixture\n")
}

func TestReplayNamesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	good := strings.Join(strings.Fields(response("1H", 0, 0)), " ")
	cases := map[string]struct {
		name, body string
		offset     int64
	}{
		"not JSON":              {"a.json", "hello", 0},
		"truncated":             {"a.json", good[:100], 100},
		"empty":                 {"a.json", "", 0},
		"a number":              {"a.json", "42", 0},
		"garbage after":         {"a.json", good + " x", int64(len(good)) + 1},
		"an array of numbers":   {"a.json", "[1]", 1},
		"a number after one":    {"a.json", " [" + good + " , 90]", int64(len(good)) + 5},
		"an empty array":        {"a.json", "[]", 0},
		"blank lines":           {"a.jsonl", "\n \n", 0},
		"a line without poll":   {"a.jsonl", "[]\n", 0},
		"bad after a mark":      {"a.json", "\ufeffhello", 3},
		"a bad line among good": {"a.jsonl", good + "\n{\"a\":}\n", int64(len(good)) + 1 + 5},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), c.name)
			require.NoError(t, os.WriteFile(path, []byte(c.body), 0o600))
			_, err := told(t, path, inspect.ReplayOptions{})
			require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
			require.Contains(t, err.Error(), fmt.Sprintf("%s: byte %d: ", path, c.offset))
		})
	}
	for name, path := range map[string]string{"no such file": filepath.Join(t.TempDir(), "none.json"), "a directory without files": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := told(t, path, inspect.ReplayOptions{})
			require.Equal(t, footy.CodeNotFound, footy.CodeOf(err))
			require.ErrorContains(t, err, path+": ")
			require.NotContains(t, err.Error(), "byte", "nothing of it was read")
		})
	}
}

// Every recorded payload, three times over: each goal becomes certain once, nothing is removed, the score is explained.
func TestReplayOfRecordedPayloads(t *testing.T) {
	t.Parallel()
	certain := 0
	for _, path := range payloads(t) {
		if strings.HasPrefix(filepath.Base(path), "statuses") { // words about answers, and none
			continue
		}
		got := rows(t, path, path, path, path)
		seen, sure := map[string]int{}, map[string]int{}
		for _, r := range got {
			switch r.Decision {
			case "seen":
				seen[r.EventID]++
			case "certain":
				sure[r.EventID]++
				certain++
			case "removed", "absence", "absence_withheld", "poll_distrusted", "changed", "renamed":
				t.Errorf("%s: %+v", path, r)
			}
		}
		for id, n := range seen {
			require.Equal(t, 1, n, id)
		}
		for id, n := range sure {
			require.Equal(t, 1, n, id)
		}
	}
	require.NotZero(t, certain)
}

// nobody hears remarks.
func nobody(int64, string) {}

func FuzzReplay(f *testing.F) {
	g := goalAt(28, 40, 7, "Ann")
	f.Add([]byte(response("1H", 1, 0, g)), []byte(response("1H", 0, 0)))
	f.Add([]byte(`{"errors":[],"resp`), []byte("{}\n\n[{}]\n3"))
	f.Add([]byte("["+response("FT", 1, 0, g)+"]"), []byte(`{"errors":{"a":"b"}}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		r := inspect.NewReplayer(inspect.ReplayOptions{}, func(inspect.Row) {}, nobody)
		for _, data := range [][]byte{a, b, a, b} {
			var one json.RawMessage
			if json.Unmarshal(data, &one) != nil {
				continue // as a file it must be refused in order
			}
			r.Poll([]json.RawMessage{one})
		}
		dir := t.TempDir()
		for name, data := range map[string][]byte{"1.json": a, "2.jsonl": b} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
		}
		if _, err := told(t, dir, inspect.ReplayOptions{}); err != nil {
			require.Equal(t, footy.CodeInvalid, footy.CodeOf(err))
			_, where, _ := strings.Cut(err.Error(), ": byte ")
			var at int
			_, scanned := fmt.Sscanf(where, "%d:", &at)
			require.NoError(t, scanned)
			require.LessOrEqual(t, at, len(a)+len(b))
		}
	})
}

func TestReplaySkipsTheMarkBeforeAText(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a.json", "a.jsonl"} {
		got := rows(t, write(t, name, "\ufeff"+response("1H", 1, 0, goalAt(28, 40, 7, "Ann"))))
		require.Len(t, got, 1, name)
	}
}

func TestReplayRowsHoldEveryKey(t *testing.T) {
	t.Parallel()
	path := write(t, "a.jsonl", response("1H", "null", "null"), `{"errors":{"rateLimit":"Slow down."},"parameters":{"ids":"900"},"response":[]}`, response("FT", 0, 0))
	all := rows(t, path)
	require.Len(t, all, 2)
	for _, row := range all {
		line, err := json.Marshal(row)
		require.NoError(t, err)
		for _, key := range []string{"poll", "fixture", "event_id", "decision", "reason", "score_before", "score_after"} {
			require.Contains(t, string(line), `"`+key+`":`)
		}
	}
}

func TestReplayRemarksOnOneFixtureThatContradictsItself(t *testing.T) {
	t.Parallel()
	g := goalAt(28, 40, 7, "Ann")
	path := write(t, "a.jsonl", response("1H", 1, 0, g), response("1H", 0, 0, g))
	out, err := told(t, path, inspect.ReplayOptions{Trace: 900})
	require.NoError(t, err)
	require.Contains(t, out, "Contradicts what was known (score)")
	for _, r := range rows(t, path) {
		require.NotEqual(t, footy.EntryDistrusted, r.Decision)
	}
}

func TestReplayIsDoneWithACompletedFixture(t *testing.T) {
	t.Parallel()
	g := goalAt(28, 40, 7, "Ann")
	got := rows(t, write(t, "a.jsonl", response("1H", 1, 0, g), response("1H", 1, 0, g), response("FT", 1, 0, g),
		response("FT", 0, 0), response("FT", 0, 0), response("FT", 0, 0), response("2H", 1, 0, g)))
	story := story(got)
	require.Equal(t, []string{"3 completed ", "7 activated "}, story[len(story)-2:])
}

// TestAFileThatIsNoRecordingIsRefused: `{"a":1}` was a failed poll, and the program ended well.
func TestAFileThatIsNoRecordingIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"a":1}`, `[{"title":"Wolves 2-1 Everton"}]`} {
		path := write(t, "day.json", text)
		_, err := told(t, path, inspect.ReplayOptions{})
		require.ErrorContains(t, err, path+": holds no answer of a feed; give what footy inspect answers wrote")
	}
	said, err := told(t, write(t, "day.jsonl", `{}`, `{"errors":{"rateLimit":"Too many requests"},"response":[]}`), inspect.ReplayOptions{})
	require.NoError(t, err, "an outage is a recording, too")
	require.Contains(t, said, "2 polls, 0 fixtures")
}
