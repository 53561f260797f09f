// Package storetest is the conformance suite of the store: every database adapter runs it under the real store logic.
package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Traits say what a server can be trusted with.
type Traits struct {
	// NestedLists: lists directly within lists. The teststack's MongoDB stand-in refuses them.
	NestedLists bool
	// OneByOne: the checks run one after the other, for a server that is slow with many writers.
	OneByOne bool
}

// check is one behaviour.
type check struct {
	name   string
	run    func(*testing.T, store.Backend)
	nested bool
}

// Run checks an adapter. open returns a backend whose database is empty and shared with nobody; the suite closes it.
func Run(t *testing.T, open func(t *testing.T) store.Backend, traits Traits) {
	t.Helper()
	for _, group := range [][]check{fieldChecks, backendChecks, updateChecks, stepChecks, postChecks, queryChecks, unknownChecks, damageChecks, factChecks, sideChecks, stateChecks, migrateChecks} {
		for _, c := range group {
			t.Run(c.name, func(t *testing.T) {
				if c.nested && !traits.NestedLists {
					t.Skip("this server refuses lists within lists: set MONGODB_TEST_URI to a real one")
				}
				if !traits.OneByOne {
					t.Parallel()
				}
				b := open(t)
				t.Cleanup(func() { require.NoError(t, b.Close()) })
				c.run(t, b)
			})
		}
	}
}

func over(b store.Backend) store.Store { return store.New(b) }

// kickoff of every test fixture that does not say otherwise.
var kickoff = time.Date(2026, 8, 15, 15, 0, 0, 0, time.UTC)

// fixture makes a small one with one goal.
func fixture(id int64, stage footy.Stage) footy.Fixture {
	return footy.Fixture{
		ID: id, Stage: stage,
		Match:  footy.Match{ID: id, Kickoff: kickoff, Status: footy.Status{Code: "NS"}},
		League: footy.League{ID: 39, Name: "Premier League"},
		Teams:  footy.Teams{Home: footy.Team{ID: 1, Name: "Home United"}, Away: footy.Team{ID: 2, Name: "Away City"}},
		Events: []footy.Event{{UID: uid(id), ID: fmt.Sprintf("%d_1_7_Goal_1", id), Player: footy.Person{ID: 7, Name: "A. Scorer"}}},
	}
}

func uid(id int64) string { return fmt.Sprintf("uid-%d", id) }

// add stores fixtures.
func add(t *testing.T, s store.Store, list ...footy.Fixture) {
	t.Helper()
	for _, f := range list {
		require.NoError(t, s.Add(t.Context(), f))
	}
}

const (
	staging   = footy.StageStaging
	active    = footy.StageActive
	completed = footy.StageCompleted
)

var order = []footy.Stage{staging, active, completed}

// note is a change that adds a mark to a fixture's first event, and says so in the log where asked to.
func note(text string, rows ...footy.Entry) func(*footy.Fixture) ([]footy.Entry, error) {
	return func(f *footy.Fixture) ([]footy.Entry, error) {
		f.Events[0].Votes = append(f.Events[0].Votes, text)
		return rows, nil
	}
}

// change is a change without log rows.
func change(do func(*footy.Fixture)) func(*footy.Fixture) ([]footy.Entry, error) {
	return func(f *footy.Fixture) ([]footy.Entry, error) {
		do(f)
		return nil, nil
	}
}

// requireCode checks the code of an error.
func requireCode(t *testing.T, want footy.Code, err error) {
	t.Helper()
	require.Equal(t, want, footy.CodeOf(err), "error: %v", err)
}
