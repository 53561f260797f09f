package reels_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/reels"
	"github.com/found-footy/found-footy/internal/extra/reels/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
	"github.com/found-footy/found-footy/internal/tell/web/webtest"
)

// fakeReels is an engine that makes nothing by itself.
type fakeReels struct {
	asked  []string
	err    error
	starts bool // it makes what it is asked for, from then on
	mu     sync.Mutex
	now    rule.Making
}

func (f *fakeReels) set(now rule.Making) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = now
}

func (f *fakeReels) Start(_ context.Context, s rule.Scope, asked time.Duration) error {
	f.asked = append(f.asked, rule.Job(s, asked))
	if f.starts {
		f.set(rule.Making{State: rule.StateMaking})
	}
	return f.err
}

func (f *fakeReels) Making(context.Context, rule.Scope, time.Duration) (rule.Making, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now, nil
}

// of gives a page the engine, and a clock by which nothing recent is used again.
func (f *fakeReels) of(o *web.Options) {
	var steps atomic.Int64
	with(f)(o)
	o.Now = func() time.Time { return webtest.Noon.Add(time.Duration(steps.Add(2)) * time.Second) }
}

// with adds the part to a page; nil: nobody can make a reel.
func with(orders reels.Orders) func(*web.Options) {
	return func(o *web.Options) {
		o.Parts = append(o.Parts, func(lent web.Lent) (web.Part, error) { return reels.Page(lent, orders) })
	}
}

// served is a page with the part.
type served struct{ *webtest.Server }

func serve(t *testing.T, change ...func(*web.Options)) *served {
	t.Helper()
	return &served{webtest.New(t, change...)}
}

func (s *served) post(path string, form url.Values, header ...string) *http.Response {
	s.T.Helper()
	return s.Do(http.MethodPost, path, []byte(form.Encode()), append(header, "Content-Type", "application/x-www-form-urlencoded")...)
}

// reelDay is a page with a match of two goals with a clip each.
func reelDay(t *testing.T) (*served, *fakeReels) {
	t.Helper()
	engine := &fakeReels{}
	s := serve(t, engine.of)
	f := webtest.Match(5001, webtest.Team(40, "Liverpool"), webtest.Team(42, "Arsenal <b>"), webtest.Noon.Add(-time.Hour), "1H", 50, 1, 1)
	webtest.Clip(webtest.Goal(&f, "home", "M. Salah", 12, 1, 0), "a", 1, true)
	webtest.Clip(webtest.Goal(&f, "away", "B. Saka", 40, 1, 1), "b", 1, true)
	s.Add(f)
	return s, engine
}

// made keeps the reel that the page would have now.
func (s *served) made(kind rule.Kind, id int64, day string) rule.Plan {
	s.T.Helper()
	scope, err := rule.ScopeOf(kind, id, day, time.UTC)
	require.NoError(s.T, err)
	f, err := s.Store.Fixture(s.T.Context(), 5001)
	require.NoError(s.T, err)
	p := rule.Make(scope, 0, []footy.Fixture{f})
	record, err := json.Marshal(rule.Record{Plan: p, Size: 4, MadeAt: webtest.Noon})
	require.NoError(s.T, err)
	s.Put(reels.Key(p.Key, reels.FilmFile), "video/mp4", []byte("film"))
	s.Put(reels.Key(p.Key, reels.PosterFile), "image/jpeg", []byte("picture"))
	s.Put(reels.Key(p.Key, reels.RecordFile), "application/json", record)
	s.Hub.Publish(stream.EntityPage, scope.Path())
	return p
}

func TestAReelIsAskedForAndShown(t *testing.T) {
	t.Parallel()
	s, engine := reelDay(t)
	for path, job := range map[string]string{
		"/reel/match/5001": "reel-match-5001", "/reel/day/2026-11-14": "reel-day-2026-11-14", "/reel/league/39/2026-11-14": "reel-league-39-2026-11-14", "/reel/team/42/2026-11-14": "reel-team-42-2026-11-14",
	} {
		page := webtest.Text(t, s.Get(path))
		require.Contains(t, page, "Not made yet", path)
		require.Contains(t, page, "B. Saka 40&#39;, Liverpool 1–1 Arsenal &lt;b&gt;", path)
		require.NotContains(t, page, "<video id=\"reel-video\"", path)
		res := s.post(path, url.Values{"length": {"90"}})
		require.Equal(t, http.StatusSeeOther, res.StatusCode)
		require.Equal(t, path+"?length=90", res.Header.Get("Location"))
		require.Equal(t, job+"-1m30s", engine.asked[len(engine.asked)-1])
	}
	engine.set(rule.Making{State: rule.StateMaking, Done: 1, Of: 3, Waits: "another reel is being made"})
	page := webtest.Text(t, s.Get("/reel/match/5001"))
	require.Contains(t, page, `<progress max="3" value="1"`)
	require.Contains(t, page, "another reel is being made")
	engine.set(rule.Making{State: rule.StateFailed, Why: "none of its clips can be shown"})
	page = webtest.Text(t, s.Get("/reel/match/5001"))
	require.Contains(t, page, "None of its clips can be shown")
	require.Contains(t, page, "Try again")

	p := s.made(rule.OfMatch, 5001, "")
	page = webtest.Text(t, s.Get("/reel/match/5001"))
	require.Contains(t, page, `src="/r/`+p.Key+`/reel.mp4"`)
	require.Contains(t, page, `property="og:video"`)
	for _, says := range []string{`name="description"`, `property="og:description"`} { // cards are for everybody, also for who wants to see no result first
		require.Contains(t, page, `<meta `+says+` content="The goals, one after the other: Premier League, 14 November 2026."`)
	}
	require.Contains(t, page, `href="/day/2026-11-14#f-5001"`)
	require.Contains(t, page, `data-seek="3"`)
	require.Len(t, engine.asked, 4)
	s.post("/reel/match/5001", url.Values{"length": {"0"}})
	require.Len(t, engine.asked, 4, "what is there is not made again")

	film := s.Get("/r/"+p.Key+"/reel.mp4?download", "Range", "bytes=1-2")
	require.Equal(t, http.StatusPartialContent, film.StatusCode)
	require.Equal(t, `attachment; filename=goals-match-5001.mp4`, film.Header.Get("Content-Disposition"))
	require.Equal(t, "il", webtest.Text(t, film))
	require.Equal(t, "picture", webtest.Text(t, s.Get("/r/"+p.Key+"/poster.jpg")))

	var body struct {
		State    string `json:"state"`
		Film     string `json:"film_url"`
		Chapters []struct {
			Title string `json:"title"`
		} `json:"chapters"`
	}
	require.NoError(t, json.Unmarshal([]byte(webtest.Text(t, s.Get("/api/v1/reels/match/5001"))), &body))
	require.Equal(t, "made", body.State)
	require.Equal(t, "/r/"+p.Key+"/reel.mp4", body.Film)
	require.Len(t, body.Chapters, 3)
}

func TestAReelOfAGoalThatWasTakenBackIsSeenNoMore(t *testing.T) {
	t.Parallel()
	s, _ := reelDay(t)
	p := s.made(rule.OfDay, 0, "2026-11-14")
	require.Contains(t, webtest.Text(t, s.Get("/reel/day/2026-11-14")), p.Key)

	s.Update(5001, func(f *footy.Fixture) { // outdated by a better clip
		webtest.Clip(&f.Events[0], "better", 1, true)
		f.Events[0].Clips[0].Rank = 2
	})
	page := webtest.Text(t, s.Get("/reel/day/2026-11-14"))
	require.NotContains(t, page, p.Key, "it is no longer what is offered")
	require.Contains(t, page, "Not made yet")
	require.Equal(t, http.StatusOK, s.Get("/r/"+p.Key+"/reel.mp4").StatusCode, "who watches it sees its end")

	s.Update(5001, func(f *footy.Fixture) { f.Events[0].Removed, f.Events[0].RemovedReason = true, footy.ReasonVAR })
	gone := s.Get("/r/" + p.Key + "/reel.mp4")
	require.Equal(t, http.StatusGone, gone.StatusCode)
	require.NotContains(t, webtest.Text(t, s.Get("/reel/day/2026-11-14")), "Salah")
	require.Equal(t, http.StatusGone, s.Get("/r/"+p.Key+"/poster.jpg").StatusCode)
}

// marks counts what is written.
type marks struct {
	blob.Store
	mu      sync.Mutex
	written []string
}

func (m *marks) Put(ctx context.Context, key string, r io.Reader, size int64, info blob.Info) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.written = append(m.written, key)
	return m.Store.Put(ctx, key, r, size, info)
}

func (m *marks) keys() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.written)
}

func TestThatAReelIsWatchedIsWrittenNowAndThen(t *testing.T) {
	t.Parallel()
	var stored marks
	var later atomic.Int64
	s := serve(t, with(nil), func(o *web.Options) {
		stored.Store, o.Blob = o.Blob, &stored
		o.Now = func() time.Time { return webtest.Noon.Add(time.Duration(later.Load())) }
	})
	f := webtest.Match(5001, webtest.Team(40, "Liverpool"), webtest.Team(42, "Arsenal"), webtest.Noon.Add(-time.Hour), "1H", 50, 1, 0)
	webtest.Clip(webtest.Goal(&f, "home", "M. Salah", 12, 1, 0), "a", 1, true)
	s.Add(f)
	film := "/r/" + s.made(rule.OfMatch, 5001, "").Key
	mark := "reels/made/" + film[len("/r/"):] + "/watched"
	require.Equal(t, http.StatusOK, s.Get(film+"/poster.jpg").StatusCode)
	require.Empty(t, stored.keys(), "cards show the picture, too")
	for range 5 {
		require.Equal(t, http.StatusPartialContent, s.Get(film+"/reel.mp4", "Range", "bytes=1-2").StatusCode)
	}
	written := func(want ...string) {
		t.Helper()
		require.Eventually(t, func() bool { return slices.Equal(want, stored.keys()) }, 5*time.Second, 5*time.Millisecond)
	}
	written(mark)
	later.Store(int64(10 * time.Minute))
	s.Get(film + "/reel.mp4")
	written(mark, mark)
}

// hanging takes no writes, and never says so.
type hanging struct {
	blob.Store
	given chan time.Duration // how long each write may take
	ended atomic.Bool
}

func (h *hanging) Put(ctx context.Context, _ string, _ io.Reader, _ int64, _ blob.Info) error {
	until, _ := ctx.Deadline()
	h.given <- time.Until(until)
	<-ctx.Done()
	h.ended.Store(true)
	return ctx.Err()
}

func TestNobodyWaitsForTheWritingThatAReelIsWatched(t *testing.T) {
	t.Parallel()
	stored := hanging{given: make(chan time.Duration, 9)}
	s := serve(t, with(nil), func(o *web.Options) { stored.Store, o.Blob = o.Blob, &stored })
	f := webtest.Match(5001, webtest.Team(40, "Liverpool"), webtest.Team(42, "Arsenal"), webtest.Noon.Add(-time.Hour), "1H", 50, 1, 0)
	webtest.Clip(webtest.Goal(&f, "home", "M. Salah", 12, 1, 0), "a", 1, true)
	s.Add(f)
	film := "/r/" + s.made(rule.OfMatch, 5001, "").Key + "/reel.mp4"
	for range 3 {
		require.Equal(t, "film", webtest.Text(t, s.Get(film)))
	}
	require.False(t, stored.ended.Load(), "the film came before the write ended")
	require.Positive(t, <-stored.given, "it has a deadline")
	require.Empty(t, stored.given, "one tries at a time")
}

func TestWhatIsNoReel(t *testing.T) {
	t.Parallel()
	s, engine := reelDay(t)
	for path, status := range map[string]int{
		"/reel/match/1": 404, "/reel/match/x": 404, "/reel/match/5001/2026-11-14": 404, "/reel/team/40": 404, "/reel/season/1": 404, "/reel/day/yesterday": 404,
		"/reel/day/2026-11-14?length=77": 400, "/r/0123456789/reel.mp4": 404, "/r/0123456789/reel.json": 404, "/r/..%2f..%2fclips/reel.mp4": 404,
		"/api/v1/reels/day/2026-11-14?length=x": 400, "/api/v1/reels/match/1": 404,
	} {
		require.Equal(t, status, s.Get(path).StatusCode, path)
	}
	require.Contains(t, webtest.Text(t, s.Get("/reel/day/2026-11-13")), "there is nothing to make a reel of")
	nothing := s.post("/reel/day/2026-11-13", url.Values{})
	require.Equal(t, http.StatusConflict, nothing.StatusCode)
	require.Contains(t, webtest.Text(t, nothing), "nothing to make a reel of")
	require.Empty(t, engine.asked)
	require.Equal(t, http.StatusForbidden, s.post("/reel/match/5001", url.Values{}, "Sec-Fetch-Site", "cross-site").StatusCode)
	engine.err = &footy.Error{Code: footy.CodeRateLimited, RetryAfter: time.Minute, Err: footy.Errorf(footy.CodeRateLimited, "", "enough reels are being made")}
	res := s.post("/reel/match/5001", url.Values{})
	require.Equal(t, http.StatusTooManyRequests, res.StatusCode)
	require.NotEmpty(t, res.Header.Get("Retry-After"))

	alone := serve(t, with(nil))
	f := webtest.Match(5001, webtest.Team(40, "Liverpool"), webtest.Team(42, "Arsenal"), webtest.Noon.Add(-time.Hour), "1H", 50, 1, 0)
	webtest.Clip(webtest.Goal(&f, "home", "M. Salah", 12, 1, 0), "a", 1, true)
	alone.Add(f)
	require.Contains(t, webtest.Text(t, alone.Get("/reel/team/40/2026-11-14?tz=Europe/Berlin&length=90")), "it cannot be made here")
	require.Equal(t, http.StatusConflict, alone.post("/reel/match/5001", url.Values{}).StatusCode)
}
