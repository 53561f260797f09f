package storetest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/found-footy/found-footy/internal/keep/store"
)

// migrateChecks: what older releases kept is brought to today's shape.
var migrateChecks = []check{
	{name: "what schema 1 kept is brought to the present schema", run: migrated},
	{name: "a migration that was cut off at any call is repeated to the same end", run: cutOff},
}

// The records of what X's paid API cost: of 1.0.0 in posts, of 1.1.0 in thousandths of a dollar.
const (
	inPosts = "x_spending"
	inMoney = "x_spent_on_searches"
)

type money struct {
	Days map[string]int    `json:"days"`
	Stop map[string]string `json:"stop"`
}

// keep writes a document of service_state as schema 1 had it.
func keep(t *testing.T, b store.Backend, key, value string) {
	t.Helper()
	require.NoError(t, b.Upsert(t.Context(), store.ServiceState, []store.Doc{{ID: key, Body: json.RawMessage(`{"_schema":1,"value":` + value + `}`)}}))
}

func requireSpent(t *testing.T, b store.Backend, want map[string]int) (is money) {
	t.Helper()
	require.NoError(t, over(b).State(t.Context(), inMoney, &is))
	require.Equal(t, want, is.Days)
	left, err := b.Select(t.Context(), store.ServiceState, store.Filter{IDs: []string{inPosts}})
	require.NoError(t, err)
	require.Empty(t, left, "it is counted, and kept no more")
	return is
}

func migrated(t *testing.T, b store.Backend) {
	require.NoError(t, store.Migrate(t.Context(), b, 1), "an empty database")
	docs, err := b.Select(t.Context(), store.ServiceState, store.Filter{})
	require.NoError(t, err)
	require.Empty(t, docs)

	keep(t, b, inPosts, `{"2026-11-25":7,"2026-11-26":120}`)
	require.NoError(t, store.Migrate(t.Context(), b, 1))
	requireSpent(t, b, map[string]int{"2026-11-25": 35, "2026-11-26": 600})

	keep(t, b, inPosts, `{"2026-11-26":10,"2026-11-27":1}`)
	keep(t, b, inMoney, `{"days":{"2026-11-26":1000},"stop":{"why":"no_credits"}}`)
	require.NoError(t, store.Migrate(t.Context(), b, 1))
	is := requireSpent(t, b, map[string]int{"2026-11-26": 1050, "2026-11-27": 5})
	require.Equal(t, "no_credits", is.Stop["why"], "1.1.0 ran on the state of 1.0.0: both spent")

	keep(t, b, inPosts, `"no count"`)
	require.NoError(t, store.Migrate(t.Context(), b, 1), "what cannot be read is no reason not to start")
	requireSpent(t, b, map[string]int{"2026-11-26": 1050, "2026-11-27": 5})

	require.NoError(t, store.Migrate(t.Context(), b, store.SchemaVersion), "nothing is left to do")
}

func cutOff(t *testing.T, b store.Backend) {
	for _, late := range []bool{false, true} {
		for crash, done := 1, false; !done; crash++ {
			keep(t, b, inPosts, `{"2026-11-26":10}`)
			keep(t, b, inMoney, `{"days":{"2026-11-26":1000}}`)
			f := &faulty{Backend: b, crash: crash, late: late}
			err := store.Migrate(t.Context(), f, 1)
			if done = err == nil; !done {
				require.ErrorIs(t, err, errCrash)
				require.ErrorContains(t, err, "migrate it from schema 1 to 2")
				require.NoError(t, store.Migrate(t.Context(), b, 1))
			}
			requireSpent(t, b, map[string]int{"2026-11-26": 1050})
		}
	}
}

// Database is one that outlives what has it open.
type Database struct {
	Open    func() (store.Backend, error)
	Stamp   func(version int) // writes the schema's number, as a program of that schema
	Stamped func() int        // reads it where 1.0.0 and 1.1.0 do, which refuse more than 1
}

// Opens checks what opening a database does about its schema: an older one is migrated, by one of several processes, and a newer one refused.
func Opens(t *testing.T, d Database) {
	t.Helper()
	b, err := d.Open()
	require.NoError(t, err)
	keep(t, b, inPosts, `{"2026-11-26":10}`)
	require.NoError(t, b.Close())
	d.Stamp(1)
	var g errgroup.Group
	for range 4 {
		g.Go(func() error {
			b, err := d.Open()
			if err != nil {
				return err
			}
			return b.Close()
		})
	}
	require.NoError(t, g.Wait())
	b, err = d.Open()
	require.NoError(t, err)
	requireSpent(t, b, map[string]int{"2026-11-26": 50})
	keep(t, b, inPosts, `{"2026-11-26":10}`)
	require.NoError(t, b.Close())
	require.Equal(t, store.SchemaVersion, d.Stamped())

	b, err = d.Open()
	require.NoError(t, err)
	_, err = b.Find(t.Context(), store.ServiceState, inPosts)
	require.NoError(t, err, "a database of the present schema is not migrated again")
	require.NoError(t, b.Close())

	d.Stamp(store.SchemaVersion + 1)
	_, err = d.Open()
	require.ErrorContains(t, err, "was written by a newer version (schema 3, this one knows 2): upgrade footy")
	require.ErrorIs(t, err, store.ErrNewer)
}
