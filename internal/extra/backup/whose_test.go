package backup_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// owned gives a state its installation, as footy clips adopt does.
func (s *state) owned() *state {
	s.t.Helper()
	g := owner.New(s.blob, store.New(s.docs), time.Now)
	require.NoError(s.t, g.Adopt(s.t.Context()))
	s.blob = g
	return s
}

// An empty database in the place of a lost one made an empty backup there and removed the good ones.
func TestBackupsOfAnotherDatabaseStay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ lost, fresh func(*state) }{
		"of 1.1.0":                 {func(*state) {}, func(s *state) { s.owned() }},
		"of 1.1.0, without clips":  {func(s *state) { s.blob = newState(t).blob }, func(s *state) { s.owned() }},
		"with an id":               {func(s *state) { s.owned() }, func(s *state) { s.owned() }},
		"with an id, and none yet": {func(s *state) { s.owned() }, func(*state) {}},
	} {
		s, to, now := newState(t).fill(), t.TempDir(), noon.Add(24*time.Hour)
		c.lost(s)
		s.backUp(options(to))
		before := files(t, to)
		fresh := newState(t)
		c.fresh(fresh)
		k := fresh.daily(to, &now)
		k.Keep = 1
		for range 3 {
			_, err := k.Make(t.Context(), true)
			require.NoError(t, err, name)
			now = now.Add(24 * time.Hour)
		}
		require.Subset(t, files(t, to), before, name)
		all, err := backup.List(to)
		require.NoError(t, err)
		require.Len(t, all, 2, "%s: the empty ones push each other out", name)
	}
}

// After an upgrade the directory has a mark that a backup of before does not know.
func TestAnOlderCopyGoesOnInItsDirectory(t *testing.T) {
	t.Parallel()
	s, to, now := newState(t).fill(), t.TempDir(), noon.Add(24*time.Hour)
	old := s.backUp(options(to))
	require.NoError(t, store.New(s.docs).PutState(t.Context(), "backup", map[string]any{"at": old.Made}))
	_, err := s.owned().daily(to, &now).Make(t.Context(), true)
	require.NoError(t, err)
	require.NoError(t, s.docs.Close())

	forced := target(t, s.dir)
	forced.Force, forced.Now = true, now
	_, err = backup.Restore(t.Context(), old.Path, forced)
	require.NoError(t, err)
	again := at(t, s.dir)
	again.blob = owner.New(again.blob, store.New(again.docs), time.Now)
	now = now.Add(24 * time.Hour)
	_, err = again.daily(to, &now).Make(t.Context(), true)
	require.NoError(t, err)
	_, err = again.daily(to, &now).Make(t.Context(), false)
	require.NoError(t, err)
}

// It named a clip that lies there, was let in, deleted the newer ones and left the bucket without an id.
func TestABackupFromBeforeIdsLeavesAnothersClipsAlone(t *testing.T) {
	t.Parallel()
	from, path := t.TempDir(), t.TempDir()
	lost := newState(t).fill()
	lost.backUp(options(from))
	another := at(t, path).fill()
	another.owned().put("clips/5001-1/newer.mp4", "newer")
	id, err := owner.MarkOf(t.Context(), another.blob)
	require.NoError(t, err)
	lies := files(t, filepath.Join(path, "clips"))

	empty := t.TempDir()
	into := target(t, empty)
	none := into.Blob
	into.Blob, into.Force, into.Now = another.blob, true, noon
	_, err = backup.Restore(t.Context(), from, into)
	require.ErrorContains(t, err, "run footy clips adopt first")
	require.Equal(t, lies, files(t, filepath.Join(path, "clips")))

	require.NoError(t, another.docs.Close())
	own := target(t, path) // its own database is replaced
	own.Force, own.Now = true, noon
	_, err = backup.Restore(t.Context(), from, own)
	require.NoError(t, err)
	another = at(t, path)
	same, err := owner.MarkOf(t.Context(), another.blob)
	require.NoError(t, err)
	require.Equal(t, id, same)
	is, err := owner.InstallationOf(t.Context(), store.New(another.docs))
	require.NoError(t, err)
	require.Equal(t, id, is.ID, "the bucket's stays")

	into.Blob = none
	_, err = backup.Restore(t.Context(), from, into)
	require.NoError(t, err)
	fresh := at(t, empty)
	id, err = owner.MarkOf(t.Context(), fresh.blob)
	require.NoError(t, err)
	require.NotEmpty(t, id)
	is, err = owner.InstallationOf(t.Context(), store.New(fresh.docs))
	require.NoError(t, err)
	require.Equal(t, id, is.ID, "a new one, in both")
}

func TestTheManifestSaysThatABackupIsEmpty(t *testing.T) {
	t.Parallel()
	for want, s := range map[bool]*state{true: newState(t), false: newState(t).fill()} {
		m := s.backUp(options(t.TempDir()))
		var written struct{ Empty bool }
		b, err := os.ReadFile(filepath.Join(m.Path, "manifest.json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(b, &written))
		require.Equal(t, want, written.Empty)
	}
}
