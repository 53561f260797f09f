package web_test

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/tell/web"
)

// countedStore counts what is read of lists: each answer that is built reads one.
type countedStore struct {
	store.Store
	reads atomic.Int64
}

func (c *countedStore) List(ctx context.Context, q store.FixtureQuery) ([]footy.Fixture, error) {
	c.reads.Add(1)
	return c.Store.List(ctx, q)
}

// TestOneAnswerIsBuiltForAllSpellings: a key with what a client writes is a way to have the same built again and again.
func TestOneAnswerIsBuiltForAllSpellings(t *testing.T) {
	t.Parallel()
	for name, paths := range map[string][]string{
		"a day in zones that agree": {"/day/2026-11-14?tz=Europe/Berlin", "/day/2026-11-14?tz=Europe/Paris", "/day/2026-11-14?tz=Africa/Lagos", "/day/2026-11-14?tz=Etc/GMT-1", "/day/2026-11-14?tz=Europe/Rome&x=1"},
		"in UTC":                    {"/day/2026-11-14", "/day/2026-11-14?tz=Europe/London", "/day/2026-11-14?tz=Nowhere", "/day/2026-11-14?tz=Africa/Abidjan", "/day/2026-11-14?date=3"},
		"a programme":               {"/watch/2026-11-14?tz=Asia/Kolkata", "/watch/2026-11-14?tz=Asia/Colombo", "/watch/2026-11-14?tz=Asia/Calcutta"},
		"parts":                     {"/part/fixtures?ids=5001,5002", "/part/fixtures?ids=5002,5001", "/part/fixtures?ids=5002,5001,5001,%205002", "/part/fixtures?ids=+5001,05002&tz=Europe/London&a=b"},
		"a team":                    {"/team/40?tz=Asia/Tokyo", "/team/40?tz=Asia/Seoul", "/team/040?tz=Asia/Tokyo&x"},
		"the API":                   {"/api/v1/fixtures?date=2026-11-14&stage=active,staging&tz=Europe/Berlin", "/api/v1/fixtures?stage=staging,active,active&tz=Europe/Paris&date=2026-11-14&junk=7", "/api/v1/fixtures?tz=Europe/Berlin&date=2026-11-14&limit=50&stage=active,,staging"},
		"a search":                  {"/api/v1/fixtures?q=salah+liverpool", "/api/v1/fixtures?q=LIVERPOOL%20%20Salah", "/api/v1/fixtures?q=salah+liverpool+salah&tz=Asia/Tokyo"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counted := &countedStore{}
			s := newTestServer(t, func(o *web.Options) { counted.Store = o.Store; o.Store = counted })
			s.DemoDay([]byte("mp4"), []byte("jpg"))
			first := s.Get(paths[0])
			require.Equal(t, http.StatusOK, first.StatusCode)
			body, reads := text(t, first), counted.reads.Load()
			for _, path := range paths[1:] {
				res := s.Get(path)
				require.Equal(t, http.StatusOK, res.StatusCode, path)
				require.Equal(t, first.Header.Get("ETag"), res.Header.Get("ETag"), path)
				require.Len(t, text(t, res), len(body), path)
			}
			require.LessOrEqual(t, counted.reads.Load(), reads+1, "an answer may have expired meanwhile, once")
		})
	}
}

func TestZonesThatDoNotAgreeHaveTheirOwnDay(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.DemoDay([]byte("mp4"), []byte("jpg"))
	seen := map[string]string{}
	for _, zone := range []string{"UTC", "Europe/Berlin", "Asia/Kolkata", "Asia/Kathmandu", "America/New_York", "America/St_Johns"} {
		page := text(t, s.Get("/day/2026-11-14?tz="+zone))
		_, after, _ := strings.Cut(page, `data-zone="`)
		name, _, _ := strings.Cut(html.UnescapeString(after), `"`)
		require.Empty(t, seen[name], zone)
		seen[name] = zone
	}
	require.Equal(t, "Asia/Kathmandu", seen["UTC+05:45"])
	require.Equal(t, "America/St_Johns", seen["UTC-03:30"])
	// On a day on which clocks change, the offset does not say when.
	require.Contains(t, text(t, s.Get("/day/2026-10-25?tz=Europe/Berlin")), `data-zone="Europe/Berlin"`)
	require.Contains(t, text(t, s.Get("/day/2026-10-26?tz=Europe/Berlin")), `data-zone="UTC&#43;01:00"`)
}

// TestAnOfficeOfReadersIsOneAddress: a hundred people open the day, its pictures and the live stream, and look at goals.
func TestAnOfficeOfReadersIsOneAddress(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	office := httptest.NewUnstartedServer(s.HTTP.Config.Handler)
	office.Config.ConnState = s.Web.HTTP(s.Web.Handler()).ConnState
	office.Start()
	defer office.Close()
	var group sync.WaitGroup
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var streams sync.WaitGroup
	streams.Add(100)
	refused := make(chan string, 100)
	for i := range 100 {
		group.Go(func() {
			client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 6}}
			defer client.CloseIdleConnections()
			ask := func(path string) *http.Response {
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, office.URL+path, http.NoBody)
				if err != nil {
					return nil
				}
				res, err := client.Do(req)
				if err != nil || res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNotFound {
					select {
					case refused <- fmt.Sprint(path, " ", err, res):
					default:
					}
				}
				return res
			}
			live := ask("/api/v1/stream")
			streams.Done()
			streams.Wait() // all have one before any goes on
			paths := []string{dayPath, "/g/" + salah, "/part/fixtures?ids=5001"}
			for j := range 30 {
				paths = append(paths, fmt.Sprintf("/logo/team/%d?n=A", 1000*i+j))
			}
			for _, path := range paths {
				if res := ask(path); res != nil {
					_, _ = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
				}
			}
			if live != nil {
				_ = live.Body.Close()
			}
		})
	}
	group.Wait()
	close(refused)
	for why := range refused {
		require.Fail(t, why)
	}
}

// TestThreeHundredAddressesKeepThePageSmall: each asks for answers that no other asked for.
func TestThreeHundredAddressesKeepThePageSmall(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")} })
	s.DemoDay([]byte("mp4"), []byte("jpg"))
	var group sync.WaitGroup
	jobs := make(chan int)
	refused := make(chan string, 1)
	for range 16 {
		group.Go(func() {
			for i := range jobs {
				day := noon.AddDate(0, 0, -i).Format(time.DateOnly)
				for _, path := range []string{"/day/" + day, "/day/" + day + "?tz=Asia/Tokyo", fmt.Sprint("/api/v1/fixtures?limit=", i+1), fmt.Sprintf("/part/fixtures?ids=5001,%d", 9000+i)} {
					r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
					r.RemoteAddr = "127.0.0.1:4711"
					r.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.%d.%d", i/250, i%250))
					w := httptest.NewRecorder()
					s.Web.Handler().ServeHTTP(w, r)
					if w.Code != http.StatusOK {
						select {
						case refused <- fmt.Sprint(path, " ", w.Code, " ", w.Body):
						default:
						}
					}
				}
			}
		})
	}
	for i := range 300 {
		jobs <- i
	}
	close(jobs)
	group.Wait()
	require.Empty(t, refused)
	kept, most := s.Web.CachedAnswers()
	require.LessOrEqual(t, kept, most)
}
