package app_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"

	"github.com/found-footy/found-footy/internal/app"
	"github.com/found-footy/found-footy/internal/telemetry"
	"github.com/found-footy/found-footy/internal/web"
	"github.com/stretchr/testify/require"
)

// deafPage is a page that takes its first note and answers only when release is closed.
func deafPage(t *testing.T) (page *httptest.Server, notes chan web.Note, release chan struct{}) {
	t.Helper()
	notes, release = make(chan web.Note, 100), make(chan struct{})
	page = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n web.Note
		if json.NewDecoder(r.Body).Decode(&n) == nil {
			notes <- n
		}
		<-release
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(page.Close)
	return page, notes, release
}

func TestAPageThatNeverAnswersHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	page, notes, release := deafPage(t)
	a := &app.App{Config: parsed(t, map[string]string{"NOTIFY_URL": page.URL, "NOTIFY_TOKEN": "sixteen-letters-or-more"}),
		Log: slog.New(slog.DiscardHandler), Metrics: telemetry.NewMetrics("test")}
	n := a.RemoteNotifier(t.Context())

	n.Notify(t.Context(), web.EntityFixture, "1")
	require.Equal(t, web.Note{Entity: web.EntityFixture, IDs: []string{"1"}}, <-notes)
	// The page has the first note and does not answer: all of this returns nevertheless.
	for range 3 {
		n.Notify(t.Context(), web.EntityFixture, "1", "2")
		n.Notify(t.Context(), web.EntityHealth)
		n.Notify(t.Context(), web.EntityEvent, "5001-1")
	}
	require.Empty(t, notes, "nothing more was sent meanwhile")

	close(release)
	require.Equal(t, []web.Note{{Entity: web.EntityFixture, IDs: []string{"1", "2"}}, {Entity: web.EntityHealth, IDs: []string{}}, {Entity: web.EntityEvent, IDs: []string{"5001-1"}}},
		[]web.Note{<-notes, <-notes, <-notes}, "each change once, the oldest first, also that of the note under way")
}

func TestChangesThatNobodyTakesAreBounded(t *testing.T) {
	t.Parallel()
	page, notes, release := deafPage(t)
	a := &app.App{Config: parsed(t, map[string]string{"NOTIFY_URL": page.URL, "NOTIFY_TOKEN": "sixteen-letters-or-more"}),
		Log: slog.New(slog.DiscardHandler), Metrics: telemetry.NewMetrics("test")}
	n := a.RemoteNotifier(t.Context())
	n.Notify(t.Context(), web.EntityFixture, "first")
	<-notes
	const many = 1500
	for i := range many {
		n.Notify(t.Context(), web.EntityFixture, strconv.Itoa(i))
	}
	close(release)
	var told []string
	for !slices.Contains(told, strconv.Itoa(many-1)) {
		told = append(told, (<-notes).IDs...)
	}
	require.Len(t, told, 1024, "the newest are kept")
	require.Equal(t, strconv.Itoa(many-1024), told[0])
	w := httptest.NewRecorder()
	a.Metrics.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Contains(t, w.Body.String(), "\nfooty_notify_dropped_total "+strconv.Itoa(many-1024)+"\n")
}
