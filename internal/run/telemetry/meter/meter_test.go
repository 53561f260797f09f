package meter_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/run/telemetry"
	"github.com/found-footy/found-footy/internal/run/telemetry/meter"
	"github.com/found-footy/found-footy/internal/tell/health"
)

func scrape(t *testing.T, m *telemetry.Metrics) string {
	t.Helper()
	rec := httptest.NewRecorder()
	m.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, rec.Code)
	return rec.Body.String()
}

func shows(t *testing.T, m *telemetry.Metrics, lines ...string) {
	t.Helper()
	got := strings.Split(scrape(t, m), "\n")
	for _, l := range lines {
		require.True(t, slices.Contains(got, l), l) // the whole page would hide which
	}
}

func openStore(t *testing.T) store.Store {
	t.Helper()
	back, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(back)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestEachStepOfAGoalCountsOnce(t *testing.T) {
	t.Parallel()
	m, ctx := telemetry.NewMetrics("t"), context.Background()
	s := meter.Store(m, slog.New(slog.DiscardHandler), openStore(t))
	now := time.Now()
	require.NoError(t, s.Add(ctx, footy.Fixture{ID: 1, Stage: footy.StageActive, Match: footy.Match{Kickoff: now}, Events: []footy.Event{{UID: "1-1", FirstSeen: now.Add(-80 * time.Second)}, {UID: "1-2"}}}))
	row := func(uid string, kind footy.EntryKind, clips int) footy.Entry {
		return footy.Entry{Key: uid + string(kind), FixtureID: 1, EventUID: uid, Kind: kind, At: now, Data: footy.Evidence{Clips: clips}}
	}
	rows := []footy.Entry{row("1-1", footy.EntryNew, 0), row("1-2", footy.EntryNew, 0), row("1-1", footy.EntryCertain, 0), row("1-1", footy.EntryFirstClip, 0),
		row("1-1", footy.EntryCompleted, 1), row("1-2", footy.EntryCompleted, 0), row("", footy.EntryCompleted, 0), row("1-1", footy.EntryRemoved, 0)}
	for range 2 {
		_, err := s.Update(ctx, 1, func(*footy.Fixture) ([]footy.Entry, error) { return rows, nil })
		require.NoError(t, err)
	}
	shows(t, m, `footy_goals_total{step="seen"} 2`, `footy_goals_total{step="certain"} 1`, `footy_goals_total{step="first_clip"} 1`,
		`footy_goals_total{step="complete"} 1`, `footy_goals_total{step="lost"} 1`, `footy_goals_total{step="removed"} 1`,
		`footy_first_clip_seconds_bucket{le="60"} 0`, `footy_first_clip_seconds_bucket{le="90"} 1`)
	_, err := s.Update(ctx, 1, func(*footy.Fixture) ([]footy.Entry, error) {
		return []footy.Entry{row("1-2", footy.EntryRemoved, 0)}, errors.New("no")
	})
	require.Error(t, err)
	shows(t, m, `footy_goals_total{step="removed"} 1`)
}

func TestARowThatARetryWritesAgainCountsOnce(t *testing.T) {
	t.Parallel()
	m, ctx := telemetry.NewMetrics("t"), context.Background()
	s := meter.Store(m, slog.New(slog.DiscardHandler), openStore(t))
	rows := []footy.Entry{
		{Key: "1", FixtureID: 1, Kind: footy.EntryVerdict, Data: footy.Evidence{Outcome: "verified"}},
		{Key: "2", FixtureID: 1, Kind: footy.EntryRejected, Reason: footy.ReasonScreen},
		{Key: footy.FirstClipKey("u"), FixtureID: 1, Kind: footy.EntryFirstClip, Data: footy.Evidence{Stages: map[string]float64{"told": 34, "search": 8}}},
	}
	require.NoError(t, s.Append(ctx, rows[0]))
	require.NoError(t, s.Add(ctx, footy.Fixture{ID: 1, Stage: footy.StageActive}, rows[0]))
	posts := []footy.Post{{EventUID: "u", PostID: "1", FixtureID: 1, State: footy.PostOffered}}
	require.NoError(t, s.AddPosts(ctx, posts, rows...))
	_, err := s.Update(ctx, 1, func(*footy.Fixture) ([]footy.Entry, error) { return rows, nil })
	require.NoError(t, err)
	_, err = s.Advance(ctx, "u", "1", func(p footy.Post) (footy.Post, []footy.Entry, error) { return p, rows, nil })
	require.NoError(t, err)
	_, err = s.Update(ctx, 1, func(*footy.Fixture) ([]footy.Entry, error) {
		return []footy.Entry{{Key: "3", Kind: footy.EntryRejected, Reason: footy.ReasonDuplicate}}, store.ErrUnchanged
	})
	require.NoError(t, err)
	shows(t, m, `footy_candidates_total{verdict="verified"} 1`, `footy_candidates_total{verdict="screen"} 1`, `footy_candidates_total{verdict="duplicate"} 0`,
		`footy_decisions_total{kind="rejected",reason="screen"} 1`)
}

func TestGoalsAreCountedFromTheStore(t *testing.T) {
	t.Parallel()
	m, s, now := telemetry.NewMetrics("t"), openStore(t), time.Now()
	m.Register(meter.Goals(s, stats.Objective{Share: 0.9, Within: 5 * time.Minute}, func() time.Time { return now }))
	require.NoError(t, s.Add(context.Background(), footy.Fixture{ID: 1, Stage: footy.StageActive, Match: footy.Match{Kickoff: now}, Events: []footy.Event{{UID: "a", Kind: footy.KindGoal, FirstSeen: now.Add(-time.Hour)}, {UID: "b", Removed: true}}}))
	require.NoError(t, s.Add(context.Background(), footy.Fixture{ID: 2, Stage: footy.StageCompleted, Match: footy.Match{Kickoff: now.Add(-72 * time.Hour)}}))
	shows(t, m, `footy_goals{status="validating"} 1`, `footy_goals{status="removed"} 1`, `footy_goals{status="complete"} 0`, `footy_fixtures{stage="active"} 1`, `footy_fixtures{stage="completed"} 0`,
		`footy_objective_share 0.9`, `footy_objective_goals{result="missed",window="30m"} 0`, `footy_objective_goals{result="missed",window="2h"} 1`, `footy_objective_goals{result="met",window="1d"} 0`)
	require.NoError(t, s.Add(context.Background(), footy.Fixture{ID: 3, Stage: footy.StageActive, Match: footy.Match{Kickoff: now}}))
	shows(t, m, `footy_fixtures{stage="active"} 2`)
	require.NoError(t, s.Close())
	text := scrape(t, m)
	require.NotContains(t, text, "footy_goals{", "what cannot be read is left out, not zero")
	require.Contains(t, text, "footy_build_info")
}

type outside struct {
	feed.Feed // its other calls are not measured
	err       error
}

func (o outside) Day(context.Context, time.Time) ([]footy.Snapshot, error) { return nil, o.err }
func (o outside) ByIDs(_ context.Context, ids []int64) (feed.Answer, error) {
	if len(ids) > 1 {
		return feed.Answer{Failed: map[int64]string{ids[0]: "missing"}}, nil
	}
	return feed.Answer{}, o.err
}

func (o outside) Quota() feed.Quota {
	return feed.Quota{DayLimit: 100, DayRemaining: 7, MinuteLimit: -1, MinuteRemaining: -1, At: time.Now()}
}
func (o outside) Name() string { return "test" }
func (o outside) Search(context.Context, source.Query) (source.Result, error) {
	return source.Result{State: source.StateResults, Candidates: make([]footy.Candidate, 3), CallsUsed: 2}, o.err
}
func (o outside) Health(context.Context) (source.Health, error) { return source.Health{}, o.err }
func (o outside) Fetch(context.Context, footy.Candidate, io.Writer) (source.Fetched, error) {
	return source.Fetched{Size: 10}, o.err
}

func (o outside) Ready(context.Context) error { return o.err }
func (o outside) Showing() validate.Showing   { return validate.Showing{} }
func (o outside) Look(context.Context, []validate.Frame, ...footy.KindInfo) ([]footy.Reading, error) {
	return nil, o.err
}
func (o outside) Read(context.Context, []validate.Frame, ...footy.KindInfo) ([]footy.Reading, error) {
	return nil, o.err
}

func TestWhatGoesOutIsCountedByHowItEnds(t *testing.T) {
	t.Parallel()
	m, ctx := telemetry.NewMetrics("t"), context.Background()
	for _, o := range []outside{{}, {err: footy.Errorf(footy.CodeRateLimited, "ask", "slow down")}, {err: footy.Reject("fetch", footy.ReasonDeleted, "gone")}, {err: errors.New("odd")}} {
		f := meter.Feed(m, o)
		_, _ = f.Day(ctx, time.Now())
		_, _ = f.ByIDs(ctx, []int64{1})
		_, _ = f.ByIDs(ctx, []int64{1, 2})
		_, _ = meter.Source(m, o).Search(ctx, source.Query{})
		_, _ = meter.Fetcher(m, o).Fetch(ctx, footy.Candidate{}, io.Discard)
		_, _ = meter.Reader(m, o).Read(ctx, make([]validate.Frame, 3))
	}
	shows(t, m, `footy_feed_calls_total{call="day",result="ok"} 1`, `footy_feed_calls_total{call="day",result="rate_limited"} 1`, `footy_polls_total{outcome="partial"} 4`,
		`footy_polls_total{outcome="rejected"} 1`, `footy_poll_fixtures_missed_total 4`, `footy_feed_calls_left{window="day"} 7`,
		`footy_searches_total{outcome="results"} 1`, `footy_searches_total{outcome="unreachable"} 3`, `footy_x_calls_total 8`, `footy_search_candidates_total 12`,
		`footy_downloads_total{result="ok"} 1`, `footy_downloads_total{result="deleted"} 1`, `footy_downloads_total{result="rate_limited"} 1`,
		`footy_download_bytes_total 40`, `footy_model_readings_total{result="ok"} 1`, `footy_model_frames_total 12`, `footy_model_asking 0`)
	require.NotContains(t, scrape(t, m), `window="minute"`, "unknown is no number")
}

// TestWhoKnowsOfNoCycleSaysNone: a lag of zero was said until the first was known, and for good by who never learned of one.
func TestWhoKnowsOfNoCycleSaysNone(t *testing.T) {
	t.Parallel()
	m := telemetry.NewMetrics("t")
	seen := meter.Health(m)
	require.NotContains(t, scrape(t, m), "footy_last_cycle")
	seen(health.Part{Figures: []health.Figure{{Metric: "last_cycle_timestamp_seconds", Value: 1800000000}}})
	shows(t, m, `footy_last_cycle_timestamp_seconds 1.8e+09`)
}

func TestAClientIsTimedByStatus(t *testing.T) {
	t.Parallel()
	m := telemetry.NewMetrics("t")
	srv := httptest.NewServer(http.NotFoundHandler())
	c := meter.Client(m, "model", srv.Client())
	res, err := c.Get(srv.URL)
	require.NoError(t, err)
	res.Body.Close()
	srv.Close()
	_, err = c.Get(srv.URL)
	require.Error(t, err)
	text := scrape(t, m)
	require.Contains(t, text, `footy_outgoing_seconds_count{status="404",to="model"} 1`)
	require.Contains(t, text, `footy_outgoing_seconds_count{status="none",to="model"} 1`)
	require.Contains(t, text, `footy_outgoing_busy{to="model"} 0`)
}
