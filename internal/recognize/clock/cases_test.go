package clock_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/recognize/clock"
	"github.com/found-footy/found-footy/tools/devtest"
)

type row struct {
	ID    string
	Input struct {
		Field           string
		Text            *string
		DisplayedMinute *int   `json:"displayed_minute"`
		VisiblePeriod   string `json:"visible_period"`
		APIElapsed      *int   `json:"api_elapsed"`
		Frames          []struct {
			Soccer, Screen       bool
			Clock, Added, Period *string
			StoppageClock        *string `json:"stoppage_clock"`
		}
		API       *footy.Minute
		Tolerance int
	}
	Expected struct {
		OK              *bool
		Minute, Minutes *int
		Period          *string
		PeriodPinned    *bool `json:"period_pinned"`
		Stoppage        *bool
		Outcome         footy.Outcome
		ExpectedMinute  *int `json:"expected_minute"`
		MatchedMinute   *int `json:"matched_minute"`
	}
	Note string
}

// cases reads a group of the tables of cases: our own, and the one handed round outside the repository where it is there.
func cases(t *testing.T, group string) []row {
	t.Helper()
	var out []row
	for _, path := range devtest.Payloads(t, "cases/clip.json") {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var doc struct{ Groups map[string][]row }
		require.NoError(t, json.Unmarshal(data, &doc))
		require.NotEmpty(t, doc.Groups[group])
		out = append(out, doc.Groups[group]...)
	}
	return out
}

func TestSharedClockTexts(t *testing.T) {
	t.Parallel()
	for _, r := range cases(t, "clock_parse") {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			in, want := r.Input, r.Expected
			switch {
			case in.APIElapsed != nil:
				require.Equal(t, *want.Period, string(clock.PeriodOf(*in.APIElapsed)))
			case in.DisplayedMinute != nil:
				m, ok := clock.Absolute(*in.DisplayedMinute, clock.Period(in.VisiblePeriod))
				require.Equal(t, *want.OK, ok)
				require.Equal(t, *want.Minute, m)
			case in.Field == "clock":
				got, ok := clock.Parse(*in.Text)
				require.Equal(t, *want.OK, ok)
				if want.Minute != nil {
					require.Equal(t, *want.Minute, got.Minute())
				}
				if want.Period != nil {
					require.Equal(t, *want.Period, string(got.Period))
					require.Equal(t, *want.PeriodPinned, got.Pinned)
					require.Equal(t, *want.Stoppage, got.Stoppage)
				}
			case in.Field == "added":
				n, ok := clock.ParseAdded(*in.Text)
				require.Equal(t, *want.OK, ok)
				if want.Minutes != nil {
					require.Equal(t, *want.Minutes, n)
				}
			case in.Field == "stoppage_clock":
				s, _, ok := clock.ParseStoppage(*in.Text)
				require.Equal(t, *want.OK, ok)
				if want.Minutes != nil {
					require.Equal(t, *want.Minutes, s/60)
				}
			default:
				t.Fatalf("a row of unknown kind: %+v", in)
			}
		})
	}
}

func TestSharedVerdicts(t *testing.T) {
	t.Parallel()
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	for _, r := range cases(t, "timestamp_validate") {
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			var frames []footy.Reading
			for _, f := range r.Input.Frames {
				frames = append(frames, footy.Reading{Soccer: f.Soccer, Screen: f.Screen, Clock: text(f.Clock), Added: text(f.Added),
					StoppageClock: text(f.StoppageClock), Period: text(f.Period)})
			}
			v := clock.Check(frames, clock.Question{Minute: *r.Input.API, Tolerance: r.Input.Tolerance})
			require.Equal(t, r.Expected.Outcome, v.Outcome, "%s: %s", r.Note, v.Detail)
			if r.Expected.ExpectedMinute != nil {
				require.Equal(t, v.Expected, *r.Expected.ExpectedMinute)
			}
			if r.Expected.MatchedMinute != nil {
				require.NotNil(t, v.Minute)
				require.Equal(t, *r.Expected.MatchedMinute, *v.Minute)
			}
		})
	}
}
