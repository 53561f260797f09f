package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/run/config"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
)

// below serves the demo day at /footy of a proxy, which may strip that path. Whatever is asked beside it is a mistake.
func below(t *testing.T, strips bool, mp4, jpg []byte) *testServer {
	t.Helper()
	var to *url.URL
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
		if strips {
			r.Out.URL.Path = "/" + strings.TrimPrefix(strings.TrimPrefix(r.In.URL.Path, "/footy"), "/")
			r.Out.Header.Set("X-Forwarded-Prefix", "/footy")
		}
	}}
	front := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/footy" && !strings.HasPrefix(r.URL.Path, "/footy/") {
			if r.URL.Path != "/favicon.ico" { // which browsers ask for by themselves
				t.Errorf("%s was asked for, from %s", r.URL, r.Referer())
			}
			http.Error(w, "another program's", http.StatusTeapot)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	at := "http://" + front.Listener.Addr().String()
	s := newTestServer(t, func(o *web.Options) { o.BaseURL = at + "/footy" })
	s.DemoDay(mp4, jpg)
	var err error
	to, err = url.Parse(s.HTTP.URL)
	require.NoError(t, err)
	front.Start()
	t.Cleanup(front.Close)
	s.HTTP = front
	return s
}

var (
	links = regexp.MustCompile(`\b(href|src|action|formaction|poster|page|await)="(/[^"]*|` + `http://127[^"]*)"`)
	bound = regexp.MustCompile(`"(/[a-z][^"]*)"`)
)

// TestThePageBelowAPath: https://home.example/footy, by a proxy that strips /footy and by one that does not.
func TestThePageBelowAPath(t *testing.T) {
	t.Parallel()
	for _, strips := range []bool{true, false} {
		t.Run(fmt.Sprintf("stripped %v", strips), func(t *testing.T) {
			t.Parallel()
			s := below(t, strips, []byte("0123456789"), []byte("poster"))
			at := s.HTTP.URL
			seen, todo := map[string]bool{}, []string{"/footy/", "/footy/day/2026-11-14", "/footy/search?q=liv", "/footy/part/fixtures?ids=5001", "/footy/offline", "/footy/nothing-here", "/footy/embed/" + salah}
			for len(todo) > 0 {
				path := todo[0]
				todo = todo[1:]
				if seen[path] || len(seen) > 300 {
					continue
				}
				seen[path] = true
				res := s.Get(path)
				if path != "/footy/nothing-here" {
					require.Less(t, res.StatusCode, 400, path)
				}
				if to := res.Header.Get("Location"); to != "" {
					require.True(t, strings.HasPrefix(to, "/footy/"), "%s leads to %s", path, to)
					continue
				}
				if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
					continue
				}
				for _, found := range links.FindAllStringSubmatch(text(t, res), -1) {
					to, _, _ := strings.Cut(strings.ReplaceAll(found[2], "&amp;", "&"), "#")
					to = strings.TrimPrefix(to, at)
					require.True(t, strings.HasPrefix(to, "/footy/"), "%s has %s", path, found[0])
					require.False(t, strings.HasPrefix(to, "/footy/footy"), "%s has %s", path, found[0])
					if found[1] == "href" || found[1] == "src" {
						if !strings.HasPrefix(to, "/footy/metrics") && to != "/footy/calendar.ics" && !strings.HasPrefix(to, "/footy/day/") && !strings.HasPrefix(to, "/footy/watch/") {
							todo = append(todo, to)
						}
					}
				}
			}
			require.Greater(t, len(seen), 40)
			for _, path := range []string{"/footy/manifest.webmanifest", "/footy/sw.js", "/footy/api/v1/fixtures?date=2026-11-14", "/footy/api/v1/events/" + salah} {
				body := text(t, s.Get(path))
				require.NotContains(t, body, "@base@")
				for _, found := range bound.FindAllStringSubmatch(body, -1) {
					require.True(t, strings.HasPrefix(found[1], "/footy/") || found[1] == "/icon-192.png", "%s has %s", path, found[1])
				}
				require.Contains(t, body, "/footy/", path)
			}
			require.Contains(t, text(t, s.Get("/footy/g/"+salah)), `<meta property="og:url" content="`+at+"/footy/g/"+salah)
			require.Contains(t, text(t, s.Get("/footy/feed.xml")), "<link>"+at+"/footy/g/")
			require.Equal(t, http.StatusOK, s.Get("/footy/oembed?url="+url.QueryEscape(at+"/footy/g/"+salah)).StatusCode)
			require.Equal(t, http.StatusBadRequest, s.Get("/footy/oembed?url="+url.QueryEscape(at+"/g/"+salah)).StatusCode)

			f, err := s.Store.Fixture(t.Context(), 5001)
			require.NoError(t, err)
			clip := "/footy" + footy.ClipPath("5001-1", f.Events[0].Clips[0].ID, "")
			require.Equal(t, "345", text(t, s.Get(clip, "Range", "bytes=3-5")))
			require.Equal(t, "10", s.Do(http.MethodHead, clip, nil).Header.Get("Content-Length"))

			same := s.Get("/footy/day/2026-11-14")
			require.Equal(t, http.StatusNotModified, s.Get("/footy/day/2026-11-14", "If-None-Match", same.Header.Get("ETag")).StatusCode)

			res := s.Do(http.MethodPost, "/footy/admin/login", []byte(url.Values{"token": {adminToken}, "back": {"/waiting"}}.Encode()), "Content-Type", "application/x-www-form-urlencoded")
			require.Equal(t, "/footy/waiting", res.Header.Get("Location"))
			require.Equal(t, "/footy/", res.Cookies()[0].Path)
		})
	}
}

// TestAMountedPageInABrowser: scripts, worker and live stream.
func TestAMountedPageInABrowser(t *testing.T) {
	root := browser(t)
	mp4, jpg := makeClip(t)
	for _, strips := range []bool{true, false} {
		t.Run(fmt.Sprintf("stripped %v", strips), func(t *testing.T) {
			s := below(t, strips, mp4, jpg)
			b := webtest.OpenTab(t, root, s.Server)
			b.OpenServed("/footy" + dayPath)
			b.Until(`document.documentElement.dataset.stream === "on"`)
			s.Update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(9, 8) })
			b.Until(`document.getElementById("f-5001").innerText.includes("9")`)
			b.Click("#e-5001-1 a.clip")
			b.Until(`document.querySelector(".stage video")?.readyState > 1`)
			require.Equal(t, s.HTTP.URL+"/footy/", js[string](b, `navigator.serviceWorker.ready.then((r) => r.scope)`))
			b.Open("/footy/watch/2026-11-14")
			b.Until(`document.querySelector("#programme li")`)
			b.Open("/footy/health")
			b.Until(`document.documentElement.dataset.stream === "on"`)
		})
	}
}

// TestNoPageIsMountedAtAPathOfItsOwn: settings refuse a PUBLIC_URL below each path that the server has.
func TestNoPageIsMountedAtAPathOfItsOwn(t *testing.T) {
	t.Parallel()
	paths := web.Gets(newTestServer(t).Web)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		if first == "" || strings.HasPrefix(first, "{") {
			continue
		}
		_, err := config.Parse(map[string]string{"PUBLIC_URL": "https://home.example/" + first})
		require.ErrorContains(t, err, "has a path of the page itself", path)
	}
}
