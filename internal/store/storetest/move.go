package storetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/store"
)

// moveChecks: a fixture is in exactly one stage for everybody, whatever dies and whoever reads. The two longest take only
// the moves that the product makes where the server is slow.
func moveChecks(traits Traits) []check {
	moves := everyMove
	if !traits.Concurrent {
		moves = usualMoves
	}
	return []check{
		{name: "a move changes stage and content together and may be repeated", run: moveRepeated},
		{
			name: "a crash at any point of a move leaves one visible copy that anybody can continue",
			run:  func(t *testing.T, b store.Backend) { crashedMoves(t, b, moves) },
		},
		{name: "a reader meets a fixture that moves at any point of its reading", run: readDuringMove},
		{name: "a writer loses nothing when the fixture moves at any point of its writing", run: writeDuringMove},
		{
			name: "two that complete one move at once do not bring an old copy back",
			run:  func(t *testing.T, b store.Backend) { lateFinisher(t, b, moves) },
		},
		{name: "a fixture added to two stages at once is one fixture", run: addedTwiceAtOnce},
		{name: "writers, movers and readers at once", run: allAtOnce, concurrent: true},
	}
}

const (
	staging   = footy.StageStaging
	active    = footy.StageActive
	completed = footy.StageCompleted
)

var order = []footy.Stage{staging, active, completed}

type move struct{ from, to footy.Stage }

var (
	everyMove = []move{
		{staging, active}, {staging, completed}, {active, completed}, {active, staging}, {completed, active}, {completed, staging},
	}
	usualMoves = []move{{staging, active}, {active, completed}, {active, staging}}
)

// eachMove runs a check for several moves, with fixture ids of its own.
func eachMove(moves []move, check func(id int64, from, to footy.Stage)) {
	for i, m := range moves {
		check(int64(5000+1000*i), m.from, m.to)
	}
}

func note(text string) func(*footy.Fixture) error {
	return func(f *footy.Fixture) error {
		if list := &f.Events[0].MonitorWorkflows; !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
		return nil
	}
}

// requireOne checks that every way of reading shows exactly one copy, and returns it.
func requireOne(t *testing.T, s store.Store, id int64) footy.Fixture {
	t.Helper()
	f, err := s.Fixture(t.Context(), id)
	require.NoError(t, err)
	all, err := s.List(t.Context(), store.FixtureQuery{IDs: []int64{id}})
	require.NoError(t, err)
	require.Equal(t, []footy.Fixture{f}, all)
	byEvent, err := s.FixtureOfEvent(t.Context(), uid(id))
	require.NoError(t, err)
	require.Equal(t, f, byEvent)
	var single []footy.Fixture
	for _, stage := range order {
		list, err := s.List(t.Context(), store.FixtureQuery{IDs: []int64{id}, Stages: []footy.Stage{stage}, Limit: 1})
		require.NoError(t, err)
		single = append(single, list...)
	}
	require.Equal(t, []footy.Fixture{f}, single, "the stages one by one")
	return f
}

func moveRepeated(t *testing.T, b store.Backend) {
	s := over(b)
	eachMove(everyMove, func(id int64, from, to footy.Stage) {
		add(t, s, fixture(id, from))
		for range 2 {
			f, err := s.Move(t.Context(), id, to, note("moved"))
			require.NoError(t, err)
			require.Equal(t, to, f.Stage)
			require.Equal(t, []string{"moved"}, f.Events[0].MonitorWorkflows)
			require.Equal(t, f, requireOne(t, s, id))
		}
		require.Equal(t, 1, rawCopies(t, b, id))
	})
	_, err := s.Move(t.Context(), 6000, "nowhere", nil)
	requireCode(t, footy.CodeInvalid, err)
}

// continuations are what may come after a crash.
var continuations = map[string]func(t *testing.T, s store.Store, id int64, to footy.Stage){
	"the move again": func(t *testing.T, s store.Store, id int64, to footy.Stage) {
		f, err := s.Move(t.Context(), id, to, note("moved"))
		require.NoError(t, err)
		require.Equal(t, to, f.Stage)
		require.Equal(t, []string{"moved"}, f.Events[0].MonitorWorkflows)
	},
	"an update": func(t *testing.T, s store.Store, id int64, _ footy.Stage) {
		f, err := s.Update(t.Context(), id, note("updated"))
		require.NoError(t, err)
		require.Contains(t, f.Events[0].MonitorWorkflows, "updated")
	},
	"a move elsewhere": func(t *testing.T, s store.Store, id int64, to footy.Stage) {
		elsewhere := order[(slices.Index(order, to)+1)%len(order)]
		f, err := s.Move(t.Context(), id, elsewhere, nil)
		require.NoError(t, err)
		require.Equal(t, elsewhere, f.Stage)
	},
	"a deletion": func(t *testing.T, s store.Store, id int64, to footy.Stage) {
		require.NoError(t, s.Delete(t.Context(), id))
		_, err := s.Fixture(t.Context(), id)
		requireCode(t, footy.CodeNotFound, err)
		add(t, s, fixture(id, to))
	},
}

func crashedMoves(t *testing.T, b store.Backend, moves []move) {
	eachMove(moves, func(id int64, from, to footy.Stage) {
		for next, then := range continuations {
			for _, late := range []bool{false, true} {
				done := false
				for at := 1; !done; at++ {
					id++
					add(t, over(b), fixture(id, from))
					dying := &faulty{Backend: b, crash: at, late: late}
					_, err := over(dying).Move(t.Context(), id, to, note("moved"))
					if err != nil {
						require.ErrorIs(t, err, errCrash, "the caller learns it")
					}
					done = err == nil
					about := fmt.Sprintf("%s to %s, crash at call %d (after it: %t), then %s", from, to, at, late, next)
					f := requireOne(t, over(b), id)
					require.Contains(t, []footy.Stage{from, to}, f.Stage, about)
					then(t, over(b), id, to)
					requireOne(t, over(b), id)
					require.Equal(t, 1, rawCopies(t, b, id), about)
					require.Less(t, at, 50, "a move takes few calls")
					require.NoError(t, over(b).Delete(t.Context(), id)) // keeps the database small
				}
			}
		}
	})
}

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
