package storetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

func readDuringMove(t *testing.T, b store.Backend) {
	quiet := over(b)
	readings := map[string]func(s store.Store, id int64) (int64, error){
		"Fixture": func(s store.Store, id int64) (int64, error) {
			f, err := s.Fixture(t.Context(), id)
			return f.ID, err
		},
		"FixtureOfEvent": func(s store.Store, id int64) (int64, error) {
			f, err := s.FixtureOfEvent(t.Context(), uid(id))
			return f.ID, err
		},
		"List": func(s store.Store, id int64) (int64, error) {
			list, err := s.List(t.Context(), store.FixtureQuery{IDs: []int64{id}})
			if err == nil && len(list) != 1 {
				err = fmt.Errorf("%d copies listed", len(list))
				return 0, err
			}
			return id, err
		},
	}
	eachMove(everyMove, func(id int64, from, to footy.Stage) {
		for name, read := range readings {
			for at := 1; ; at++ {
				id++
				add(t, quiet, fixture(id, from))
				watched := &faulty{Backend: b, before: at, act: func() {
					_, err := quiet.Move(t.Context(), id, to, nil)
					require.NoError(t, err)
				}}
				got, err := read(over(watched), id)
				require.NoError(t, err, "%s while %s goes to %s before call %d", name, from, to, at)
				require.Equal(t, id, got)
				require.NoError(t, quiet.Delete(t.Context(), id))
				if watched.calls < at {
					break
				}
			}
		}
	})
}

func writeDuringMove(t *testing.T, b store.Backend) {
	quiet := over(b)
	eachMove(everyMove, func(id int64, from, to footy.Stage) {
		for at := 1; ; at++ {
			id++
			add(t, quiet, fixture(id, from))
			watched := &faulty{Backend: b, before: at, act: func() {
				_, err := quiet.Move(t.Context(), id, to, note("moved"))
				require.NoError(t, err)
			}}
			_, err := over(watched).Update(t.Context(), id, note("updated"))
			require.NoError(t, err)
			about := fmt.Sprintf("%s to %s before call %d", from, to, at)
			f := requireOne(t, quiet, id)
			require.Contains(t, f.Events[0].MonitorWorkflows, "updated", about)
			require.Equal(t, 1, rawCopies(t, b, id), about)
			require.NoError(t, quiet.Delete(t.Context(), id))
			if watched.calls < at {
				break
			}
			require.Contains(t, f.Events[0].MonitorWorkflows, "moved", about)
			require.Equal(t, to, f.Stage, about)
		}
	})
}

// lateFinisher: one writer begins to complete an interrupted move; while it pauses before each of its calls, others
// complete it, change the fixture and move it on.
func lateFinisher(t *testing.T, b store.Backend, moves []move) {
	quiet := over(b)
	eachMove(moves, func(id int64, from, to footy.Stage) {
		for _, onward := range order {
			for at := 1; ; at++ {
				id++
				add(t, quiet, fixture(id, from))
				// A marked fixture: the mover died right after its first write.
				for call := 1; ; call++ {
					_, err := over(&faulty{Backend: b, crash: call, late: true}).Move(t.Context(), id, to, nil)
					require.ErrorIs(t, err, errCrash)
					if f, err := quiet.Fixture(t.Context(), id); err == nil && f.MovingTo != "" {
						break
					}
				}
				slow := &faulty{Backend: b, before: at, act: func() {
					_, err := quiet.Update(t.Context(), id, note("other"))
					require.NoError(t, err)
					_, err = quiet.Move(t.Context(), id, onward, nil)
					require.NoError(t, err)
				}}
				_, err := over(slow).Update(t.Context(), id, note("slow"))
				require.NoError(t, err)
				about := fmt.Sprintf("%s to %s, then %s, before call %d", from, to, onward, at)
				f := requireOne(t, quiet, id)
				require.Equal(t, 1, rawCopies(t, b, id), about)
				require.Contains(t, f.Events[0].MonitorWorkflows, "slow", about)
				require.NoError(t, quiet.Delete(t.Context(), id))
				if slow.calls < at {
					break
				}
				require.Contains(t, f.Events[0].MonitorWorkflows, "other", about)
				require.Equal(t, onward, f.Stage, about)
			}
		}
	})
}

// olderInTheWay: a very late writer puts an old copy where the fixture is just moving to.
func olderInTheWay(t *testing.T, b store.Backend) {
	quiet := over(b)
	eachMove(usualMoves, func(id int64, from, to footy.Stage) {
		for at := 1; ; at++ {
			id++
			add(t, quiet, fixture(id, from))
			_, err := quiet.Update(t.Context(), id, note("updated"))
			require.NoError(t, err)
			watched := &faulty{Backend: b, before: at, act: func() {
				body := fmt.Sprintf(`{"_id":%d,"_revision":1,"_stage":%q,"events":[{"_uid":%q}]}`, id, to, uid(id))
				old := store.Doc{ID: fmt.Sprint(id), Revision: 1, At: kickoff, Keys: []string{uid(id)}, Body: []byte(body)}
				if err := b.Insert(t.Context(), stageCollections[to], old); err != nil {
					requireCode(t, footy.CodeConflict, err) // the moved one is there already
				}
			}}
			moved, err := over(watched).Move(t.Context(), id, to, note("moved"))
			require.NoError(t, err)
			about := fmt.Sprintf("%s to %s before call %d", from, to, at)
			require.Equal(t, to, moved.Stage, about)
			require.Equal(t, moved, requireOne(t, quiet, id), about)
			require.Equal(t, []string{"updated", "moved"}, moved.Events[0].MonitorWorkflows, about)
			require.NoError(t, quiet.Delete(t.Context(), id))
			if watched.calls < at {
				break
			}
		}
	})
}

// overtakenMover: a mover pauses before each of its calls; meanwhile others complete its move, change the fixture and
// move it on.
func overtakenMover(t *testing.T, b store.Backend) {
	quiet := over(b)
	eachMove(usualMoves, func(id int64, from, to footy.Stage) {
		for _, onward := range order {
			for at := 1; ; at++ {
				id++
				add(t, quiet, fixture(id, from))
				decided := false
				slow := &faulty{Backend: b, before: at, act: func() {
					f, err := quiet.Fixture(t.Context(), id)
					require.NoError(t, err)
					decided = f.MovingTo != "" || f.Stage == to
					_, err = quiet.Update(t.Context(), id, note("other"))
					require.NoError(t, err)
					_, err = quiet.Move(t.Context(), id, onward, nil)
					require.NoError(t, err)
				}}
				_, err := over(slow).Move(t.Context(), id, to, note("moved"))
				require.NoError(t, err)
				about := fmt.Sprintf("%s to %s, then %s, before call %d", from, to, onward, at)
				require.Equal(t, 1, rawCopies(t, b, id), about)
				f := requireOne(t, quiet, id)
				if decided {
					require.Equal(t, onward, f.Stage, "what came after the move stands: "+about)
				}
				require.NoError(t, quiet.Delete(t.Context(), id))
				if slow.calls < at {
					break
				}
				require.Contains(t, f.Events[0].MonitorWorkflows, "other", about)
			}
		}
	})
}

func addedTwiceAtOnce(t *testing.T, b store.Backend) {
	quiet := over(b)
	for at := 1; ; at++ {
		id := int64(5000 + at)
		racing := &faulty{Backend: b, before: at, act: func() { add(t, quiet, fixture(id, footy.StageActive)) }}
		err := over(racing).Add(t.Context(), fixture(id, footy.StageStaging))
		if racing.calls < at {
			require.NoError(t, err)
			break
		}
		if err != nil {
			requireCode(t, footy.CodeConflict, err)
		}
		list, err := quiet.List(t.Context(), store.FixtureQuery{IDs: []int64{id}})
		require.NoError(t, err)
		require.Len(t, list, 1)
		_, err = quiet.Update(t.Context(), id, note("settled"))
		require.NoError(t, err)
		require.Equal(t, footy.StageActive, requireOne(t, quiet, id).Stage)
		require.Equal(t, 1, rawCopies(t, b, id))
	}
}

func allAtOnce(t *testing.T, b store.Backend) {
	s := over(b)
	const id, rounds = 5000, 12
	add(t, s, fixture(id, footy.StageStaging))
	var g errgroup.Group
	for m := range 2 {
		g.Go(func() error {
			for i := range rounds {
				if _, err := s.Move(t.Context(), id, order[(i+m)%len(order)], nil); err != nil {
					return fmt.Errorf("move: %w", err)
				}
			}
			return nil
		})
	}
	for w := range 4 {
		g.Go(func() error {
			for i := range rounds {
				if _, err := s.Update(t.Context(), id, note(fmt.Sprintf("%d-%d", w, i))); err != nil {
					return fmt.Errorf("update: %w", err)
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		for range 3 * rounds {
			list, err := s.List(t.Context(), store.FixtureQuery{})
			if err != nil || len(list) != 1 {
				return fmt.Errorf("listed %d fixtures: %w", len(list), err)
			}
		}
		return nil
	})
	require.NoError(t, g.Wait())
	f := requireOne(t, s, id)
	require.Len(t, f.Events[0].MonitorWorkflows, 4*rounds)
	_, err := s.Update(t.Context(), id, note("settled"))
	require.NoError(t, err)
	require.Equal(t, 1, rawCopies(t, b, id))
}
