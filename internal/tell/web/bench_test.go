package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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

// BenchmarkDayPage tells what the page of 200 fixtures costs after a change, and when nothing changed.
func BenchmarkDayPage(b *testing.B) {
	s := newTestServer(b)
	s.crowd()
	h := s.Web.Handler()
	ask := func() {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+dayPath, nil)
		r.Header.Set("Accept-Encoding", "gzip")
		r.Header.Set("Authorization", "Bearer "+adminToken) // which no limit counts
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(b, http.StatusOK, w.Code)
	}
	b.Run("after a change", func(b *testing.B) {
		for b.Loop() {
			s.Hub.Publish(stream.EntityFixture, "7000")
			ask()
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			ask()
		}
	})
}
