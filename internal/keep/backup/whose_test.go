package backup_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/backup"
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
func TestAnUnmarkedDirectoryWithOthersBackupsIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ lost, fresh func(*state) }{
		"of 1.1.0":                 {func(*state) {}, func(s *state) { s.owned() }},
		"of 1.1.0, a dump":         {func(s *state) { s.docs = other{s.docs} }, func(s *state) { s.owned() }},
		"of 1.1.0, without clips":  {func(s *state) { s.blob = newState(t).blob }, func(s *state) { s.owned() }},
		"with an id":               {func(s *state) { s.owned() }, func(s *state) { s.owned() }},
		"with an id, and none yet": {func(s *state) { s.owned() }, func(*state) {}},
		"that follows the same matches": {func(s *state) {}, func(s *state) {
			s.owned()
			require.NoError(t, store.New(s.docs).Add(t.Context(), footy.Fixture{ID: 5001, IngestedAt: noon, Stage: footy.StageActive, Match: footy.Match{Kickoff: noon}}))
		}},
	} {
		s, to, now := newState(t).fill(), t.TempDir(), noon.Add(24*time.Hour)
		c.lost(s)
		s.backUp(options(to))
		before := files(t, to)
		fresh := newState(t)
		c.fresh(fresh)
		k := fresh.daily(to, &now)
		k.Keep = 1
		for range 2 {
			_, err := k.Make(t.Context(), false)
			require.ErrorContains(t, err, "has the backups of another database", name)
			require.Equal(t, before, files(t, to), name)
		}
		require.NoError(t, os.WriteFile(filepath.Join(to, ".found-footy-backups"), nil, 0o600)) // an operator takes it over
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

func TestAnUnmarkedDirectoryWithItsOwnBackupsGoesOn(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(s *state, made backup.Manifest){
		"1.1.0 noted that it made one": func(s *state, made backup.Manifest) {
			require.NoError(t, store.New(s.docs).PutState(t.Context(), "backup", map[string]any{"at": made.Made, "tried_at": made.Made}))
		},
		"matches of 1.1.0 are known": func(*state, backup.Manifest) {},
		"an id":                      nil,
	} {
		s, to, now := newState(t), t.TempDir(), noon.Add(24*time.Hour)
		if prepare == nil {
			s.owned()
		} else if name != "1.1.0 noted that it made one" {
			s.fill()
		}
		made := s.backUp(options(to))
		s.backUp(options(to))
		if prepare != nil {
			prepare(s, made)
			s.owned()
		}
		_, err := s.daily(to, &now).Make(t.Context(), true)
		require.NoError(t, err, name)
		all, err := backup.List(to)
		require.NoError(t, err)
		require.Len(t, all, 2, "%s: the oldest is pushed out", name)
	}
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
