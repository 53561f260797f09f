package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// updateChecks: one aggregate, one atomic write.
var updateChecks = []check{
	{name: "adding twice is a conflict, also into another stage", run: addTwice},
	{name: "an update raises the revision and keeps what belongs to the store", run: updateRevision},
	{name: "a stage change is an update like any other", run: stageChange},
	{name: "a change that says unchanged writes nothing", run: unchanged},
	{name: "the error of a change comes back as it is and writes nothing", run: failedChange},
	{name: "an update of nothing is not found", run: updateMissing},
	{name: "an update starts over with fresh data when another gets in between", run: startsOver},
	{name: "an update reports a database that cannot be reached", run: unreachable},
	{name: "20 concurrent writers of one fixture lose nothing", run: concurrentWriters},
	{name: "20 concurrent writers of one post lose nothing", run: concurrentPostWriters},
	{name: "a stage change is seen exactly once while 8 readers list", run: listedOnce},
	{name: "delete removes every trace of a fixture", run: deleteFixture},
}

func addTwice(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, active))
	for _, stage := range footy.Stages {
		requireCode(t, footy.CodeConflict, s.Add(t.Context(), fixture(5000, stage), row("twice", 5000, "", footy.EntryActivated, 0)))
	}
	require.Empty(t, rowKeys(t, s, store.LogQuery{}), "what was not added has no row")
	requireCode(t, footy.CodeInvalid, s.Add(t.Context(), fixture(5001, "nowhere")))
}

func updateRevision(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, active))
	f, err := s.Update(t.Context(), 5000, change(func(f *footy.Fixture) {
		require.EqualValues(t, 1, f.Revision)
		f.Match.Status.Code = "1H"
		f.ID, f.Revision = 1, 99
	}))
	require.NoError(t, err)
	require.Equal(t, "1H", f.Match.Status.Code)
	stored, err := s.Fixture(t.Context(), 5000)
	require.NoError(t, err)
	require.Equal(t, f, stored)
	require.EqualValues(t, 5000, f.ID)
	require.EqualValues(t, 2, f.Revision)
}

func stageChange(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, staging))
	for i, stage := range []footy.Stage{active, completed, staging, completed} {
		f, err := s.Update(t.Context(), 5000, change(func(f *footy.Fixture) { f.Stage = stage }))
		require.NoError(t, err)
		require.Equal(t, stage, f.Stage)
		require.EqualValues(t, i+2, f.Revision)
		for _, other := range order {
			list, err := s.List(t.Context(), store.FixtureQuery{Stages: []footy.Stage{other}})
			require.NoError(t, err)
			require.Equal(t, other == stage, len(list) == 1, "%s listed in %s", stage, other)
		}
		byEvent, err := s.FixtureOfEvent(t.Context(), uid(5000))
		require.NoError(t, err)
		require.Equal(t, f, byEvent)
	}
	_, err := s.Update(t.Context(), 5000, change(func(f *footy.Fixture) { f.Stage = "nowhere" }))
	requireCode(t, footy.CodeInvalid, err)
}

func unchanged(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, active))
	f, err := s.Update(t.Context(), 5000, func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Events[0].Player.Name = "written into the list that both share"
		return []footy.Entry{row("dropped", 5000, "", footy.EntryNew, 0)}, fmt.Errorf("nothing new: %w", store.ErrUnchanged)
	})
	require.NoError(t, err)
	require.EqualValues(t, 1, f.Revision)
	stored, err := s.Fixture(t.Context(), 5000)
	require.NoError(t, err)
	require.Equal(t, stored, f)
	require.Empty(t, rowKeys(t, s, store.LogQuery{}))
}

func failedChange(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, active))
	for _, own := range []error{errors.New("mine"), footy.Errorf(footy.CodeConflict, "mine", "not a conflict of revisions")} {
		calls := 0
		_, err := s.Update(t.Context(), 5000, func(f *footy.Fixture) ([]footy.Entry, error) {
			calls++
			f.Match.Status.Code = "FT"
			return []footy.Entry{row("dropped", 5000, "", footy.EntryNew, 0)}, own
		})
		require.Equal(t, own, err)
		require.Equal(t, 1, calls, "no retries")
	}
	f, err := s.Fixture(t.Context(), 5000)
	require.NoError(t, err)
	require.Equal(t, "NS", f.Match.Status.Code)
	require.EqualValues(t, 1, f.Revision)
	_, err = s.Update(t.Context(), 5000, note("x", footy.Entry{Kind: footy.EntryNew}))
	requireCode(t, footy.CodeInvalid, err)
	require.Empty(t, rowKeys(t, s, store.LogQuery{}))
}

func updateMissing(t *testing.T, b store.Backend) {
	s := over(b)
	_, err := s.Update(t.Context(), 404, func(*footy.Fixture) ([]footy.Entry, error) { panic("called without a fixture") })
	requireCode(t, footy.CodeNotFound, err)
	_, err = s.Fixture(t.Context(), 404)
	requireCode(t, footy.CodeNotFound, err)
	add(t, s, fixture(5000, active))
	_, err = s.Update(t.Context(), 5000, func(*footy.Fixture) ([]footy.Entry, error) {
		require.NoError(t, s.Delete(t.Context(), 5000))
		return nil, nil
	})
	requireCode(t, footy.CodeNotFound, err)
}

func startsOver(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, active))
	calls := 0
	f, err := s.Update(t.Context(), 5000, func(f *footy.Fixture) ([]footy.Entry, error) {
		if calls++; calls <= 2 {
			_, err := s.Update(t.Context(), 5000, note(fmt.Sprint("other-", calls)))
			require.NoError(t, err)
		}
		return note("mine")(f)
	})
	require.NoError(t, err)
	require.Equal(t, 3, calls)
	require.Equal(t, []string{"other-1", "other-2", "mine"}, f.Events[0].Votes)
	require.EqualValues(t, 4, f.Revision)
}

func unreachable(t *testing.T, b store.Backend) {
	add(t, over(b), fixture(5000, active))
	s := over(&faulty{Backend: b, crash: 1})
	_, err := s.Update(t.Context(), 5000, note("x"))
	requireCode(t, footy.CodeUnavailable, err)
	_, err = s.Fixture(t.Context(), 5000)
	requireCode(t, footy.CodeUnavailable, err)
	_, err = s.List(t.Context(), store.FixtureQuery{})
	requireCode(t, footy.CodeUnavailable, err)
	_, err = s.FixtureOfEvent(t.Context(), uid(5000))
	requireCode(t, footy.CodeUnavailable, err)
	_, err = s.Entries(t.Context(), store.LogQuery{})
	requireCode(t, footy.CodeUnavailable, err)
	_, err = s.Posts(t.Context(), store.PostQuery{All: true})
	requireCode(t, footy.CodeUnavailable, err)
}

const writers, rounds = 20, 5

// everyWriter runs write for each writer and round at once and returns the marks it was given.
func everyWriter(t *testing.T, write func(mark string) error) (marks []string) {
	t.Helper()
	var g errgroup.Group
	for w := range writers {
		for r := range rounds {
			marks = append(marks, fmt.Sprintf("%d-%d", w, r))
		}
		g.Go(func() error {
			for r := range rounds {
				if err := write(fmt.Sprintf("%d-%d", w, r)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
	return marks
}

func concurrentWriters(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, active))
	want := everyWriter(t, func(mark string) error {
		_, err := s.Update(t.Context(), 5000, note(mark, row(mark, 5000, "", footy.EntrySighting, 0)))
		return err
	})
	f, err := s.Fixture(t.Context(), 5000)
	require.NoError(t, err)
	require.ElementsMatch(t, want, f.Events[0].Votes)
	require.EqualValues(t, 1+writers*rounds, f.Revision)
	require.ElementsMatch(t, want, rowKeys(t, s, store.LogQuery{FixtureID: 5000}))
}

func concurrentPostWriters(t *testing.T, b store.Backend) {
	s := over(b)
	require.NoError(t, s.AddPosts(t.Context(), []footy.Post{post("u", "1", footy.PostOffered, 0)}))
	want := everyWriter(t, func(mark string) error {
		_, err := s.Advance(t.Context(), "u", "1", func(p footy.Post) (footy.Post, []footy.Entry, error) {
			p.Tries++
			return p, []footy.Entry{row(fmt.Sprintf("%s/try/%d", mark, p.Tries), 5000, "u", footy.EntryRejected, 0)}, nil
		})
		return err
	})
	p, err := s.Post(t.Context(), "u", "1")
	require.NoError(t, err)
	require.Equal(t, len(want), p.Tries)
	require.EqualValues(t, 1+len(want), p.Revision)
	require.Len(t, rowKeys(t, s, store.LogQuery{EventUID: "u"}), len(want), "a row for each write and for no try that lost")
}

func listedOnce(t *testing.T, b store.Backend) {
	s := over(b)
	const moves, readers = 60, 8
	add(t, s, fixture(5000, staging), fixture(5001, active))
	done := make(chan struct{})
	var g errgroup.Group
	g.Go(func() error {
		defer close(done)
		for i := range moves {
			if _, err := s.Update(t.Context(), 5000, change(func(f *footy.Fixture) { f.Stage = order[i%len(order)] })); err != nil {
				return err
			}
		}
		return nil
	})
	for range readers {
		g.Go(func() error {
			for {
				select {
				case <-done:
					return nil
				default:
				}
				for _, q := range []store.FixtureQuery{{IDs: []int64{5000}}, {IDs: []int64{5000}, Stages: order}} {
					if list, err := s.List(t.Context(), q); err != nil || len(list) != 1 {
						return fmt.Errorf("listed %d times: %w", len(list), err)
					}
				}
			}
		})
	}
	require.NoError(t, g.Wait())
}

func deleteFixture(t *testing.T, b store.Backend) {
	s := over(b)
	add(t, s, fixture(5000, completed), fixture(5001, completed))
	require.NoError(t, s.PutAnswers(t.Context(), []store.Answer{{FixtureID: 5000, PollID: "poll", Said: json.RawMessage(`{}`)}, {FixtureID: 5001, PollID: "poll", Said: json.RawMessage(`{}`)}}))
	require.NoError(t, s.Delete(t.Context(), 5000))
	require.NoError(t, s.Delete(t.Context(), 5000), "twice")
	_, err := s.Fixture(t.Context(), 5000)
	requireCode(t, footy.CodeNotFound, err)
	_, err = s.FixtureOfEvent(t.Context(), uid(5000))
	requireCode(t, footy.CodeNotFound, err)
	latest, err := s.LatestAnswers(t.Context(), []int64{5000, 5001})
	require.NoError(t, err)
	require.Len(t, latest, 1)
	_, err = s.Fixture(t.Context(), 5001)
	require.NoError(t, err)
	add(t, s, fixture(5000, staging))
}
