package inspect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/inspect"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
)

func minute(n int) *int { return &n }

func TestClock(t *testing.T) {
	t.Parallel()
	frames := func(clocks ...string) string {
		var out []string
		for _, c := range clocks {
			out = append(out, `{"soccer": true, "screen": false, "clock": "`+c+`", "added": null}`)
		}
		return `{"frames": [` + strings.Join(out, ",") + `]}`
	}
	goal := clock.Question{Minute: footy.Minute{Elapsed: 67}, Tolerance: 3}
	for name, tc := range map[string]struct {
		in       string
		question clock.Question
		want     footy.Outcome
		expected *int
		matched  *int
		says     string
	}{
		"the minute of the goal":        {frames("66:12", "66:15", "66:18"), goal, footy.OutcomeVerified, minute(66), minute(66), ""},
		"another minute":                {frames("12:12", "12:15", "12:18"), goal, footy.OutcomeRejected, minute(66), nil, "12"},
		"no football":                   {`{"frames": [{"soccer": false}, {"soccer": false}]}`, goal, footy.OutcomeRejected, minute(66), nil, "0 of 2 frames"},
		"no clock to be read":           {frames("", ""), goal, footy.OutcomeUnverified, minute(66), nil, ""},
		"a feed that gave no minute":    {frames("66:12"), clock.Question{Tolerance: 3}, footy.OutcomeUnverified, nil, minute(66), ""},
		"a minute of nothing":           {frames("00:12"), clock.Question{Tolerance: 3, Minute: footy.Minute{Extra: 1}}, footy.OutcomeUnverified, nil, minute(0), "no minute"},
		"two goals in one file":         {frames("12:12", "66:15"), goal, footy.OutcomeUnverified, minute(66), minute(66), "jumps"},
		"no frames at all":              {`{"frames": []}`, goal, footy.OutcomeRejected, minute(66), nil, "no frame was read"},
		"a nearer goal of the match":    {frames("69:12", "69:15"), withSibling(goal, 70), footy.OutcomeRejected, minute(66), nil, ""},
		"a sibling that is not nearer":  {frames("66:12", "66:15"), withSibling(goal, 70), footy.OutcomeVerified, minute(66), minute(66), ""},
		"fields a reader did not write": {`{"frames": [{"soccer": true, "clock": "66:12"}]}`, goal, footy.OutcomeVerified, minute(66), minute(66), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := inspect.Clock(strings.NewReader(tc.in), tc.question)
			require.NoError(t, err)
			if tc.want != "" {
				require.Equal(t, tc.want, got.Outcome, got.Reason)
				require.Equal(t, tc.matched, got.MatchedMinute)
			}
			require.Equal(t, tc.expected, got.ExpectedMinute)
			require.Contains(t, got.Reason, tc.says)
			require.NotEmpty(t, got.Reason)
		})
	}
}

func withSibling(q clock.Question, m int) clock.Question {
	q.Siblings = []clock.Sibling{{UID: "other", Minute: footy.Minute{Elapsed: m}}}
	return q
}

func TestClockRefusesWhatIsNoFrames(t *testing.T) {
	t.Parallel()
	for in, says := range map[string]string{
		"":                                  "stdin: byte 0: nothing came",
		" \n":                               "stdin: byte 0: nothing came",
		"goal!":                             "stdin: byte 0: invalid character",
		`{"frames": [}`:                     "stdin: byte 12: invalid character",
		`{"frames": [{"soccer":`:            "stdin: byte 22: unexpected end",
		`{"frames": []} x`:                  "stdin: byte 15: invalid character 'x' after",
		`{"frames": []}{}`:                  "stdin: byte 14: invalid character '{' after",
		`{"frames": "none"}`:                `stdin: byte 11: frames is no list in []`,
		`{"frames": null}`:                  "stdin: byte 11: frames is no list in []",
		` []`:                               "stdin: byte 1: the document is no object in {}; give one document such as",
		` {"frame": [{}]}`:                  "stdin: byte 1: frames is missing; give one document such as",
		`{"frames": [{"soccer": true}, 7]}`: "stdin: byte 30: frames[1] is no object in {}",
		`{"frames": [{}, null]}`:            "stdin: byte 16: frames[1] is no object in {}",
		`{"frames": [{"soccer": "yes"}]}`:   "stdin: byte 12: frames[0].soccer is a JSON string; it must be true or false",
		`{"frames": [{"soccer": true, "clock": 66}]}`:     "stdin: byte 12: frames[0].clock is a JSON number; it must be text in quotes",
		`{"frames": [{"at": "2"}]}`:                       "stdin: byte 12: frames[0].at is a JSON string; it must be seconds as a number",
		`{"frames": [{"at": 1e999}]}`:                     "stdin: byte 12: frames[0].at",
		`{"x": {"y": [1]}, "frames": [{"at": []}]}`:       "stdin: byte 29: frames[0].at is a JSON array",
		`{"frames": [{"soccer": true, "clok": "66:12"}]}`: `stdin: byte 12: frames[0] has an unknown field "clok"; there are soccer, screen, clock`,
		`{"frames": [{"clock": "-66:12"}]}`:               `stdin: byte 12: frames[0] has "-66:12"; give what the screen shows, which is never below zero`,
		`{"frames": [{"added": "-2"}]}`:                   `stdin: byte 12: frames[0] has "-2"; give`,
		`{"frames": [{"at": 1}, {"at": -1.5}]}`:           "stdin: byte 23: frames[1].at is -1.5; give the seconds since the beginning of the clip, 0 or more",
	} {
		_, err := inspect.Clock(strings.NewReader(in), clock.Question{Tolerance: 3})
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), in)
		require.ErrorContains(t, err, says, in)
		require.NotContains(t, err.Error(), "Go ", in)
	}
}

// TestClockRefusesWhatNoGoalCanHave: a question that makes no sense gets no verdict.
func TestClockRefusesWhatNoGoalCanHave(t *testing.T) {
	t.Parallel()
	ask := func(elapsed, extra, tolerance int) error {
		_, err := inspect.Clock(strings.NewReader(`{"frames": [{"soccer": true, "clock": "66:12"}]}`),
			clock.Question{Minute: footy.Minute{Elapsed: elapsed, Extra: extra}, Tolerance: tolerance})
		return err
	}
	for says, err := range map[string]error{
		"--elapsed=400 is no minute of a match; give 1 to 135, or leave it out": ask(400, 0, 3),
		"--elapsed=-2 is no minute of a match":                                  ask(-2, 0, 3),
		"--extra=-3 is no minute of stoppage time; give 1 to 30":                ask(90, -3, 3),
		"--extra=99 is no minute of stoppage time":                              ask(90, 99, 3),
		"--tolerance=-4 is no number of minutes that a clock may differ; give":  ask(67, 0, -4),
		"--tolerance=90 is no number of minutes":                                ask(67, 0, 90),
	} {
		require.Equal(t, footy.CodeInvalid, footy.CodeOf(err), says)
		require.ErrorContains(t, err, says)
	}
	require.NoError(t, ask(-1, 0, 0), "the feed gave no minute")
	require.NoError(t, ask(120, 3, 15))
}

func TestClockNamesWhatItDoesNotRead(t *testing.T) {
	t.Parallel()
	got, err := inspect.Clock(strings.NewReader(`{"elapsed": 20, "frames": [{"soccer": true, "clock": "66:12"}], "note": {}}`), clock.Question{Minute: footy.Minute{Elapsed: 67}, Tolerance: 3})
	require.NoError(t, err)
	require.Equal(t, []string{"elapsed", "note"}, got.Ignored)
}

// TestTheSentencesOfTheDocs: README.md says what such clocks prove.
func TestTheSentencesOfTheDocs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		clock, elapsed string
		siblings       []string
		want           footy.Outcome
	}{
		"47:10 for 48'":                        {"47:10", "48", nil, footy.OutcomeVerified},
		"47:10 for 45+3":                       {"47:10", "45+3", nil, footy.OutcomeUnverified},
		"47:10 for 48', with a goal of 45+3":   {"47:10", "48", []string{"45+3"}, footy.OutcomeUnverified},
		"47:10 for 45+3, with a goal of 48'":   {"47:10", "45+3", []string{"48"}, footy.OutcomeRejected},
		"92:10 for 90+3":                       {"92:10", "90+3", nil, footy.OutcomeVerified},
		"92:10 for 93'":                        {"92:10", "93", nil, footy.OutcomeUnverified},
		"05:25 for 51', a clock that restarts": {"05:25", "51", nil, footy.OutcomeUnverified},
		"02:36 for 45+3, a timer":              {"02:36", "45+3", nil, footy.OutcomeVerified},
	} {
		m, err := inspect.ParseMinute(c.elapsed)
		require.NoError(t, err)
		q := clock.Question{Minute: m, Tolerance: 3}
		for _, s := range c.siblings {
			sibling, err := inspect.ParseMinute(s)
			require.NoError(t, err)
			q.Siblings = append(q.Siblings, clock.Sibling{UID: s, Minute: sibling})
		}
		got, err := inspect.Clock(strings.NewReader(`{"frames": [{"soccer": true, "clock": "`+c.clock+`"}]}`), q)
		require.NoError(t, err)
		require.Equal(t, c.want, got.Outcome, "%s: %s", name, got.Reason)
	}
}

func TestParseMinute(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]footy.Minute{"67": {Elapsed: 67}, " 45+2 ": {Elapsed: 45, Extra: 2}, "90 + 4'": {Elapsed: 90, Extra: 4}} {
		got, err := inspect.ParseMinute(in)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for _, in := range []string{"", "-3", "45+", "45+-1", "ninety", "4.5", "400", "90+99"} {
		_, err := inspect.ParseMinute(in)
		require.ErrorContains(t, err, "no minute such as", in)
	}
}
