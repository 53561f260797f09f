package backup_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// daily keeps the backups of a state, at the time that now says.
func (s *state) daily(to string, now *time.Time) backup.Keeper {
	return backup.Keeper{Store: store.New(s.docs), Docs: s.docs, Blob: s.blob, Options: backup.Options{Dir: to, Keep: 2, Version: "test"}, Log: slog.New(slog.DiscardHandler),
		Clock: func() time.Time { return *now }}
}

func last(t *testing.T, k backup.Keeper) backup.Last {
	t.Helper()
	l, err := backup.LastOf(t.Context(), k.Store)
	require.NoError(t, err)
	return l
}

func TestAFailureEndsWithTheNextLook(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.WriteFile(place, nil, 0o600)) // a file where the disk should be
	now := noon
	k := newState(t).daily(filepath.Join(place, "backups"), &now)
	k.Look(t.Context())
	require.Contains(t, last(t, k).Failed, place)
	require.Zero(t, last(t, k).At)
	require.NoError(t, os.Remove(place))
	now = now.Add(time.Hour)
	k.Look(t.Context())
	require.Empty(t, last(t, k).Failed)
	require.Equal(t, now, last(t, k).At)
}

func TestADirectoryWhoseDiskIsNotMountedIsRefused(t *testing.T) {
	t.Parallel()
	now, to := noon, filepath.Join(t.TempDir(), "mnt", "backups")
	s := newState(t)
	k := s.daily(to, &now)
	today := func() error { _, err := k.Make(t.Context(), true); now = now.Add(24 * time.Hour); return err }
	require.NoError(t, today())
	require.NoError(t, today())
	away := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.Rename(to, away)) // as umount does
	err := today()
	require.ErrorContains(t, err, "is its disk mounted?")
	require.ErrorContains(t, err, "make an empty file "+to+"/.found-footy-backups")
	require.NotContains(t, err.Error(), "\n")
	require.NoDirExists(t, to, "nothing is written to the disk below")
	require.Equal(t, footy.UserMessage(err), last(t, k).Failed)
	require.NoError(t, os.Mkdir(to, 0o700)) // the bare directory of the mount
	require.ErrorContains(t, today(), "is its disk mounted?")
	require.Empty(t, files(t, to))

	require.NoError(t, os.Remove(to))
	require.NoError(t, os.Rename(away, to))
	require.NoError(t, today(), "mounted again")
	require.NoError(t, os.RemoveAll(to))
	require.NoError(t, os.Mkdir(to, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(to, ".found-footy-backups"), nil, 0o600))
	require.NoError(t, today(), "an operator begins anew there")
	require.NoError(t, today())
	k.Dir = filepath.Join(t.TempDir(), "other")
	require.NoError(t, today(), "another BACKUP_DIR is a new one")
}

// An empty database that took over the directory would have removed all good backups within a week.
func TestTheBackupsOfAnotherDatabaseAreLeftAlone(t *testing.T) {
	t.Parallel()
	now, to := noon, filepath.Join(t.TempDir(), "backups")
	s := newState(t).fill()
	k := s.daily(to, &now)
	m, err := k.Make(t.Context(), true)
	require.NoError(t, err)
	before := files(t, to)

	now = now.Add(24 * time.Hour)
	_, err = newState(t).owned().daily(to, &now).Make(t.Context(), true)
	require.NoError(t, err)
	require.Subset(t, files(t, to), before)

	into := t.TempDir()
	_, err = backup.Restore(t.Context(), m.Path, target(t, into))
	require.NoError(t, err)
	_, err = at(t, into).daily(to, &now).Make(t.Context(), true)
	require.NoError(t, err, "the very first backup knows whose it is")
}

func TestABackupLeavesRoomOnItsDisk(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	o := options(to)
	free := uint64(1 << 30)
	o.Room = backup.Room{Keep: 256 << 20, Free: func(dir string) (uint64, bool) { require.Equal(t, to, dir); return free, true }}
	s.backUp(o)
	kept := files(t, to)
	s.put("clips/1/large.mp4", strings.Repeat("l", 8<<20))
	free = 260 << 20
	_, err := backup.Make(t.Context(), s.docs, s.blob, o)
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "260 MB are left on the disk of "+to)
	require.ErrorContains(t, err, "MIN_FREE_MB keeps 256; free some space")
	require.Equal(t, kept, files(t, to))
	require.ErrorContains(t, err, "8 MB are to be written")

	free = 266 << 20
	s.backUp(o)
	require.NoError(t, store.New(s.docs).PutState(t.Context(), "large", strings.Repeat("l", 12<<20)))
	_, err = backup.Make(t.Context(), s.docs, s.blob, o)
	require.ErrorContains(t, err, "MIN_FREE_MB", "the database counts")
}

// Where one backup is damaged nobody knows which bytes it names; what a killed backup left half is none of them.
func TestHalfCopiesGoAlsoBesideADamagedBackup(t *testing.T) {
	t.Parallel()
	s, to := newState(t).fill(), t.TempDir()
	old := s.backUp(options(to))
	require.NoError(t, os.WriteFile(filepath.Join(old.Path, "manifest.json"), []byte("{"), 0o600))
	half := filepath.Join(to, "objects", ".partial-123")
	require.NoError(t, os.WriteFile(half, []byte("half"), 0o600))
	s.backUp(options(to))
	require.NoFileExists(t, half)
}

// The disk of the old machine stays there.
func TestARestoredDatabaseTakesANewDisk(t *testing.T) {
	t.Parallel()
	now, to := noon, filepath.Join(t.TempDir(), "backups")
	k := newState(t).fill().daily(to, &now)
	for range 2 {
		_, err := k.Make(t.Context(), true)
		require.NoError(t, err)
		now = now.Add(24 * time.Hour)
	}
	away, path := filepath.Join(t.TempDir(), "copied"), t.TempDir()
	require.NoError(t, os.Rename(to, away))
	into := target(t, path)
	into.Now = now
	m, err := backup.Restore(t.Context(), away, into)
	require.NoError(t, err)
	moved := at(t, path).daily(to, &now)
	require.Equal(t, m.Made, last(t, moved).At)
	_, err = moved.Make(t.Context(), true)
	require.NoError(t, err)
	moved.Dir = away
	_, err = moved.Make(t.Context(), true)
	require.NoError(t, err, "those of before are its own, too")
}
