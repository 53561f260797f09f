package backup_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/backup"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/run/port"
	"github.com/found-footy/found-footy/internal/run/port/command"
	runstate "github.com/found-footy/found-footy/internal/run/state"
)

func parsed(t *testing.T, set map[string]string) config.Config {
	t.Helper()
	vars := map[string]string{"STATE_DIR": t.TempDir()}
	for k, v := range set {
		vars[k] = v
	}
	c, err := config.Parse(vars, *backup.Extra().Settings)
	require.NoError(t, err)
	return c
}

func refused(t *testing.T, vars map[string]string) error {
	t.Helper()
	_, err := config.Parse(vars, *backup.Extra().Settings)
	return err
}

func opened(t *testing.T, c config.Config) runstate.State {
	t.Helper()
	s, err := runstate.Open(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// process is another one, with the same settings.
func process(c config.Config) command.Process { return command.Process{Config: c, Version: "test"} }

// keeper makes the daily backups.
func keeper(s runstate.State, c config.Config) backup.Keeper {
	return backup.KeeperOf(port.Core{Config: c, Version: "test", Store: s.Store, Docs: s.Docs, Blob: s.Blob})
}

// today is one look of the daily backup.
func today(t *testing.T, s runstate.State, c config.Config) error {
	t.Helper()
	_, err := keeper(s, c).Make(t.Context(), true)
	return err
}
