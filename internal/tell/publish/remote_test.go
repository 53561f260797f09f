package publish_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"

	"github.com/found-footy/found-footy/internal/tell/publish"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
	"github.com/stretchr/testify/require"
)

// deafPage is a page that takes its first note and answers only when release is closed.
func deafPage(t *testing.T) (page *httptest.Server, notes chan stream.Note, release chan struct{}) {
	t.Helper()
	notes, release = make(chan stream.Note, 100), make(chan struct{})
	page = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n stream.Note
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
	n := publish.NewRemote(t.Context(), page.URL, "sixteen-letters-or-more", slog.New(slog.DiscardHandler), func() { t.Error("nothing is dropped") })

	n.Publish(t.Context(), stream.EntityFixture, "1")
	require.Equal(t, stream.Note{Entity: stream.EntityFixture, IDs: []string{"1"}}, <-notes)
	// The page has the first note and does not answer: all of this returns nevertheless.
	for range 3 {
		n.Publish(t.Context(), stream.EntityFixture, "1", "2")
		n.Publish(t.Context(), stream.EntityHealth)
		n.Publish(t.Context(), stream.EntityEvent, "5001-1")
	}
	require.Empty(t, notes, "nothing more was sent meanwhile")

	close(release)
	require.Equal(t, []stream.Note{{Entity: stream.EntityFixture, IDs: []string{"1", "2"}}, {Entity: stream.EntityHealth, IDs: []string{}}, {Entity: stream.EntityEvent, IDs: []string{"5001-1"}}},
		[]stream.Note{<-notes, <-notes, <-notes}, "each change once, the oldest first, also that of the note under way")
}

func TestChangesThatNobodyTakesAreBounded(t *testing.T) {
	t.Parallel()
	page, notes, release := deafPage(t)
	dropped := 0
	n := publish.NewRemote(t.Context(), page.URL, "sixteen-letters-or-more", slog.New(slog.DiscardHandler), func() { dropped++ })
	n.Publish(t.Context(), stream.EntityFixture, "first")
	<-notes
	const many = 1500
	for i := range many {
		n.Publish(t.Context(), stream.EntityFixture, strconv.Itoa(i))
	}
	close(release)
	var told []string
	for !slices.Contains(told, strconv.Itoa(many-1)) {
		told = append(told, (<-notes).IDs...)
	}
	require.Len(t, told, 1024, "the newest are kept")
	require.Equal(t, strconv.Itoa(many-1024), told[0])
	require.Equal(t, many-1024, dropped)
}
