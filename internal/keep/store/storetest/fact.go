package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// factChecks: a small fact that cannot be read.
var factChecks = []check{
	{name: "a fact that can be learned again counts as absent, and is written anew", run: learnedFact},
	{name: "a fact that must not be guessed is an error until it is mended", run: keptFact},
	{name: "a look reads each collection", run: looks},
	{name: "a team's names that cannot be read are not cached", run: damagedAliases},
}

type pace struct {
	Live int `json:"live"`
}

// spoil writes what every database can hold and no reader expects.
func spoil(t *testing.T, b store.Backend, c store.Collection, id, body string) {
	t.Helper()
	require.NoError(t, b.Upsert(t.Context(), c, []store.Doc{{ID: id, Body: []byte(body)}}))
}

func learnedFact(t *testing.T, b store.Backend) {
	const key = "feed_pace"
	for _, body := range []string{`{}`, `{"value":null}`, `{"value":"fast"}`, `{"value":7}`, `{"value":[1]}`, `{"value":{"live":"fast"}}`} {
		s := over(b)
		listed := func(renewed bool) {
			t.Helper()
			bad := s.Damaged()
			require.Len(t, bad, 1, body)
			require.Equal(t, []any{store.ServiceState, key, renewed}, []any{bad[0].Collection, bad[0].ID, bad[0].Renewed}, body)
			require.NotEmpty(t, bad[0].Counts())
		}
		spoil(t, b, store.ServiceState, key, body)
		p := pace{Live: 3}
		err := s.State(t.Context(), key, &p)
		requireCode(t, footy.CodeNotFound, err)
		require.ErrorIs(t, err, store.ErrDamaged)
		require.Equal(t, 3, p.Live, "what it was to be read into is as before")
		listed(false)
		require.NoError(t, s.Renew(t.Context()))
		listed(true)
		err = s.State(t.Context(), key, &p)
		requireCode(t, footy.CodeNotFound, err)
		require.NotErrorIs(t, err, store.ErrDamaged, "it is gone")

		s = over(b)
		spoil(t, b, store.ServiceState, key, body)
		_, err = store.ChangeState(t.Context(), s, key, func(p *pace) error {
			require.Zero(t, *p)
			return store.ErrUnchanged
		})
		require.NoError(t, err)
		listed(true)
		require.NoError(t, over(b).State(t.Context(), key, &p), "it was written anew, although nothing changed")

		s = over(b)
		spoil(t, b, store.ServiceState, key, body)
		require.Error(t, s.State(t.Context(), key, &p))
		require.NoError(t, over(b).PutState(t.Context(), key, pace{5}))
		require.NoError(t, s.Renew(t.Context()), "another process wrote it meanwhile")
		require.NoError(t, s.State(t.Context(), key, &p))
		require.Equal(t, 5, p.Live)
		listed(true)
	}
}

func keptFact(t *testing.T, b store.Backend) {
	const key = "x_spent_on_searches"
	for _, body := range []string{`{}`, `{"value":null}`, `{"value":7}`} {
		s := over(b)
		spoil(t, b, store.ServiceState, key, body)
		_, changed := store.ChangeState(t.Context(), s, key, func(*pace) error { return nil })
		var p pace
		read := s.State(t.Context(), key, &p)
		for _, err := range []error{changed, read} {
			requireCode(t, footy.CodeInvalid, err)
			require.ErrorIs(t, err, store.ErrDamaged)
		}
		require.NoError(t, s.Renew(t.Context()))
		require.ErrorIs(t, s.State(t.Context(), key, &p), store.ErrDamaged, "it is not dropped")
		require.False(t, s.Damaged()[0].Renewed)
		other := over(b)
		require.NoError(t, other.CheckState(t.Context()))
		if body != `{"value":7}` { // of what kind a value must be only its reader knows
			require.Len(t, other.Damaged(), 1)
		}
		require.NoError(t, store.Mend(t.Context(), s, key, pace{9}, read))
		require.NoError(t, s.State(t.Context(), key, &p))
		require.Equal(t, 9, p.Live)
		require.True(t, s.Damaged()[0].Renewed)
		require.NoError(t, other.CheckState(t.Context()))
	}
	down := footy.Errorf(footy.CodeUnavailable, "read state", "down")
	require.Equal(t, error(down), store.Mend(t.Context(), over(b), key, pace{1}, down), "a database that fails is no damage")
}

func damagedAliases(t *testing.T, b store.Backend) {
	s := over(b)
	spoil(t, b, store.TeamAliases, "42", `{"aliases":"gunners"}`)
	_, err := s.Aliases(t.Context(), 42)
	requireCode(t, footy.CodeNotFound, err)
	require.True(t, store.HasDamage(s, store.TeamAliases, "42"))
	require.NoError(t, s.PutAliases(t.Context(), footy.TeamAliases{TeamID: 42, Team: "Arsenal", Aliases: []string{"gunners"}}))
	_, err = s.Aliases(t.Context(), 42)
	require.NoError(t, err)
	require.Empty(t, s.Damaged())
}

// looks reads a document of each collection, and a sound database has nothing to report.
func looks(t *testing.T, b store.Backend) {
	s := over(b)
	require.NoError(t, s.Look(t.Context()), "an empty one, too")
	add(t, s, fixture(9, active))
	require.NoError(t, s.Append(t.Context(), row("a", 9, "u", footy.EntryNew, 0), row("b", 9, "u", footy.EntryNew, 0)))
	require.NoError(t, s.Look(t.Context()))
	require.NoError(t, s.Verify(t.Context()))
	require.NoError(t, s.Corrupt())
}
