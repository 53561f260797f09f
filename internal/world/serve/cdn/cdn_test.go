package cdn_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world/day"
	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
	"github.com/found-footy/found-footy/internal/world/serve/cdn"
	"github.com/found-footy/found-footy/tools/devtest"
)

func setup(t *testing.T) (*post.Catalog, string) {
	t.Helper()
	c := post.NewCatalog(script.Default(), day.StartedAt(time.Now().Add(-time.Hour), 30))
	mux := http.NewServeMux()
	dir := t.TempDir()
	mux.Handle("/syndication/", http.StripPrefix("/syndication", cdn.NewLookup(c, dir)))
	mux.Handle("/video/", http.StripPrefix("/video", cdn.NewVideos(c, dir)))
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return c, srv.URL
}

func get(t *testing.T, url string) (int, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, body
}

func first(t *testing.T, c *post.Catalog, kind string) post.Post {
	t.Helper()
	for _, p := range c.All() {
		if p.Kind == kind {
			return p
		}
	}
	t.Fatalf("no %s", kind)
	return post.Post{}
}

func TestLookUpsThatFindNothingLookLikeTheRealOnes(t *testing.T) {
	t.Parallel()
	c, url := setup(t)
	p := first(t, c, script.Master)
	code, body := get(t, url+"/syndication/tweet-result?id="+p.ID)
	require.Equal(t, 200, code)
	require.JSONEq(t, `{}`, string(body), "no token")
	code, _ = get(t, url+"/syndication/tweet-result?id=20&token=a")
	require.Equal(t, 404, code)
	_, body = get(t, url+"/syndication/tweet-result?id="+first(t, c, script.NoVideo).ID+"&token=a")
	require.NotContains(t, string(body), "video_info")
	code, _ = get(t, url+"/video/"+p.ID+"/pu/pl/list.m3u8")
	require.Equal(t, 404, code)
	code, body = get(t, url+"/video/"+p.ID+"/pu/vid/640x360/"+p.Clip.Name())
	require.Equal(t, 500, code)
	require.Contains(t, string(body), "not drawn")
}

func TestAnswersHaveTheRecordedShape(t *testing.T) {
	t.Parallel()
	c, url := setup(t)
	for file, kind := range map[string]string{"video_trimmed_1585341984679469056.json": script.Master, "tombstone_deleted.json": script.Deleted} {
		for _, path := range devtest.Payloads(t, "samples/syndication/"+file) {
			recorded, err := os.ReadFile(path)
			require.NoError(t, err)
			_, body := get(t, url+"/syndication/tweet-result?id="+first(t, c, kind).ID+"&token=a")
			var want, got any
			require.NoError(t, json.Unmarshal(recorded, &want))
			require.NoError(t, json.Unmarshal(body, &got))
			covers(t, want, got, file)
		}
	}
}

// covers demands every recorded key, with a value of the recorded type.
func covers(t *testing.T, want, got any, path string) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		require.True(t, ok, path)
		for k, v := range w {
			require.Contains(t, g, k, path)
			covers(t, v, g[k], path+"."+k)
		}
	case []any:
		g, ok := got.([]any)
		require.True(t, ok, path)
		require.NotEmpty(t, g, path)
		for i := range min(len(w), len(g)) {
			covers(t, w[i], g[i], path+"[]")
		}
	default:
		require.IsType(t, want, got, path)
	}
}
