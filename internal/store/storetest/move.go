package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
		{name: "a mover that is overtaken neither undoes nor doubles", run: overtakenMover},
		{name: "an older copy in the way of a move is overwritten", run: olderInTheWay},
		{name: "what a dead mover left takes no place in a limited list", run: limitWithRests},
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

func limitWithRests(t *testing.T, b store.Backend) {
	quiet := over(b)
	add(t, quiet, fixture(5001, staging), fixture(5002, active))
	for call := 1; ; call++ {
		dead := fixture(5000, staging)
		dead.Match.Kickoff = kickoff.Add(-time.Hour)
		add(t, quiet, dead)
		_, err := over(&faulty{Backend: b, crash: call, late: true}).Move(t.Context(), 5000, active, nil)
		require.ErrorIs(t, err, errCrash)
		if rawCopies(t, b, 5000) == 2 { // it died after its insert, before its delete
			break
		}
		require.NoError(t, quiet.Delete(t.Context(), 5000))
	}
	require.Equal(t, []int64{5001}, ids(t, quiet, store.FixtureQuery{Stages: []footy.Stage{staging}, Limit: 1}))
	require.Equal(t, []int64{5000, 5001}, ids(t, quiet, store.FixtureQuery{Limit: 2}))
}
