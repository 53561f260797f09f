package storetest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

// updateChecks: one aggregate, one atomic write.
var updateChecks = []check{
	{name: "adding twice is a conflict, also into another stage", run: addTwice},
	{name: "an update raises the revision and keeps what belongs to the store", run: updateRevision},
	{name: "a change that says unchanged writes nothing", run: unchanged},
	{name: "the error of a change comes back as it is and writes nothing", run: failedChange},
	{name: "an update of nothing is not found", run: updateMissing},
	{name: "an update starts over with fresh data when another gets in between", run: startsOver},
	{name: "an update reports a database that cannot be reached", run: unreachable},
	{name: "20 concurrent writers of one fixture lose nothing", run: concurrentWriters, concurrent: true},
	{name: "delete removes every trace of a fixture from its stages", run: deleteFixture},
}

func addTwice(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, footy.StageActive))
	for _, stage := range footy.Stages {
		requireCode(t, footy.CodeConflict, s.Add(t.Context(), fixture(5000, stage)))
	}
	require.Equal(t, 1, rawCopies(t, b, 5000))
	requireCode(t, footy.CodeInvalid, s.Add(t.Context(), fixture(5001, "nowhere")))
}

func updateRevision(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, footy.StageActive))
	f, err := s.Update(t.Context(), 5000, func(f *footy.Fixture) error {
		require.EqualValues(t, 1, f.Revision)
		f.Match.Status.Code = "1H"
		f.ID, f.Stage, f.Revision, f.MovingTo = 1, footy.StageCompleted, 99, footy.StageStaging
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, "1H", f.Match.Status.Code)
	stored, err := s.Fixture(t.Context(), 5000)
	require.NoError(t, err)
	require.Equal(t, f, stored)
	require.EqualValues(t, 5000, f.ID)
	require.EqualValues(t, 2, f.Revision)
	require.Equal(t, footy.StageActive, f.Stage)
	require.Empty(t, f.MovingTo)
}

func unchanged(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, footy.StageActive))
	f, err := s.Update(t.Context(), 5000, func(*footy.Fixture) error { return fmt.Errorf("nothing new: %w", store.ErrUnchanged) })
	require.NoError(t, err)
	require.EqualValues(t, 1, f.Revision)
	f, err = s.Move(t.Context(), 5000, footy.StageCompleted, func(*footy.Fixture) error { return store.ErrUnchanged })
	require.NoError(t, err)
	require.Equal(t, footy.StageActive, f.Stage, "a move that is called off")
	stored, err := s.Fixture(t.Context(), 5000)
	require.NoError(t, err)
	require.Equal(t, f, stored)
}

func failedChange(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, footy.StageActive))
	for _, own := range []error{errors.New("mine"), footy.Errorf(footy.CodeConflict, "mine", "not a conflict of revisions")} {
		calls := 0
		change := func(f *footy.Fixture) error {
			calls++
			f.Match.Status.Code = "FT"
			return own
		}
		_, err := s.Update(t.Context(), 5000, change)
		require.Equal(t, own, err)
		_, err = s.Move(t.Context(), 5000, footy.StageCompleted, change)
		require.Equal(t, own, err)
		require.Equal(t, 2, calls, "no retries")
	}
	f, err := s.Fixture(t.Context(), 5000)
	require.NoError(t, err)
	require.Equal(t, "NS", f.Match.Status.Code)
	require.EqualValues(t, 1, f.Revision)
}

func updateMissing(t *testing.T, b store.Backend) {
	s := over(b)
	never := func(*footy.Fixture) error { panic("called without a fixture") }
	_, err := s.Update(t.Context(), 404, never)
	requireCode(t, footy.CodeNotFound, err)
	_, err = s.Move(t.Context(), 404, footy.StageActive, never)
	requireCode(t, footy.CodeNotFound, err)
	_, err = s.Fixture(t.Context(), 404)
	requireCode(t, footy.CodeNotFound, err)
}

func startsOver(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, footy.StageActive))
	calls := 0
	f, err := s.Update(t.Context(), 5000, func(f *footy.Fixture) error {
		if calls++; calls <= 2 {
			_, err := s.Update(t.Context(), 5000, func(f *footy.Fixture) error {
				f.Events[0].MonitorWorkflows = append(f.Events[0].MonitorWorkflows, fmt.Sprint("other-", calls))
				return nil
			})
			require.NoError(t, err)
		}
		f.Events[0].MonitorWorkflows = append(f.Events[0].MonitorWorkflows, "mine")
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 3, calls)
	require.Equal(t, []string{"other-1", "other-2", "mine"}, f.Events[0].MonitorWorkflows)
	require.EqualValues(t, 4, f.Revision)
}

func unreachable(t *testing.T, b store.Backend) {
	add(t, over(b), fixture(5000, footy.StageActive))
	s := over(&faulty{Backend: b, crash: 1})
	_, err := s.Update(t.Context(), 5000, func(*footy.Fixture) error { return nil })
	requireCode(t, footy.CodeUnavailable, err)
	_, err = s.Fixture(t.Context(), 5000)
	requireCode(t, footy.CodeUnavailable, err)
	_, err = s.List(t.Context(), store.FixtureQuery{})
	requireCode(t, footy.CodeUnavailable, err)
	_, err = s.FixtureOfEvent(t.Context(), uid(5000))
	requireCode(t, footy.CodeUnavailable, err)
	_, err = s.Entries(t.Context(), store.LogQuery{})
	requireCode(t, footy.CodeUnavailable, err)
}

func concurrentWriters(t *testing.T, b store.Backend) {
	s := over(b)
	const writers, rounds = 20, 5
	add(t, s, fixture(5000, footy.StageActive))
	var g errgroup.Group
	for w := range writers {
		g.Go(func() error {
			for r := range rounds {
				_, err := s.Update(t.Context(), 5000, func(f *footy.Fixture) error {
					f.Events[0].MonitorWorkflows = append(f.Events[0].MonitorWorkflows, fmt.Sprintf("%d-%d", w, r))
					return nil
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
	f, err := s.Fixture(t.Context(), 5000)
	require.NoError(t, err)
	var want []string
	for w := range writers {
		for r := range rounds {
			want = append(want, fmt.Sprintf("%d-%d", w, r))
		}
	}
	require.ElementsMatch(t, want, f.Events[0].MonitorWorkflows)
	require.EqualValues(t, 1+writers*rounds, f.Revision)
}

func deleteFixture(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, footy.StageCompleted), fixture(5001, footy.StageCompleted))
	require.NoError(t, s.PutLive(t.Context(), "poll", []footy.Snapshot{{Match: footy.Match{ID: 5000}}, {Match: footy.Match{ID: 5001}}}))
	require.NoError(t, s.Delete(t.Context(), 5000))
	require.NoError(t, s.Delete(t.Context(), 5000), "twice")
	_, err := s.Fixture(t.Context(), 5000)
	requireCode(t, footy.CodeNotFound, err)
	_, err = s.FixtureOfEvent(t.Context(), uid(5000))
	requireCode(t, footy.CodeNotFound, err)
	live, err := s.Live(t.Context(), []int64{5000, 5001})
	require.NoError(t, err)
	require.Len(t, live, 1)
	_, err = s.Fixture(t.Context(), 5001)
	require.NoError(t, err)
	add(t, s, fixture(5000, footy.StageStaging))
}
