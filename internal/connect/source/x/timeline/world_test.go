package timeline_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/timeline"
	"github.com/found-footy/found-footy/internal/connect/source/x/xweb"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/world"
	worldpost "github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
)

// One goal of the day has a recent video that somebody quotes and an old one that somebody quotes: the web page of the simulated X
// and its search contract tell of both alike.
func TestTheSimulatedWorldsQuotesStandForWhatTheyQuote(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	begun := fmt.Sprintf(`{"start":%q,"scale":30,"polls":{},"listed":{}}`, time.Now().Add(-time.Hour).UTC().Format(time.RFC3339Nano))
	require.NoError(t, os.WriteFile(filepath.Join(state, "world.json"), []byte(begun), 0o600))
	w, err := world.New(world.Options{ClipDir: t.TempDir(), StateDir: state})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() { _ = w.Close() })
	quoted := map[bool]worldpost.Post{} // whether it is old
	for _, q := range w.Posts() {
		if i := slices.IndexFunc(w.Posts(), func(p worldpost.Post) bool { return p.ID == q.Quotes }); i >= 0 {
			require.Equal(t, script.Quote, q.Kind)
			p := w.Posts()[i]
			quoted[q.PostedAt.Sub(p.PostedAt) > time.Minute] = p
		}
	}
	require.Len(t, quoted, 2)
	asked := source.Query{Text: "casals", Since: quoted[false].PostedAt.Add(-5 * time.Second), Max: 50}

	page, err := timeline.Decode(ask(t, w, asked.Text))
	require.NoError(t, err)
	byPage := source.Select(asked, page.Candidates)
	all := source.Select(source.Query{}, page.Candidates)
	require.True(t, slices.ContainsFunc(all, func(c footy.Candidate) bool { return c.PostID == quoted[true].ID }), "the old one is on the page")
	require.False(t, slices.ContainsFunc(byPage, func(c footy.Candidate) bool { return c.PostID == quoted[true].ID }), "and below the floor")
	byContract, err := xweb.New(xweb.Options{URL: w.URL() + "/x-search", Timeout: time.Minute}, httpx.New(httpx.Options{})).Search(t.Context(), asked)
	require.NoError(t, err)
	for name, found := range map[string][]footy.Candidate{"page": byPage, "contract": byContract.Candidates} {
		n := 0
		for _, c := range found {
			require.NotContains(t, []string{"talking_point", "groundhopper", "retro_net"}, c.Author, name)
			if c.PostID == quoted[false].ID {
				require.Equal(t, quoted[false].Author, c.Author)
				n++
			}
		}
		require.Equal(t, 1, n, name)
	}
}

func ask(t *testing.T, w *world.World, query string) []byte {
	t.Helper()
	address := w.URL() + "/x/i/api/graphql/h/SearchTimeline?" + url.Values{"variables": {fmt.Sprintf(`{"rawQuery":%q}`, query)}}.Encode()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	req.AddCookie(&http.Cookie{Name: "auth_token", Value: "simulated-session"})
	req.Header.Set("X-Csrf-Token", "csrf-simulated-session")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, resp.StatusCode, string(raw))
	return raw
}
