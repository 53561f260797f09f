package web_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

// crowd seeds 200 fixtures with two goals and two clips each.
func (s *testServer) crowd() {
	s.T.Helper()
	for i := range 200 {
		f := match(int64(7000+i), team(int64(1000+i), fmt.Sprintf("Home Town %d", i)), team(int64(2000+i), fmt.Sprintf("Away City %d", i)), noon.Add(-time.Hour), "2H", 60, 1, 1)
		f.League = footy.League{ID: int64(900 + i%12), Name: fmt.Sprintf("League %d", i%12), Country: "Somewhere"}
		a := goal(&f, footy.SideHome, "Some Body", 30, 1, 0)
		clip(a, "1", 1, true)
		clip(a, "2", 2, false)
		goal(&f, footy.SideAway, "Any One", 44, 1, 1)
		require.NoError(s.T, s.Store.Add(s.T.Context(), f))
	}
}

// BenchmarkReaders compares the page of 52 matches, of 14 days that are kept, with /healthz: 50 readers ask for one and the other in turn, beside 500
// live streams and a change each second. x/healthz is the ratio of their 95th percentiles.
func BenchmarkReaders(b *testing.B) {
	s := newTestServer(b)
	for i := range 14 * 52 {
		day := noon.AddDate(0, 0, -(i / 52))
		f := match(int64(7000+i), team(int64(1000+i), fmt.Sprintf("Home Town %d", i)), team(int64(2000+i), fmt.Sprintf("Away City %d", i)), day.Add(-time.Hour), "2H", 60, 1, 1)
		clip(goal(&f, footy.SideHome, "Some Body", 30, 1, 0), "1", 1, true)
		goal(&f, footy.SideAway, "Any One", 44, 1, 1)
		require.NoError(b, s.Store.Add(b.Context(), f))
	}
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 600}}
	defer c.CloseIdleConnections()
	ask := func(path string) io.ReadCloser {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.HTTP.URL+path, nil)
		require.NoError(b, err)
		r.Header.Set("Accept-Encoding", "gzip")
		r.Header.Set("Authorization", "Bearer "+adminToken) // which no limit counts
		res, err := c.Do(r)
		require.NoError(b, err)
		require.Equal(b, http.StatusOK, res.StatusCode, path)
		return res.Body
	}
	ask(dayPath).Close() // built once: all 50 else begin with the wait for it, which is the 95th percentile of 20 requests each
	for range 500 {
		body := ask("/api/v1/stream")
		go func() {
			defer body.Close()
			_, _ = io.Copy(io.Discard, body)
		}()
	}
	go func() {
		for network.Pause(ctx, time.Second) == nil {
			s.Hub.Publish(stream.EntityFixture, "7000")
		}
	}()
	paths := []string{dayPath, "/healthz"}
	var mu sync.Mutex
	took := map[string][]time.Duration{}
	for b.Loop() {
		var readers sync.WaitGroup
		for range 50 {
			readers.Go(func() {
				for n := range 40 {
					_ = network.Pause(ctx, 200*time.Millisecond)
					path, began := paths[n%2], time.Now()
					body := ask(path)
					_, _ = io.Copy(io.Discard, body)
					body.Close()
					mu.Lock()
					took[path] = append(took[path], time.Since(began))
					mu.Unlock()
				}
			})
		}
		readers.Wait()
	}
	p95 := func(path string) time.Duration { slices.Sort(took[path]); return took[path][len(took[path])*95/100] }
	b.ReportMetric(float64(p95(dayPath))/float64(p95("/healthz")), "x/healthz")
}

// BenchmarkDayPage tells what the page of 200 fixtures costs after a change, and when nothing changed; beside it /healthz, which costs nothing.
func BenchmarkDayPage(b *testing.B) {
	s := newTestServer(b)
	s.crowd()
	h := s.Web.Handler()
	ask := func(path string) {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
		r.Header.Set("Accept-Encoding", "gzip")
		r.Header.Set("Authorization", "Bearer "+adminToken) // which no limit counts
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(b, http.StatusOK, w.Code)
	}
	b.Run("after a change", func(b *testing.B) {
		for b.Loop() {
			s.Hub.Publish(stream.EntityFixture, "7000")
			ask(dayPath)
		}
	})
	for name, path := range map[string]string{"unchanged": dayPath, "healthz": "/healthz"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ask(path)
			}
		})
	}
}
