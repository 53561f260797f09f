package inspect_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/hosts"
	"github.com/found-footy/found-footy/internal/extra/inspect"
)

func TestAHostsPageIsReadFromAFile(t *testing.T) {
	t.Parallel()
	table, err := hosts.Load(t.TempDir())
	require.NoError(t, err)
	page := filepath.Join(t.TempDir(), "page")
	tell := func(body string) inspect.HostAnswer {
		require.NoError(t, os.WriteFile(page, []byte(body), 0o600))
		a, err := inspect.Host(table, "https://streamff.com/v/x", page, nil)
		require.NoError(t, err)
		return a
	}
	body, err := json.Marshal(tell(`[{"external_url":"https://cdn.streamff.com/x.mp4"}]`))
	require.NoError(t, err)
	require.JSONEq(t, `{"host":"streamff","id":"x","steps":["a page of streamff, clip x","asked https://ffedge.streamff.com/share/x: status 200, 51 bytes",
		"found field 0.external_url","the file is at cdn.streamff.com, which may serve it"],"file":"https://cdn.streamff.com/x.mp4"}`, string(body))
	require.Contains(t, tell(`[]`).String(), "gone: its answer says that the clip is gone\n")
	require.Contains(t, tell(`[{}]`).Trouble, "has no field 0.external_url")
	_, err = inspect.Host(table, "https://example.com/x", page, nil)
	require.ErrorContains(t, err, "no row of the table knows example.com/x")
}
