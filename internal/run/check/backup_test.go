package check_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

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
