package inspect_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/alias/static"
	"github.com/found-footy/found-footy/internal/connect/feed/apifootball"
	"github.com/found-footy/found-footy/internal/decide/match/debounce"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/decide/post/query"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/names"
	"github.com/found-footy/found-footy/tools/devtest"
)

type caseRow struct {
	ID       string         `json:"id"`
	Input    map[string]any `json:"input"`
	Expected map[string]any `json:"expected"`
	Note     string         `json:"note"`
}

// Rows that other packages compute, or that have nothing to compute here.
var elsewhere = map[string]string{
	"search_state":       "the state of a search page is read by internal/connect/browser",
	"event_identity-030": "a late write is refused where the event is updated, in internal/pipeline/publish",
	"fixture_status-035": "no winner is stored: the page derives the leader from the score",
}

func TestCasesOfTheSharedTable(t *testing.T) {
	t.Parallel()
	groups := map[string][]caseRow{}
	for _, path := range devtest.Payloads(t, "cases/match.json") {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var table struct {
			Groups map[string][]caseRow `json:"groups"`
		}
		require.NoError(t, json.Unmarshal(data, &table))
		for group, rows := range table.Groups {
			groups[group] = append(groups[group], rows...)
		}
	}
	ran := 0
	for group, rows := range groups {
		for _, row := range rows {
			if elsewhere[group] != "" || elsewhere[row.ID] != "" {
				continue
			}
			ran++
			t.Run(row.ID, func(t *testing.T) {
				t.Parallel()
				check, ok := checks[group]
				require.True(t, ok, "nothing computes the group %s", group)
				check(t, row)
			})
		}
	}
	require.NotZero(t, ran)
}

var checks = map[string]func(*testing.T, caseRow){
	"tokenise": func(t *testing.T, r caseRow) {
		want := []string{}
		for _, w := range r.Expected["tokens"].([]any) {
			want = append(want, w.(string))
		}
		require.Equal(t, want, names.Tokens(r.Input["text"].(string)), r.Note)
	},
	"abbreviation_derived": func(t *testing.T, r caseRow) {
		require.Equal(t, r.Expected["abbreviation"], names.Abbreviate(r.Input["derive_abbreviation"].(string)), r.Note)
	},
	"abbreviation_curated": func(t *testing.T, r caseRow) {
		known, err := static.New().Resolve(t.Context(), footy.Team{Name: r.Input["derive_abbreviation"].(string)}, "", false)
		require.NoError(t, err)
		require.Equal(t, r.Expected["abbreviation"], known.Abbr, r.Note)
	},
	"query_build": func(t *testing.T, r caseRow) {
		var aliases []string
		for _, a := range r.Input["aliases"].([]any) {
			aliases = append(aliases, a.(string))
		}
		p, err := query.Build(r.Input["player"].(string), footy.Team{Name: r.Input["team"].(string)}, footy.TeamAliases{Aliases: aliases})
		if want, ok := r.Expected["error"]; ok {
			require.EqualError(t, err, want.(string), r.Note)
			return
		}
		require.NoError(t, err)
		require.Equal(t, r.Expected["query"], p.Wide, r.Note)
	},
	"event_identity": identity,
	"fixture_status": statusRow,
}

func identity(t *testing.T, r caseRow) {
	switch {
	case r.Input["api_type"] != nil:
		str := func(k string) string { s, _ := r.Input[k].(string); return s }
		kind := footy.KindOf(str("api_type"), str("detail"), str("comments"))
		followed := []footy.Kind{footy.KindGoal, footy.KindRedCard}
		require.Equal(t, r.Expected["track"], slices.Contains(followed, kind), r.Note)
		if want, ok := r.Expected["type"].(string); ok {
			require.Equal(t, want, strings.ToLower(string(kind)))
		}
	case r.Input["polls"] != nil:
		f := playing()
		for i := range 3 {
			decide(&f, i, listed(30))
		}
		require.EqualValues(t, r.Expected["count"], len(f.Events[0].Votes)) //nolint:testifylint // the expected count comes as any
		require.Equal(t, r.Expected["search_started"], f.Events[0].Round.Workflow != "")
	case r.Input["brace"] != nil:
		f := playing()
		for i := range 3 {
			decide(&f, i, listed(minutes(r.Input["brace"])...))
		}
		for i := range 3 {
			decide(&f, 3+i, listed(minutes(r.Input["then"])...))
		}
		require.True(t, f.Event("5000_"+r.Expected["removed"].(string)[:7]+"Goal_1").Removed, r.Note)
		require.Equal(t, 60, f.Event("5000_40_111_Goal_2").Minute.Elapsed)
	case r.Input["stored"] != nil:
		f := playing()
		decide(&f, 0, listed(minutes(r.Input["stored"])...))
		id := f.Events[0].ID
		decide(&f, 1, listed(minutes(r.Input["array"])...))
		require.Equal(t, r.Expected["same_key"], f.Events[0].ID == id, r.Note)
		require.EqualValues(t, r.Expected["minute"], f.Events[0].Minute.Elapsed)
	default:
		require.Fail(t, "nothing computes this row")
	}
}

func playing() footy.Fixture {
	return footy.Fixture{ID: 5000, Stage: footy.StageActive, Teams: footy.Teams{Home: footy.Team{ID: 40}, Away: footy.Team{ID: 42}}}
}

func minutes(v any) []int {
	var out []int
	for _, m := range v.([]any) {
		out = append(out, int(m.(float64)))
	}
	return out
}

func listed(at ...int) footy.Snapshot {
	s := footy.Snapshot{HasEvents: true, Score: footy.ScoreOf(len(at), 0), Match: footy.Match{Status: footy.Status{Code: "1H"}}}
	for _, m := range at {
		s.Events = append(s.Events, footy.FeedEvent{Kind: footy.KindGoal, Team: footy.Team{ID: 40}, Player: footy.Person{ID: 111, Name: "Ann"},
			Minute: footy.Minute{Elapsed: m}})
	}
	return s
}

func decide(f *footy.Fixture, poll int, s footy.Snapshot) {
	at := time.Date(2026, 7, 8, 15, 0, 30*poll, 0, time.UTC)
	debounce.Decide(f, s, debounce.Poll{ID: fmt.Sprint("p", poll), Now: at}, debounce.Defaults())
}

func statusRow(t *testing.T, r caseRow) {
	in := r.Input
	switch {
	case in["rule"] == "provider_trust":
		trustRow(t, r)
	case in["kickoff"] != nil:
		at := func(k string) time.Time {
			v, err := time.Parse("2006-01-02T15:04Z", in[k].(string))
			require.NoError(t, err)
			return v
		}
		window, err := time.ParseDuration(in["activation_window"].(string))
		require.NoError(t, err)
		w := lifecycle.Defaults()
		w.PreActivate = window
		f := footy.Fixture{Stage: footy.StageStaging, Match: footy.Match{Kickoff: at("kickoff"), Status: footy.Status{Code: "NS"}}}
		require.Equal(t, r.Expected["activate"], lifecycle.Plan(f, at("now"), w).To == footy.StageActive, r.Note)
	case in["poll"] != nil:
		var f footy.Fixture
		for _, p := range in["poll"].([]any) {
			lifecycle.Merge(&f, spoken(p.(map[string]any)), time.Now())
		}
		require.Equal(t, score(r.Expected["score"]), f.Score, r.Note)
	case in["terminal_since"] != nil && in["api"] != nil:
		// An HTTP error brings no snapshot, so nothing is planned; the bare passing of time completes nothing either.
		f := footy.Fixture{Stage: footy.StageActive, Match: footy.Match{Status: footy.Status{Code: "2H"}}, TerminalSince: time.Now().Add(-time.Hour)}
		require.Empty(t, lifecycle.Plan(f, time.Now(), lifecycle.Defaults()).To, r.Note)
	case in["terminal_since"] != nil:
		f := footy.Fixture{Stage: footy.StageActive, TerminalSince: time.Now()}
		lifecycle.Merge(&f, footy.Snapshot{Match: footy.Match{Status: footy.Status{Code: in["response"].(string)}}}, time.Now())
		require.True(t, f.TerminalSince.IsZero(), r.Note)
	case in["status"] != nil:
		bucketRow(t, in["status"].(string), r)
	default:
		require.Fail(t, "nothing computes this row")
	}
}

func bucketRow(t *testing.T, code string, r caseRow) {
	status := footy.Status{Code: code}
	switch want := r.Expected["bucket"].(string); want {
	case "terminal":
		require.True(t, status.Terminal())
	case "live":
		require.Equal(t, footy.PhaseInPlay, status.Info().Phase, "also of a match that rests")
	case "pre":
		require.True(t, status.Pre())
	case "unchanged":
		require.Equal(t, footy.PhaseUnknown, status.Info().Phase)
	default: // deferred after a bounded delay
		now := time.Date(2026, 7, 8, 15, 5, 0, 0, time.UTC)
		w := lifecycle.Defaults()
		f := footy.Fixture{Stage: footy.StageActive, LastMonitor: now.Add(-time.Minute), PostponedAt: now.Add(-w.PostponedReturn),
			Match: footy.Match{Kickoff: now.Add(-3 * time.Hour), Status: footy.Status{Code: code}}}
		later := now.Add(time.Minute)
		require.True(t, lifecycle.Rare(f, later, w) && !lifecycle.StagingDue(f, later, w.PostponedPoll), r.Note)
		require.Equal(t, footy.StageStaging, lifecycle.Plan(f, now, w).To, r.Note)
	}
}

func trustRow(t *testing.T, r caseRow) {
	in := r.Input
	reasons := func() []string {
		switch v := r.Expected["reason"].(type) {
		case string:
			return []string{v}
		case []any:
			var out []string
			for _, s := range v {
				out = append(out, s.(string))
			}
			return out
		}
		return nil
	}
	goal := footy.FeedEvent{Kind: footy.KindGoal, Team: footy.Team{ID: 40}, Player: footy.Person{ID: 1, Name: "Ann"}, Minute: footy.Minute{Elapsed: 10}}
	switch {
	case in["from"] != nil:
		prev, cur := sentence(t, in["from"].(string), goal), sentence(t, in["to"].(string), goal)
		got := debounce.Regressions(prev, cur)
		require.Equal(t, r.Expected["policy"] == "positive_only", len(got) > 0, "%s: %v", r.Note, got)
		if want := reasons(); want != nil {
			require.Equal(t, want, got)
		}
	case in["batch"] != nil:
		trusted, _ := debounce.PollTrusted(0, 2+5+1+2)
		require.False(t, trusted)
	case in["own_goal_13min"] != nil:
		own := goal
		own.Detail, own.Minute.Elapsed, own.Player = "Own Goal", 13, footy.Person{ID: 315699, Name: "Old"}
		f := playing()
		for i := range 3 {
			s := listed(60)
			s.Events, s.Score = append(s.Events, own), footy.ScoreOf(2, 0)
			decide(&f, i, s)
		}
		own.Player = footy.Person{ID: 333672, Name: "New"}
		s := listed(60)
		s.Events, s.Score = append(s.Events, own), footy.ScoreOf(2, 0)
		require.Empty(t, debounce.NewlyMissing(f, s), r.Note)
	case in["goal_74min"] != nil:
		f := playing()
		for i := range 3 {
			decide(&f, i, listed(10, 74))
		}
		s := listed(10)
		decide(&f, 3, s)
		require.Empty(t, debounce.NewlyMissing(f, s), r.Note)
		prev := listed(10, 74)
		require.Empty(t, debounce.Regressions(prev, s))
	case in["status"] != nil:
		prev := footy.Snapshot{Match: footy.Match{Status: footy.Status{Code: "PST"}}, Score: footy.ScoreOf(0, 0)}
		cur := footy.Snapshot{Match: footy.Match{Status: footy.Status{Code: "PST"}}, HasEvents: true}
		require.Empty(t, debounce.Regressions(prev, cur), r.Note)
	case in["envelope"] != nil:
		for _, body := range []string{`{"errors":{"x":"y"},"response":[]}`, `{"errors":["y"],"response":[]}`, `{"response":[]}`} {
			_, err := apifootball.Open([]byte(body), time.Now())
			require.Error(t, err, body)
		}
	default:
		require.Fail(t, "nothing computes this row")
	}
}

// sentence reads "2H 90+15", "1H 1-0 with goal listed", "NS null-null".
func sentence(t *testing.T, text string, goal footy.FeedEvent) footy.Snapshot {
	s := footy.Snapshot{HasEvents: true, Teams: footy.Teams{Home: footy.Team{ID: 40}, Away: footy.Team{ID: 42}}, Score: footy.ScoreOf(0, 0)}
	words := strings.Fields(text)
	s.Match.Status.Code = words[0]
	var a, b int
	switch n, _ := fmt.Sscanf(words[1], "%d-%d", &a, &b); {
	case words[1] == "null-null":
		s.Score = footy.Score{}
	case n == 2:
		s.Score = footy.ScoreOf(a, b)
	default:
		_, err := fmt.Sscanf(words[1], "%d+%d", &a, &b)
		if err != nil {
			_, err = fmt.Sscanf(words[1], "%d", &a)
		}
		require.NoError(t, err)
		s.Match.Status.Elapsed = &a
		if b > 0 {
			s.Match.Status.Extra = &b
		}
	}
	if strings.Contains(text, "goal") {
		s.Events = []footy.FeedEvent{goal}
	}
	return s
}

func spoken(p map[string]any) footy.Snapshot {
	return footy.Snapshot{Match: footy.Match{Status: footy.Status{Code: p["status"].(string)}}, Score: score(p["score"])}
}

func score(v any) footy.Score {
	n := func(v any) *int {
		f, ok := v.(float64)
		if !ok {
			return nil
		}
		i := int(f)
		return &i
	}
	pair := v.([]any)
	return footy.Score{Home: n(pair[0]), Away: n(pair[1])}
}
