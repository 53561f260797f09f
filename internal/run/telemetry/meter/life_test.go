package meter_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/found-footy/found-footy/internal/run/telemetry/meter"
)

// Who has nothing but logs can follow a goal from its first sighting to its end.
func TestTheLogTellsTheLifeOfAGoal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := meter.Store(telemetry.NewMetrics("t"), telemetry.NewLogger(&out, telemetry.Options{}), openStore(t))
	ctx, now := t.Context(), time.Now()
	require.NoError(t, s.Add(ctx, footy.Fixture{ID: 7, Stage: footy.StageActive, Match: footy.Match{Kickoff: now},
		Teams: footy.Teams{Home: footy.Team{ID: 1, Name: "Liverpool"}, Away: footy.Team{ID: 2, Name: "Arsenal"}}}))
	step := func(kind footy.EntryKind) footy.Entry {
		return footy.Entry{Key: "u/" + string(kind), FixtureID: 7, EventUID: "u", At: now, Kind: kind}
	}
	for _, kind := range []footy.EntryKind{footy.EntryNew, footy.EntrySighting, footy.EntryCertain, footy.EntrySearching, footy.EntryRenamed,
		footy.EntryClip, footy.EntryCompleted, footy.EntryRemoved, footy.EntryRemoved} {
		_, err := s.Update(ctx, 7, func(f *footy.Fixture) ([]footy.Entry, error) {
			if len(f.Events) == 0 {
				f.Events = []footy.Event{{UID: "u", ID: "7_1_9_Goal_1", Player: footy.Person{ID: 9, Name: "Salah"}, Minute: footy.Minute{Elapsed: 45, Extra: 2}}}
			}
			f.UpdatedAt = f.UpdatedAt.Add(time.Second)
			row := step(kind)
			if kind == footy.EntryRenamed {
				row.Data.OldID = "7_1_0_Goal_1"
			}
			return []footy.Entry{row}, nil
		})
		require.NoError(t, err)
	}
	waits := step(footy.EntryWaiting)
	waits.PostID, waits.Reason = "99", footy.ReasonStorage
	require.NoError(t, s.AddPosts(ctx, nil, waits))
	var actions []string
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	for _, line := range lines {
		var l struct {
			Module, Action, Msg, Reason string
			EventID                     string `json:"event_id"`
			FixtureID                   int64  `json:"fixture_id"`
			PostID                      string `json:"post_id"`
			OldEventID                  string `json:"old_event_id"`
		}
		require.NoError(t, json.Unmarshal(line, &l))
		require.Equal(t, int64(7), l.FixtureID)
		require.NotEmpty(t, l.Module)
		actions = append(actions, l.Action)
		if l.Action == "waiting" {
			require.Equal(t, []string{"99", "storage"}, []string{l.PostID, l.Reason})
		}
		require.Equal(t, l.Action == "changed", l.OldEventID == "7_1_0_Goal_1", "a corrected scorer leaves a trail from the old id")
		require.Equal(t, "7_1_9_Goal_1", l.EventID)
		require.Contains(t, l.Msg, "Salah 45+2' (Liverpool - Arsenal): ")
	}
	require.Equal(t, []string{"seen", "certain", "searching", "changed", "clip", "complete", "removed", "waiting"}, actions,
		"each once, however often it is written; sightings are for debugging")
}

func TestTheLogTellsTheLifeOfAMatch(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := meter.Store(telemetry.NewMetrics("t"), telemetry.NewLogger(&out, telemetry.Options{}), openStore(t))
	ctx, now := t.Context(), time.Now()
	require.NoError(t, s.Add(ctx, footy.Fixture{ID: 7, Stage: footy.StageStaging, Match: footy.Match{Kickoff: now},
		Teams: footy.Teams{Home: footy.Team{ID: 1, Name: "Liverpool"}, Away: footy.Team{ID: 2, Name: "Arsenal"}}}))
	kinds := []footy.EntryKind{footy.EntryActivated, footy.EntryRescheduled, footy.EntryPollFailed, footy.EntryTrusted, footy.EntryOver, footy.EntryCompleted}
	for _, kind := range kinds {
		_, err := s.Update(ctx, 7, func(f *footy.Fixture) ([]footy.Entry, error) {
			f.UpdatedAt = f.UpdatedAt.Add(time.Second)
			delayed := footy.Entry{Key: "7/delayed", FixtureID: 7, At: now, Kind: footy.EntryRescheduled, Reason: lifecycle.ReasonDelayed}
			return []footy.Entry{{Key: "7/" + string(kind), FixtureID: 7, At: now, Kind: kind, Data: footy.Evidence{Status: "FT", Kickoff: now, Why: "HTTP 500"}}, delayed}, nil
		})
		require.NoError(t, err)
	}
	require.NoError(t, s.Append(ctx, footy.Entry{Key: "poll", FixtureID: 8, At: now, Kind: footy.EntryDistrusted}))
	var actions []string
	for i, line := range bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n")) {
		var l map[string]any
		require.NoError(t, json.Unmarshal(line, &l))
		actions = append(actions, l["action"].(string)) //nolint:forcetypeassert // a wrong shape may panic in a test
		require.NotContains(t, l, "event_id")
		require.Equal(t, i == 1, l["reason"] == "delayed")
		if i <= len(kinds) {
			require.Contains(t, l["msg"], "Liverpool - Arsenal: ")
			require.InDelta(t, 7, l["fixture_id"], 0)
		}
	}
	require.Equal(t, []string{"activated", "new_date", "new_date", "poll_failed", "poll_trusted", "over", "completed", "poll_distrusted"}, actions)
}
