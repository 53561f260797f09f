package ingest_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/feed"
	"github.com/found-footy/found-footy/internal/connect/feed/feedtest"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/pipeline/ingest"
)

// TestNamedFixturesAreFollowedWhateverTheyAre: a match of a league nobody follows, one that is over, one months ahead.
func TestNamedFixturesAreFollowedWhateverTheyAre(t *testing.T) {
	t.Parallel()
	a, l, now := setup(t)
	*now = kickoff.Add(3 * time.Hour)
	untracked, over, far, ancient := feedtest.Match(1, 1), feedtest.Match(2, 2), feedtest.Match(3, 0), feedtest.Match(4, 1)
	untracked.League.ID = 9999
	over.Match.Status.Code, ancient.Match.Status.Code = "FT", "FT"
	far.Match.Status, far.Match.Kickoff, far.Score = footy.Status{Code: "NS"}, now.AddDate(0, 3, 0), footy.Score{}
	ancient.Match.Kickoff = now.AddDate(0, 0, -20)
	l.today = []footy.Snapshot{untracked, over, far, ancient}

	got, err := a.FetchByIDs(t.Context(), []int64{1, 2, 3, 4, 98, 99})
	require.NoError(t, err)
	var named []ingest.Named
	for _, n := range got.Named {
		require.Equal(t, n.Absent, n.Match == "")
		n.Match, n.Kickoff = "", time.Time{}
		named = append(named, n)
	}
	require.Equal(t, []ingest.Named{{ID: 1, Stage: footy.StageActive}, {ID: 2, Stage: footy.StageActive}, {ID: 3, Stage: footy.StageStaging},
		{ID: 4, Stage: footy.StageActive, Expired: true}, {ID: 98, Absent: true}, {ID: 99, Absent: true}}, named)
	f, err := a.Store.Fixture(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, footy.StageActive, f.Stage, "Monitor asks about its goals")
}

// TestAFinishedMatchThatIsKnownIsOpenedAgainByName as long as there is something to find.
func TestAFinishedMatchThatIsKnownIsOpenedAgainByName(t *testing.T) {
	t.Parallel()
	a, l, now := setup(t)
	*now = kickoff.Add(3 * time.Hour)
	over := feedtest.Match(1, 2)
	over.Match.Status.Code, over.League.ID = "FT", 39
	l.today = []footy.Snapshot{over}
	_, err := a.StoreDay(t.Context(), *now)
	require.NoError(t, err)
	stage := func() footy.Stage {
		f, err := a.Store.Fixture(t.Context(), 1)
		require.NoError(t, err)
		return f.Stage
	}
	require.Equal(t, footy.StageCompleted, stage(), "a list of the day opens nothing that is over")

	got, err := a.FetchByIDs(t.Context(), []int64{1})
	require.NoError(t, err)
	require.Equal(t, footy.StageActive, got.Named[0].Stage)
	require.True(t, got.Named[0].Known)
	require.Equal(t, footy.StageActive, stage())
	rows, err := a.Store.Entries(t.Context(), store.LogQuery{FixtureID: 1, Kinds: []footy.EntryKind{footy.EntryActivated}})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, lifecycle.ReasonNamed, rows[0].Reason)

	// Polled, with all its goals: naming it again finds nothing to do, and says so.
	_, err = a.Store.Update(t.Context(), 1, func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Stage, f.LastMonitor = footy.StageCompleted, *now
		for _, e := range over.Events {
			f.Events = append(f.Events, footy.Event{Kind: e.Kind, Team: e.Team, DownloadComplete: true})
		}
		return nil, nil
	})
	require.NoError(t, err)
	got, err = a.FetchByIDs(t.Context(), []int64{1})
	require.NoError(t, err)
	require.Equal(t, footy.StageCompleted, got.Named[0].Stage)
}

// single answers about one match by its id, as to a free key.
type single struct{ *lists }

func (s single) Quota() feed.Quota {
	return feed.Quota{MinuteLimit: 10, MinuteRemaining: -1, Single: true}
}

func TestAFreeKeyFollowsNamedMatchesToo(t *testing.T) {
	t.Parallel()
	a, l, _ := setup(t)
	l.today = []footy.Snapshot{feedtest.Match(1, 1), feedtest.Match(2, 1)}
	a.Feed = single{l}
	got, err := a.FetchByIDs(t.Context(), []int64{1, 2, 99})
	require.NoError(t, err)
	require.Equal(t, 2, got.Active)
	require.Len(t, got.Named, 3)
}

// counted is a free key with so many calls left in this minute.
type counted struct {
	single
	left int
}

func (c *counted) ByIDs(ctx context.Context, ids []int64) (feed.Answer, error) {
	if c.left == 0 {
		err := footy.Errorf(footy.CodeRateLimited, "ask feed", "too many")
		err.RetryAfter = time.Minute
		return feed.Answer{}, err
	}
	c.left--
	return c.single.ByIDs(ctx, ids)
}

// TestWhatWasFetchedIsKeptWhereTheMinuteIsOver: after two tries everything was thrown away.
func TestWhatWasFetchedIsKeptWhereTheMinuteIsOver(t *testing.T) {
	t.Parallel()
	a, l, _ := setup(t)
	var ids []int64
	for id := range int64(14) {
		l.today = append(l.today, feedtest.Match(id+1, 1))
		ids = append(ids, id+1)
	}
	vendor := &counted{single{l}, 9}
	a.Feed = vendor
	got, err := a.FetchByIDs(t.Context(), ids)
	require.NoError(t, err)
	require.Len(t, got.Named, 9)
	require.Equal(t, ids[9:], got.Left)
	require.Equal(t, time.Minute, got.Pause)
	_, err = a.Store.Fixture(t.Context(), 9)
	require.NoError(t, err, "it is followed already")
	a.Minute = 2 * time.Second
	got, err = a.FetchByIDs(t.Context(), got.Left)
	require.NoError(t, err)
	require.Empty(t, got.Named)
	require.Equal(t, 2*time.Second, got.Pause, "compressed days have shorter minutes")
	vendor.left = 9
	got, err = a.FetchByIDs(t.Context(), got.Left)
	require.NoError(t, err)
	require.Len(t, got.Named, 5)
	require.Empty(t, got.Left)
}

func TestASpentDayIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	a, l, _ := setup(t)
	spent := footy.Errorf(footy.CodeRateLimited, "ask feed", "%w", feed.ErrDaySpent)
	spent.RetryAfter = 5 * time.Hour
	l.err = spent
	_, err := a.FetchByIDs(t.Context(), []int64{1, 2})
	require.ErrorIs(t, err, feed.ErrDaySpent)
}
