package backup_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/tell/health"
)

func TestAFailedBackupIsRedUntilOneSucceeds(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "disk")
	c := parsed(t, map[string]string{"BACKUP_DIR": filepath.Join(place, "backups")})
	keeper := keeper(opened(t, c), c)
	today := func() error { _, err := keeper.Make(t.Context(), true); return err }
	require.Equal(t, health.StateOK, examined(t, c).State, "none was tried yet")
	require.NoError(t, os.WriteFile(place, nil, 0o600)) // a file where the disk should be
	require.Error(t, today())
	h := examined(t, c)
	require.Equal(t, health.StateDown, h.State)
	require.Contains(t, h.Reason, place)
	require.Contains(t, h.Remedy, "tried again every hour")
	require.NoError(t, os.Remove(place))
	require.NoError(t, today(), "the next look, an hour later")
	require.Equal(t, health.StateOK, examined(t, c).State)
}

// A database that never made one, beside the backup of the day: it was two million hours old.
func TestTheBackupOfTheDayThatIsThereCounts(t *testing.T) {
	t.Parallel()
	c := parsed(t, map[string]string{"BACKUP_DIR": t.TempDir()})
	s := opened(t, c)
	k := keeper(s, c)
	made, err := k.Make(t.Context(), true)
	require.NoError(t, err)
	var noted map[string]any
	require.NoError(t, s.Store.State(t.Context(), "backup", &noted))
	require.NoError(t, s.Store.PutState(t.Context(), "backup", map[string]any{"mark": noted["mark"], "dir": noted["dir"]}))
	h := examined(t, c)
	require.Equal(t, health.StateOK, h.State)
	require.Equal(t, "no backup was made yet", h.Reason)

	_, err = k.Make(t.Context(), true)
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err), "%v", err)
	h = examined(t, c)
	require.Equal(t, health.StateOK, h.State)
	require.Equal(t, config.Own[backup.Settings](c).Dir, h.Reason)
	require.Equal(t, made.Made, h.Facts["last_backup"])
}

// TestABackupOfTheFutureIsNoRecentOne: it was made while the clock was ahead.
func TestABackupOfTheFutureIsNoRecentOne(t *testing.T) {
	t.Parallel()
	c := parsed(t, map[string]string{"BACKUP_DIR": t.TempDir()})
	require.NoError(t, opened(t, c).Store.PutState(t.Context(), "backup", backup.Last{At: time.Now().Add(15 * 24 * time.Hour)}))
	require.Equal(t, health.StateDegraded, examined(t, c).State)
}

func TestWithoutADirectoryDoctorAloneSpeaks(t *testing.T) {
	t.Parallel()
	c := parsed(t, nil)
	looks := backup.Extra().Looks(port.Core{Config: c, Store: opened(t, c).Store})
	require.Len(t, looks, 1)
	require.True(t, looks[0].Off)
	require.Equal(t, health.StateMissing, looks[0].Doctor(t.Context()).State)
}

// TestABackupOfAServerIsNoted, and late when its job ends.
func TestABackupOfAServerIsNoted(t *testing.T) {
	t.Parallel()
	s := opened(t, parsed(t, nil)).Store
	server := parsed(t, map[string]string{"POSTGRES_URL": "postgres://u:p@127.0.0.1:1/db"})
	look := func() check.Look { return backup.Extra().Looks(port.Core{Config: server, Store: s})[0] }
	require.Equal(t, health.StateMissing, look().Doctor(t.Context()).State)
	require.Contains(t, look().At(t.Context()).Reason, "no backup was noted")
	require.NoError(t, s.PutState(t.Context(), "backup", backup.Last{At: time.Now()}))
	require.Nil(t, look().Doctor)
	require.Equal(t, health.StateOK, look().At(t.Context()).State)
	require.NoError(t, s.PutState(t.Context(), "backup", backup.Last{At: time.Now().Add(-40 * time.Hour)}))
	p := look().At(t.Context())
	require.Equal(t, health.StateDown, p.State)
	require.Contains(t, p.Remedy, "Dump it with pg_dump")
}

// examined is the row of doctor.
func examined(t *testing.T, c config.Config) health.Part {
	t.Helper()
	s := opened(t, c)
	return backup.Extra().Looks(port.Core{Config: c, Store: s.Store})[0].Row(t.Context())
}
