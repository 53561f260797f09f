package check_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/health"
	"github.com/stretchr/testify/require"
)

func TestAFailedBackupIsRedUntilOneSucceeds(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "disk")
	c := parsed(t, map[string]string{"BACKUP_DIR": filepath.Join(place, "backups")})
	keeper := opened(t, c).Keeper(c, "test", nil)
	today := func() error { _, err := keeper.Make(t.Context(), true); return err }
	require.Equal(t, health.StateOK, examined(t, c, health.Backup).State, "none was tried yet")
	require.NoError(t, os.WriteFile(place, nil, 0o600)) // a file where the disk should be
	require.Error(t, today())
	h := examined(t, c, health.Backup)
	require.Equal(t, health.StateDown, h.State)
	require.Contains(t, h.Reason, place)
	require.Contains(t, h.Remedy, "the next try is "+time.Now().UTC().Add(time.Hour).Format("2006-01-02"))
	require.NoError(t, os.Remove(place))
	require.NoError(t, today(), "the next look, an hour later")
	require.Equal(t, health.StateOK, examined(t, c, health.Backup).State)
}

// A database that never made one, beside the backup of the day: it was two million hours old.
func TestTheBackupOfTheDayThatIsThereCounts(t *testing.T) {
	t.Parallel()
	c := parsed(t, map[string]string{"BACKUP_DIR": t.TempDir()})
	s := opened(t, c)
	made, err := s.Keeper(c, "test", nil).Make(t.Context(), true)
	require.NoError(t, err)
	var noted map[string]any
	require.NoError(t, s.Store.State(t.Context(), "backup", &noted))
	require.NoError(t, s.Store.PutState(t.Context(), "backup", map[string]any{"mark": noted["mark"], "dir": noted["dir"]}))
	h := examined(t, c, health.Backup)
	require.Equal(t, health.StateOK, h.State)
	require.Equal(t, "no backup was made yet", h.Reason)

	_, err = s.Keeper(c, "test", nil).Make(t.Context(), true)
	require.Equal(t, footy.CodeConflict, footy.CodeOf(err), "%v", err)
	h = examined(t, c, health.Backup)
	require.Equal(t, health.StateOK, h.State)
	require.Equal(t, c.Backup.Dir, h.Reason)
	require.Equal(t, made.Made, h.Facts["last_backup"])
}
