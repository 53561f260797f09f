package inspect_test

import (
	"encoding/json"
	"errors"
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
	read := func(url, body string) inspect.HostAnswer {
		require.NoError(t, os.WriteFile(page, []byte(body), 0o600))
		a, err := inspect.Host(table, url, page, nil)
		require.NoError(t, err)
		return a
	}
	const streamff = "https://streamff.com/v/x"
	body, err := json.Marshal(read(streamff, `[{"external_url":"https://cdn.streamff.com/x.mp4"}]`))
	require.NoError(t, err)
	require.JSONEq(t, `{"host":"streamff","id":"x","ways":[{"how":"json","address":"https://ffedge.streamff.com/share/x"},{"how":"page","address":"https://streamff.com/v/x"}],
		"steps":["a page of streamff, clip x","found field 0.external_url at https://cdn.streamff.com/x.mp4"],"file":"https://cdn.streamff.com/x.mp4"}`, string(body))
	require.Contains(t, read(streamff, `[]`).Gone, "its answer says that the clip is gone")
	require.Contains(t, read(streamff, `[{}]`).Trouble, "has no field 0.external_url")
	require.Empty(t, read("https://streamin.me/v/x", `<p>nothing`).File, "the page at hand says, not the first way")
	a := read("https://example.com/x", `<video><source src="x.mp4"></video>`)
	require.Equal(t, []string{"example.com", "https://example.com/x.mp4"}, []string{a.Host, a.File})
	_, err = inspect.Host(table, "https://example.com/x", page+"-missing", nil)
	require.ErrorContains(t, err, "--page="+page+"-missing cannot be read")
	for _, bad := range []string{"example.com/x", "ftp://example.com/x", "https://"} {
		_, err = inspect.Host(table, bad, "", nil)
		require.ErrorContains(t, err, "is no address of a page", bad)
	}
}

func TestWhereNothingCanBeAskedTheFirstWaySays(t *testing.T) {
	t.Parallel()
	table, err := hosts.Load(t.TempDir())
	require.NoError(t, err)
	for url, file := range map[string]string{
		"https://streamin.one/v/d5e7":  `"https://c-cdn.streamin.top/uploads/d5e7.mp4"`,
		"https://dubz.link/c/q1":       `"https://cdn.makevos.com/videos/q1.mp4"`,
		"https://streamain.com/abc":    "null",
		"https://nova.example/v/1":     "null",
		"https://www.reddit.com/r/x/1": "null",
	} {
		a, err := inspect.Host(table, url, "", func(string, bool) (hosts.Asked, error) { return hosts.Asked{}, errors.New("no route") })
		require.NoError(t, err)
		body, err := json.Marshal(a)
		require.NoError(t, err)
		require.Contains(t, string(body), `"file":`+file, url)
		require.NotEmpty(t, a.Ways, url)
		require.NotEmpty(t, a.Trouble, url)
	}
}
