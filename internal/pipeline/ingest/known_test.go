package ingest_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/feedtest"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
)

// lists is a feed with the same matches each day.
type lists struct {
	feedtest.Plain

	today []footy.Snapshot
	err   error
}

func (l *lists) Day(context.Context, time.Time) ([]footy.Snapshot, error) { return l.today, l.err }

func (l *lists) ByIDs(_ context.Context, ids []int64) (feed.Answer, error) {
	out := feed.Answer{Failed: map[int64]string{}}
	for _, id := range ids {
		i := slices.IndexFunc(l.today, func(s footy.Snapshot) bool { return s.Match.ID == id })
		if i < 0 {
			out.Failed[id] = feed.Absent
			continue
		}
		out.Snapshots = append(out.Snapshots, l.today[i])
	}
	return out, l.err
}

func (l *lists) Account(context.Context) (feed.Account, error) { return feed.Account{}, nil }
func (l *lists) Quota() feed.Quota                             { return feed.Quota{} }

func (l *lists) Publish(context.Context, string, ...string) {}

var kickoff = feedtest.Match(1, 0).Match.Kickoff

func listed(code string, at time.Time) footy.Snapshot {
	s := feedtest.Match(1, 0)
	s.Match.Status, s.Match.Kickoff, s.Score, s.HasEvents = footy.Status{Code: code}, at, footy.Score{}, false
	return s
}

func setup(t *testing.T) (*ingest.Activities, *lists, *time.Time) {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "footy.db"))
	require.NoError(t, err)
	s := store.New(db)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	l, now := &lists{}, kickoff.Add(-10*time.Hour)
	at := func() time.Time { return now }
	old := &cleanup.Activities{Store: s, Keep: cleanup.Defaults(), Now: at}
	return &ingest.Activities{Store: s, Feed: l, Follow: usual, Windows: lifecycle.Defaults(), Cleanup: old, Page: l, Now: at}, l, &now
}

// usual follows what is followed without a setting.
func usual(context.Context) (lifecycle.Follow, error) { return lifecycle.Follow{}, nil }

func TestPostponedForMonthsKeepsTheFixture(t *testing.T) {
	t.Parallel()
	a, l, now := setup(t)
	day := func(s footy.Snapshot) footy.Fixture {
		t.Helper()
		l.today = []footy.Snapshot{s}
		_, err := a.StoreDay(t.Context(), *now)
		require.NoError(t, err)
		f, err := a.Store.Fixture(t.Context(), 1)
		require.NoError(t, err)
		return f
	}
	require.Equal(t, footy.StageStaging, day(listed("NS", kickoff)).Stage)
	march, may := kickoff.AddDate(0, 1, 0), kickoff.AddDate(0, 3, 0)
	f := day(listed("TBD", march))
	require.Equal(t, footy.StageStaging, f.Stage)
	require.True(t, f.Match.Kickoff.Equal(march))

	*now = march.Add(-10 * time.Hour)
	day(listed("CANC", march)) // a list is no poll: Monitor asks, and completes it
	_, err := a.Store.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) { f.Stage = footy.StageCompleted; return nil, nil })
	require.NoError(t, err)
	f = day(listed("NS", may))
	require.Equal(t, footy.StageStaging, f.Stage, "called off, then given a new date")
	require.True(t, f.Match.Kickoff.Equal(may))
	require.True(t, f.CompletedAt.IsZero())

	rows, err := a.Store.Entries(t.Context(), store.LogQuery{FixtureID: 1, Kinds: []footy.EntryKind{footy.EntryRescheduled}})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	for _, r := range rows {
		require.Equal(t, lifecycle.ReasonNewDate, r.Reason)
	}
}

func TestDayListTouchesNoRunningOrFinishedMatch(t *testing.T) {
	t.Parallel()
	a, l, now := setup(t)
	*now = kickoff.Add(time.Hour)
	running := feedtest.Match(1, 2)
	require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: 1, Stage: footy.StageActive, Match: running.Match, Teams: running.Teams, Score: running.Score}))
	stale := listed("1H", kickoff)
	stale.Score = footy.ScoreOf(1, 0)
	l.today = []footy.Snapshot{stale}
	for _, stage := range []footy.Stage{footy.StageActive, footy.StageCompleted} {
		_, err := a.Store.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
			f.Stage, f.Match.Status.Code = stage, "FT"
			return nil, nil
		})
		require.NoError(t, err)
		stale.Match.Status.Code = "FT"
		l.today = []footy.Snapshot{stale}
		_, err = a.StoreDay(t.Context(), *now)
		require.NoError(t, err)
		f, err := a.Store.Fixture(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, stage, f.Stage)
		require.Equal(t, footy.ScoreOf(2, 0), f.Score)
	}
}

func TestTeamsOfMatchesUnderWayAreLookedUpFirst(t *testing.T) {
	t.Parallel()
	a, _, _ := setup(t)
	for id, stage := range map[int64]footy.Stage{1: footy.StageStaging, 2: footy.StageActive, 3: footy.StageStaging} {
		at := kickoff.Add(time.Duration(id) * time.Minute)
		require.NoError(t, a.Store.Add(t.Context(), footy.Fixture{ID: id, Stage: stage, Match: footy.Match{ID: id, Kickoff: at},
			Teams: footy.Teams{Home: footy.Team{ID: 10 * id, Name: "Home"}, Away: footy.Team{ID: 10*id + 1, Name: "Away"}}}))
	}
	missing, err := a.Missing(t.Context())
	require.NoError(t, err)
	var ids []int64
	for _, m := range missing {
		ids = append(ids, m.Team.ID)
	}
	require.Equal(t, []int64{20, 21, 10, 11, 30, 31}, ids)
}
