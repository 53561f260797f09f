package world_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/world"
	"github.com/found-footy/found-footy/internal/world/script"
)

// visitor is a browser that brought the session's cookies.
type visitor struct {
	t    *testing.T
	base string
	jar  map[string]string
}

func visit(t *testing.T, w *world.World) visitor {
	t.Helper()
	v := visitor{t: t, base: w.URL(), jar: map[string]string{}}
	_, raw := v.get("/world/cookies")
	var export []struct{ Name, Value, Domain string }
	require.NoError(t, json.Unmarshal([]byte(raw), &export))
	for _, c := range export {
		require.Equal(t, "127.0.0.1", c.Domain)
		v.jar[c.Name] = c.Value
	}
	require.Len(t, v.jar, 2)
	return v
}

func (v visitor) get(path string) (status int, body string) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodGet, v.base+path, nil)
	require.NoError(v.t, err)
	for name, value := range v.jar {
		req.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	req.Header.Set("X-Csrf-Token", v.jar["ct0"])
	res, err := http.DefaultTransport.RoundTrip(req) // redirects are answers here
	require.NoError(v.t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(v.t, err)
	return res.StatusCode, string(raw)
}

func (v visitor) search(query string) string {
	v.t.Helper()
	variables, err := json.Marshal(map[string]any{"rawQuery": query, "count": 20, "product": "Latest"})
	require.NoError(v.t, err)
	status, body := v.get("/x/i/api/graphql/abc/SearchTimeline?" + url.Values{"variables": {string(variables)}}.Encode())
	require.Equal(v.t, http.StatusOK, status, body)
	return body
}

func TestXIsAWebsiteWithTheDaysPosts(t *testing.T) {
	t.Parallel()
	w := setup(t, script.Default(), t.TempDir(), 120)
	status, _ := visitor{t: t, base: w.URL()}.get("/x/home")
	require.Equal(t, http.StatusFound, status, "without a session it asks for a login")

	v := visit(t, w)
	status, page := v.get("/x/home")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, page, "AppTabBar_Profile_Link")

	second := visitor{t: t, base: w.URL(), jar: map[string]string{"auth_token": v.jar["auth_token"] + "-2", "ct0": v.jar["ct0"] + "-2"}}
	_, page = second.get("/x/home")
	require.Contains(t, page, "simulated_fan_2", "an account of its own")

	body := v.search("marlowe liverpool filter:videos")
	newest := ""
	for _, p := range w.Posts() {
		if p.PostedAt.Before(time.Now()) && strings.Contains(p.Text, "Marlowe") && strings.Contains(p.Text, "Liverpool") {
			newest = p.ID
		}
	}
	has := func(what string) bool { return strings.Contains(body, what) }
	require.True(t, newest != "" && has(newest), "the newest post comes on the first page")
	require.True(t, has("promotedMetadata"), "X puts advertisements between")
	require.True(t, has("animated_gif"), "and GIFs")
	require.False(t, has("Casals"), "only what matches")

	talk := v.search("(goal OR gol) filter:videos")
	require.Equal(t, 20, strings.Count(talk, `"tweetDisplayType"`), "a full first page")
	require.NotContains(t, v.search("nobody of that name"), "tweetDisplayType")
}
