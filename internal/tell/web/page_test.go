package web_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/clip/stats"
	"github.com/found-footy/found-footy/internal/decide/match/lifecycle"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/storetest"
	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/stream"
)

const salah = "5001_40_700_Goal_1"

// seeded is a server with the demo day and bytes that are no real video.
func seeded(t *testing.T) *testServer {
	t.Helper()
	s := newTestServer(t)
	s.DemoDay([]byte(strings.Repeat("0123456789", 1000)), []byte("poster"))
	return s
}

func TestDayPage(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	body := text(t, s.Get("/matches"))
	for _, want := range []string{"Saturday 14 November 2026", "Liverpool 2, Manchester City 1", "67&#39;", "(4)", "Postponed", "<small>Round 13</small>",
		"Scorer not known yet", "No clip was found. Why?", "Looking for the clip", ">17:30</time>", `href="/league/39"`} {
		require.Contains(t, body, want)
	}
	order := []string{`id="part-live"`, "Szoboszlai", "Mohamed Salah", `id="part-39"`, `id="part-140"`, `id="part-off"`}
	for i := 1; i < len(order); i++ {
		require.Less(t, strings.Index(body, order[i-1]), strings.Index(body, order[i]), "%s comes before %s", order[i-1], order[i])
	}
	require.Contains(t, text(t, s.Get(dayPath)), `id="part-live"`, "the address of the day goes on")
	require.Contains(t, text(t, s.Get("/?lang=de")), "Torschütze noch offen")
	require.Contains(t, text(t, s.Get("/matches?lang=de")), "<small>Spieltag 13</small>")
	require.NotContains(t, body, "style=", "the content policy forbids inline style")
	require.NotContains(t, body, "onclick")
}

// TestGoalsPage: what has a clip, newest first, each with what one does with it.
func TestGoalsPage(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	body := text(t, s.Get("/"))
	cards := regexp.MustCompile(`class="gcard[^"]*" id="g-([^"]*)"`).FindAllStringSubmatch(body, -1)
	var order []string
	for _, c := range cards {
		order = append(order, c[1])
	}
	require.Equal(t, []string{"5001-3", "5001-1", "5002-1"}, order)
	for _, want := range []string{"<title>Goals · ", "Manchester City 0, Liverpool scored", `data-act="share"`, `.mp4?download"`, "1 / 3", "unconfirmed", `<noscript>`, `preload="none"`,
		`id="strip"`, "Looking for the clip", "Play its goals", `/watch/2026-11-14?order=order&amp;match=5001`} {
		require.Contains(t, body, want)
	}
	require.NotContains(t, body, "style=", "the content policy forbids inline style")
	require.Equal(t, 5, strings.Count(body, `class="vcard"`), "spoiler-free, one for each match, goalless ones too")
	require.Contains(t, text(t, s.Get("/goals/2026-11-14")), `id="g-5001-3"`)
	require.Equal(t, http.StatusBadRequest, s.Get("/goals/tomorrow").StatusCode)
}

// TestADayWithoutMatchesLeadsToTheNext: with arrows one went through nothing.
func TestADayWithoutMatchesLeadsToTheNext(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	s.Add(match(7001, team(1, "Early"), team(2, "Bird"), noon.AddDate(0, 0, 3), "NS", 0, 0, 0))
	for path, to := range map[string]string{"/goals/2026-11-15": "/goals/2026-11-17", "/day/2026-11-15": "/day/2026-11-17"} {
		body := text(t, s.Get(path))
		require.Contains(t, body, "Next: Tuesday 17 November, 1 match.", path)
		require.Contains(t, body, `href="`+to+`">Go to Tuesday</a>`, path)
	}
	body := text(t, s.Get("/goals/2026-11-15"))
	require.Contains(t, body, "Last goals <small>Saturday 14 November</small>")
	require.Contains(t, body, `id="g-5001-3"`)
}

// TestACancelledGoalStandsStruckThroughUntilTheDayEnds, with its reason and without a picture.
func TestACancelledGoalStandsStruckThroughUntilTheDayEnds(t *testing.T) {
	t.Parallel()
	now := noon
	s := newTestServer(t, func(o *web.Options) { o.Now = func() time.Time { return now } })
	s.DemoDay([]byte("mp4"), []byte("jpg"))
	s.Update(5001, func(f *footy.Fixture) {
		e := f.Event("5001-1")
		e.Removed, e.RemovedReason, e.RemovedAt = true, footy.ReasonVAR, noon
	})
	body := text(t, s.Get(dayPath))
	require.Contains(t, body, "<s><bdi>Mohamed Salah</bdi></s>")
	require.Contains(t, body, "Cancelled by VAR")
	require.NotContains(t, body, "/p/5001-1/")
	require.NotContains(t, text(t, s.Get("/")), "Mohamed Salah")
	now = noon.AddDate(0, 0, 1)
	s.Hub.Publish(stream.EntityFixture, "5001")
	require.NotContains(t, text(t, s.Get(dayPath)), "Mohamed Salah")
}

// TestAMatchNobodyHeardOfSinceItsKickoffSaysSo: "Kick-off 06:13" would be wrong while it is played.
func TestAMatchNobodyHeardOfSinceItsKickoffSaysSo(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.Add(match(1, team(1, "Early"), team(2, "Bird"), noon.Add(-time.Hour), "NS", 0, 0, 0))
	s.Add(match(2, team(3, "Coming"), team(4, "Home"), noon.Add(time.Minute), "NS", 0, 0, 0))
	body := text(t, s.Get("/matches"))
	require.Regexp(t, `Late</span>\s*<time datetime="[^"]*">`+noon.Add(-time.Hour).Format("15:04"), body)
	require.Regexp(t, `data-late="Late">`+noon.Add(time.Minute).Format("15:04")+"<", body)
}

func TestDayPageInAnotherZoneHasItsOwnMidnight(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.Add(match(1, team(1, "Early"), team(2, "Bird"), time.Date(2026, 11, 14, 23, 30, 0, 0, time.UTC), "NS", 0, 0, 0))
	require.Contains(t, text(t, s.Get("/day/2026-11-14")), "Early")
	tokyo := text(t, s.Get("/day/2026-11-15", "Cookie", "tz=Asia/Tokyo"))
	require.Contains(t, tokyo, "Early")
	require.Contains(t, tokyo, "08:30")
	require.NotContains(t, text(t, s.Get("/day/2026-11-14?tz=Asia/Tokyo")), "Early")
	require.Contains(t, text(t, s.Get("/day/2026-11-14", "Cookie", "tz=Nowhere/Atall")), "Early", "an unknown zone is UTC")
	require.NotContains(t, text(t, s.Get("/day/2026-11-14", "Cookie", "tz=../../etc/passwd")), "root")
}

func TestBadAddressesAreNotFailures(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	for path, want := range map[string]int{"/day/tomorrow": 400, "/day/2026-02-30": 400, "/nope": 404, "/g/nope": 404, "/v/5001-1/nope.mp4": 404,
		"/v/5001-1/nope": 404, "/part/fixtures?ids=x": 400, "/part/fixtures": 400, "/logo/team/x": 404, "/feed/planet/3": 404, "/assets/x/nope.js": 404} {
		require.Equal(t, want, s.Get(path).StatusCode, path)
	}
}

func TestAWrongMethodIsNotAWrongAddress(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	for path, allow := range map[string]string{"/": "GET, HEAD", "/g/" + salah: "GET, HEAD", "/api/v1/dates": "GET, HEAD", "/health": "GET, HEAD"} {
		res := s.Do(http.MethodPost, path, nil)
		require.Equal(t, http.StatusMethodNotAllowed, res.StatusCode, path)
		require.Equal(t, allow, res.Header.Get("Allow"), path)
	}
	require.Equal(t, "POST", s.Get("/admin/login").Header.Get("Allow"))
	require.Contains(t, text(t, s.Do(http.MethodDelete, "/api/v1/dates", nil)), `"method_not_allowed"`)
	require.Equal(t, http.StatusNotFound, s.Do(http.MethodPost, "/nope", nil).StatusCode)
}

func TestPunctuationIsNothingToSearchFor(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	for _, q := range []string{"%3F%21", "...", "%3C%3E", "%27", "%E2%80%AE", "+-+"} {
		page := s.Get("/search?q=" + q)
		require.Equal(t, http.StatusOK, page.StatusCode)
		body := text(t, page)
		require.Contains(t, body, "There is no word in", q)
		require.NotContains(t, body, "Liverpool", q)
		require.Equal(t, http.StatusBadRequest, s.Get("/api/v1/search?q="+q).StatusCode, q)
		require.Equal(t, http.StatusBadRequest, s.Get("/api/v1/fixtures?q="+q).StatusCode, q)
	}
	require.Contains(t, text(t, s.Get("/search?q=%3Csalah%3E")), "Mohamed Salah", "punctuation around a word does not matter")
}

// Clips have names people can find on the page, copies were merged, and no key of our own shows.
func TestGoalPageSpeaksPlainly(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	f, err := s.Store.Fixture(t.Context(), 5001)
	require.NoError(t, err)
	for _, path := range []string{"/g/" + salah, "/g/5001_50_701_Goal_1"} {
		body := regexp.MustCompile(`&lt;iframe[^<]*`).ReplaceAllString(text(t, s.Get(path)), "")
		seen := regexp.MustCompile(`(?s)<[^>]*>`).ReplaceAllString(strings.ReplaceAll(body, "@lfc_fan", ""), " ")
		require.NotRegexp(t, `[a-z]_[a-z]|[0-9a-f]{16}`, seen, path)
		for _, c := range f.Events[0].Clips {
			require.NotContains(t, seen, c.ID)
		}
	}
	require.Contains(t, text(t, s.Get("/g/"+salah)), "same as clip 1")
}

func TestAGoalPageSaysWhatBrowsersMayNotPlay(t *testing.T) {
	t.Parallel()
	s, c, _ := oneClip(t)
	const words = "browsers may not play this file"
	require.NotContains(t, text(t, s.Get("/g/1_1_700_Goal_1")), words)
	s.Update(1, func(f *footy.Fixture) { f.Events[0].Clip(c.ID).Unplayed = true })
	require.Contains(t, text(t, s.Get("/g/1_1_700_Goal_1")), words)
}

func TestWhatHappensNextAndWhen(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	next := func(change func(*footy.Event)) string {
		s.Update(5003, func(f *footy.Fixture) { change(&f.Events[0]) })
		return text(t, s.Get("/g/5003_49_700_Goal_1"))
	}
	require.Contains(t, next(func(e *footy.Event) {
		e.CertainAt, e.LastSeen, e.Votes = time.Time{}, noon, []string{"a", "b"}
	}),
		"The feed is asked again about 16:20:30. The search starts once 1 more poll confirms the scorer")
	require.Contains(t, next(func(e *footy.Event) { e.CertainAt, e.Round.OpenedAt = noon, noon }), "Search 1 of 10 is about to start")
	s.Log(footy.Entry{Key: "q", FixtureID: 5003, EventUID: "5003-1", At: noon, Kind: footy.EntryQuery, Try: 1, Data: footy.Evidence{State: "login_required"}})
	require.Contains(t, next(func(e *footy.Event) { e.Round.Searches = 1 }), "Search 2 of 10 is due about 16:21:00; the last chance is 17:05:00.")
	require.Contains(t, next(func(e *footy.Event) {
		e.Round.Blocked = footy.Blocked{Since: noon.Add(-10 * time.Minute), By: "login_required"}
	}),
		"Nobody can search since 16:10:00: X wants a login, and an operator must log in (Health says how). This time does not count against the search: once it can go on, 55 min are left.")
	require.Contains(t, text(t, s.Get("/g/5003_49_700_Goal_1")), `<b>Cannot search now</b>`)
	require.Contains(t, next(func(e *footy.Event) {
		e.Round.Blocked = footy.Blocked{Since: noon.Add(-10 * time.Hour), By: "unreachable"}
	}),
		"the search service does not answer. Up to 6 h of such time do not count against the search; it ends at 23:05:00.")
	require.Contains(t, next(func(e *footy.Event) {
		e.Round.Blocked, e.HappenedAt = footy.Blocked{}, e.FirstSeen.Add(-20*time.Minute)
	}), "Search 2 of 10 is due", "its clock stood still while we watched")
	require.NotContains(t, text(t, s.Get("/matches")), "happened before we looked")
	require.NotContains(t, next(func(e *footy.Event) { e.CaughtUp = true }), "before we looked", "twenty minutes between two looks are their pace")
	require.NotContains(t, text(t, s.Get("/matches")), "happened before we looked")
	require.Contains(t, next(func(e *footy.Event) { e.FirstLook = true }),
		"This goal happened before we looked: it was first seen at 16:01, about 20 min after it was scored. Posts from 15:38 on are searched. "+
			"The feed and posts were not checked in between: corrections and deletions are not known.")
	require.Contains(t, text(t, s.Get("/matches")), "happened before we looked; posts from 15:38 on")
	require.Contains(t, next(func(e *footy.Event) { e.Round.EndedAt = noon }), "the last posts are being checked")
	require.Contains(t, next(func(e *footy.Event) { e.DownloadComplete, e.Round.End = true, footy.ReasonWindowOver }), "Nothing more: the time for searching was over.")
	for i, id := range []string{"1", "2"} {
		require.NoError(t, s.Store.AddPosts(t.Context(), []footy.Post{{EventUID: "5003-1", PostID: id, FixtureID: 5003, State: footy.PostWaiting, Reason: []footy.Reason{footy.ReasonModelBlind, footy.ReasonStorage}[i], WaitingSince: noon, NextTry: noon.Add(time.Minute)}}))
	}
	page := text(t, s.Get("/g/5003_49_700_Goal_1"))
	require.Contains(t, page, "2 posts wait: 1 for a model that can see pictures, 1 for the clip storage; the next try is at 16:21:00. Nothing is lost by waiting; Health says what to do.")
	require.Contains(t, page, `<b>2 posts wait</b>`, "nothing is done while posts wait")
}

func TestGoalPageTellsTheStoryFromTheLog(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	body := text(t, s.Get("/g/5001_50_701_Goal_1"))
	for _, want := range []string{"Why no clip?", "2 searches found 4 posts, none of which shows this goal for certain: 2 were portrait or square",
		"1 more search could not look", "clock 52:10, reported at 45&#43;2&#39;", "First seen", "Missing from the answer (1 of 3)", "Certain"} {
		require.Contains(t, body, want)
	}
	for _, why := range []string{"portrait", "wrong_minute", "screen"} {
		require.Contains(t, body, `data-reason="`+why+`"`)
	}
	found := text(t, s.Get("/g/"+salah))
	require.Contains(t, found, "Why this clip")
	require.Contains(t, found, "2 of 3 posts found show this goal")
	require.NotContains(t, found, "Why no clip")
}

func TestWhatOthersWroteIsEscaped(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	const evil = `<script>alert("x")</script>`
	f := match(9, team(1, evil), team(2, "O'Neil & \u202eSons"), noon, "1H", 5, 1, 0)
	f.League.Name = `"><img src=x onerror=alert(1)>`
	e := goal(&f, footy.SideHome, evil, 5, 1, 0)
	c := clip(e, "a", 1, true)
	e.Clips[0].Evidence, e.Clips[0].SourceURL = evil, "javascript:alert(1)"
	s.Add(f)
	row := footy.Entry{FixtureID: f.ID, EventUID: e.UID, At: e.FirstSeen}
	query, found := row, row
	query.Key, query.Kind, query.Data = "q", footy.EntryQuery, footy.Evidence{Query: evil, State: "results", Found: 1, Calls: 1, Round: 1}
	found.Key, found.Kind, found.PostID, found.Data = "p", footy.EntryCandidate, "1857000000000000009", footy.Evidence{URL: "javascript:alert(2)", Author: evil, PostText: evil + "\u202e"}
	s.Log(query, found)
	for _, path := range []string{"/", "/g/" + e.ID, "/search?q=" + "%3Cscript%3E", "/embed/" + e.ID, "/feed.xml", "/part/fixtures?ids=9"} {
		body := text(t, s.Get(path))
		require.NotContains(t, body, "<script>alert", path)
		require.NotContains(t, body, "<img src=x", path)
		require.NotContains(t, body, `href="javascript:`, path)
	}
	api := text(t, s.Get("/api/v1/events/"+e.ID))
	require.NotContains(t, api, "<script>")
	require.NotContains(t, api, `"source_url":"javascript`)
	require.Contains(t, text(t, s.Get("/g/"+e.ID)), "<bdi>O&#39;Neil &amp; \u202eSons</bdi>", "a name that turns the writing direction stays in its own box")
	_ = c
}

func TestAMatchsPageTellsItsLife(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	require.NotContains(t, text(t, s.Get("/match/5001")), "How this match was followed")
	at := time.Date(2026, 11, 14, 14, 30, 0, 0, time.UTC)
	row := func(kind footy.EntryKind, why footy.Reason, data footy.Evidence) footy.Entry {
		at = at.Add(time.Minute)
		return footy.Entry{Key: "5003/" + string(kind) + string(why), FixtureID: 5003, At: at, Kind: kind, Reason: why, Data: data}
	}
	s.Log(row(footy.EntryActivated, lifecycle.ReasonPreActivation, footy.Evidence{}), row(footy.EntryRescheduled, lifecycle.ReasonDelayed, footy.Evidence{Kickoff: at}),
		row(footy.EntryRescheduled, lifecycle.ReasonNewDate, footy.Evidence{Kickoff: at.AddDate(0, 0, 7)}), row(footy.EntryPollFailed, "", footy.Evidence{Why: "http://10.0.0.7/key"}),
		row(footy.EntryOver, "", footy.Evidence{Status: "FT", Open: 2, Unlisted: 1}), row(footy.EntryCompleted, lifecycle.ReasonGraceOver, footy.Evidence{Status: "FT", Open: 2}))
	page, from := text(t, s.Get("/match/5003?tz=UTC")), 0
	for _, want := range []string{"How this match was followed", "Sat 14:31:00</time> <b>Match followed</b> Kickoff is near", "<b>Kickoff moved</b> Delayed: kickoff is at 14:3", "<b>Kickoff moved</b> The match has a new date: 21 November 2026",
		"<b>Poll failed</b> The feed gave no answer to trust", "<b>Over</b> The match is over (FT). For an hour at most these keep it active: events that are not complete: 2, goals the feed has not listed: 1.",
		"<b>Complete</b> The match is over (FT); the grace ended with open searches: 2"} {
		found := strings.Index(page[from:], want)
		require.GreaterOrEqual(t, found, 0, "%s, in order: %s", want, page[from:])
		from += found
	}
	require.NotContains(t, page, "10.0.0.7")
}

func TestAMatchHasItsPage(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	page := text(t, s.Get("/match/5001"))
	for _, want := range []string{"<h1 class=\"sr\" id=\"match\">Liverpool v Manchester City</h1>", `href="/watch/2026-11-14?match=5001&amp;order=order"`, `href="/g/` + salah + `"`, "No clip was found. Why?", "Anfield, Liverpool", `class="fav" data-team="40"`} {
		require.Contains(t, page, want)
	}
	require.Contains(t, text(t, s.Get("/g/"+salah)), `href="/match/5001"`)
	require.Contains(t, text(t, s.Get(dayPath)), `href="/match/5003"`)
	require.Contains(t, text(t, s.Get("/match/5004")), "No goal yet.")
	for _, none := range []string{"/match/1", "/match/x", "/match/-5"} {
		require.Equal(t, http.StatusNotFound, s.Get(none).StatusCode, none)
	}
	s.Update(5001, func(f *footy.Fixture) {
		e := f.Event("5001-3")
		e.Removed, e.RemovedReason, e.ScoreBefore = true, footy.ReasonVAR, footy.ScoreOf(1, 1)
	})
	require.Contains(t, text(t, s.Get("/match/5001")), "Cancelled by VAR", "it stays, with its reason")
	require.Contains(t, text(t, s.Get("/g/"+szoboszlai)), "The score stayed 1–1.")
}

func TestRenamedGoalsRedirect(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	s.Update(5001, func(f *footy.Fixture) {
		e := f.Event("5001-1")
		e.MatchedFrom, e.ID = []string{e.ID}, "5001_40_999_Goal_1"
	})
	res := s.Get("/g/" + salah + "?v=abc")
	require.Equal(t, http.StatusPermanentRedirect, res.StatusCode)
	require.Equal(t, "/g/5001_40_999_Goal_1?v=abc", res.Header.Get("Location"))
	require.Equal(t, http.StatusPermanentRedirect, s.Get("/g/5001-1").StatusCode, "the uid is an address too")
	require.Equal(t, http.StatusOK, s.Get("/g/5001_40_999_Goal_1").StatusCode)
	require.Equal(t, http.StatusOK, s.Get("/api/v1/events/"+salah).StatusCode)
}

func TestRemovedGoalsAreGoneAndSayWhy(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	f, err := s.Store.Fixture(context.Background(), 5001)
	require.NoError(t, err)
	c := f.Events[0].Clips[0]
	s.Update(5001, func(f *footy.Fixture) {
		e := f.Event("5001-1")
		e.Removed, e.RemovedReason, e.RemovedAt = true, footy.ReasonVAR, noon
	})
	for _, path := range []string{"/g/" + salah, footy.ClipPath("5001-1", c.ID, ""), footy.PosterPath("5001-1", c.ID), "/embed/" + salah, "/api/v1/events/" + salah} {
		require.Equal(t, http.StatusGone, s.Get(path).StatusCode, path)
	}
	page := text(t, s.Get("/g/"+salah))
	for _, want := range []string{"This goal no longer stands", "Cancelled by VAR", "If the goal is reinstated", "How it was seen", "Missing from the answer (1 of 3)", "Search 1"} {
		require.Contains(t, page, want, "it stays told how it came and went")
	}
	for _, gone := range []string{`id="inline"`, "/v/5001-1/", "/p/5001-1/", "og:video"} {
		require.NotContains(t, page, gone)
	}
	require.NotContains(t, text(t, s.Get("/")), "Mohamed Salah", "hidden at once")
	var body struct{ Error struct{ Code, Reason string } }
	require.NoError(t, json.Unmarshal([]byte(text(t, s.Get("/api/v1/events/"+salah))), &body))
	require.Equal(t, "gone", body.Error.Code)
	require.Equal(t, "var", body.Error.Reason)
}

func TestClipsStreamInRanges(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	f, err := s.Store.Fixture(context.Background(), 5001)
	require.NoError(t, err)
	path := footy.ClipPath("5001-1", f.Events[0].Clips[0].ID, "")
	res := s.Get(path, "Range", "bytes=5-14")
	require.Equal(t, http.StatusPartialContent, res.StatusCode)
	require.Equal(t, "bytes 5-14/10000", res.Header.Get("Content-Range"))
	require.Equal(t, "5678901234", text(t, res))
	require.Equal(t, "video/mp4", res.Header.Get("Content-Type"))
	require.Equal(t, http.StatusRequestedRangeNotSatisfiable, s.Get(path, "Range", "bytes=20000-").StatusCode)
	require.Equal(t, http.StatusNotModified, s.Get(path, "If-None-Match", res.Header.Get("ETag")).StatusCode)
	head := s.Do(http.MethodHead, path, nil)
	require.Equal(t, "10000", head.Header.Get("Content-Length"))
	require.Contains(t, s.Get(path+"?download").Header.Get("Content-Disposition"), `filename="2026-11-14 Liverpool 1-0 Manchester City - Mohamed Salah`)
}

// TestHeadIsGetWithoutABody: of the live stream, it held the connection for good.
func TestHeadIsGetWithoutABody(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	f, err := s.Store.Fixture(context.Background(), 5001)
	require.NoError(t, err)
	fill := strings.NewReplacer("{$}", "", "{date}", "2026-11-14", "{event}", "5001-1", "{clip}", f.Events[0].Clips[0].ID+".mp4", "/{id}", "/39", "{kind}", "league")
	for _, pattern := range web.Gets(s.Web) {
		path := fill.Replace(pattern)
		ctx, leave := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.HTTP.URL+path, nil)
		require.NoError(t, err)
		get, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		leave() // of the live stream
		_ = get.Body.Close()
		head := s.Do(http.MethodHead, path, nil)
		require.Equal(t, get.StatusCode, head.StatusCode, path)
		require.Empty(t, text(t, head), path)
		for _, name := range []string{"Content-Type", "Accept-Ranges", "Location", "Cache-Control"} {
			require.Equal(t, get.Header.Get(name), head.Header.Get(name), "%s of %s", name, path)
		}
	}
	require.Eventually(t, func() bool { return s.Hub.Readers() == 0 }, 10*time.Second, 10*time.Millisecond, "no stream is left open")
}

func TestRetiredClipsLeadToTheirWinner(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	var first, second, third string
	s.Update(5001, func(f *footy.Fixture) {
		e := f.Event("5001-1")
		first, second, third = e.Clips[0].ID, e.Clips[1].ID, e.Clips[2].ID
		e.Clips[2].ReplacedBy, e.Clips[2].Swept = second, true
		e.Clips[1].ReplacedBy = first
		e.Redirects = map[string]string{"00000000000000aa": third, "00000000000000bb": "00000000000000cc", "00000000000000cc": "00000000000000bb"}
	})
	for _, old := range []string{second, third, "00000000000000aa"} {
		res := s.Get(footy.ClipPath("5001-1", old, ""))
		require.Equal(t, http.StatusFound, res.StatusCode)
		require.Equal(t, footy.ClipPath("5001-1", first, ""), res.Header.Get("Location"))
		res = s.Get("/g/" + salah + "?v=" + old)
		require.Equal(t, http.StatusFound, res.StatusCode)
		require.Equal(t, "/g/"+salah+"?v="+first, res.Header.Get("Location"))
	}
	require.Equal(t, http.StatusGone, s.Get(footy.ClipPath("5001-1", "00000000000000bb", "")).StatusCode, "a circle ends")
	s.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").Clips[0].Hidden = true })
	require.Equal(t, http.StatusGone, s.Get(footy.ClipPath("5001-1", second, "")).StatusCode, "an operator's choice holds for what led to it")
}

// broken is a store whose reads fail.
type storeDown struct{ store.Store }

var errDown = footy.Errorf(footy.CodeUnavailable, "read", "the secret address 10.1.2.3 refuses")

func (storeDown) List(context.Context, store.FixtureQuery) ([]footy.Fixture, error) {
	return nil, errDown
}
func (storeDown) FixtureOfEvent(context.Context, string) (footy.Fixture, error) {
	return footy.Fixture{}, errDown
}
func (storeDown) Ping(context.Context) error { return errDown }

func TestACouldNotLookIsNeverAnEmptyPage(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.Store = storeDown{} })
	for _, path := range []string{"/", "/g/x", "/search?q=a", "/v/x/y.mp4", "/api/v1/fixtures", "/api/v1/events/x", "/api/v1/dates", "/feed.xml", "/readyz"} {
		res := s.Get(path)
		require.Equal(t, http.StatusServiceUnavailable, res.StatusCode, path)
		require.NotContains(t, text(t, res), "10.1.2.3", "our own failures are for the log")
	}
	require.Equal(t, http.StatusOK, s.Get("/healthz").StatusCode)
	page := text(t, s.Get("/health"))
	require.Contains(t, page, "Something is down")
	require.Contains(t, page, "database")
}

// unreadable is a store in which what is asked for is damaged.
type damagedStore struct{ store.Store }

func (damagedStore) FixtureOfEvent(context.Context, string) (footy.Fixture, error) {
	return footy.Fixture{}, footy.Errorf(footy.CodeInvalid, "find event", "decode 5000: secret (%w)", store.ErrDamaged)
}

func TestADamagedMatchIsNoWrongQuestion(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.Store = damagedStore{} })
	for _, path := range []string{"/g/x", "/v/x/y.mp4", "/api/v1/events/x"} {
		res := s.Get(path)
		require.Equal(t, http.StatusInternalServerError, res.StatusCode, path)
		body := text(t, res)
		require.NotContains(t, body, "secret", path)
		require.Contains(t, body, "damaged", path)
	}
}

func TestEveryAnswerCarriesItsHeaders(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	for _, path := range []string{"/", "/g/" + salah, "/nope", "/api/v1/dates", "/healthz"} {
		h := s.Get(path).Header
		require.Contains(t, h.Get("Content-Security-Policy"), "script-src 'self'", path)
		require.NotContains(t, h.Get("Content-Security-Policy"), "unsafe", path)
		require.Contains(t, h.Get("Content-Security-Policy"), "frame-ancestors 'none'", path)
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"), path)
	}
	require.Contains(t, s.Get("/embed/"+salah).Header.Get("Content-Security-Policy"), "frame-ancestors *")
	require.Contains(t, s.Get("/logo/team/40").Header.Get("Content-Security-Policy"), "sandbox")
}

func TestPagesAreCompressedAndAskedForCheaply(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	res := s.Do(http.MethodGet, "/", nil, "Accept-Encoding", "gzip")
	require.Equal(t, "gzip", res.Header.Get("Content-Encoding"))
	tag := res.Header.Get("ETag")
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Less(t, len(body), 20_000)
	require.Equal(t, http.StatusNotModified, s.Do(http.MethodGet, "/", nil, "Accept-Encoding", "gzip", "If-None-Match", tag).StatusCode)
	s.Update(5001, func(f *footy.Fixture) { f.Score = footy.ScoreOf(3, 1) })
	require.Equal(t, http.StatusOK, s.Do(http.MethodGet, "/", nil, "Accept-Encoding", "gzip", "If-None-Match", tag).StatusCode, "a note makes the page fresh at once")
	require.Empty(t, s.Do(http.MethodGet, "/", nil, "Accept-Encoding", "gzip;q=0").Header.Get("Content-Encoding"))
}

// The whole front page, with everything it loads but media and badges, must stay light.
func TestPageWeight(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	total := 0
	weigh := func(path string) string {
		res := s.Do(http.MethodGet, path, nil, "Accept-Encoding", "gzip")
		require.Equal(t, http.StatusOK, res.StatusCode, path)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		total += len(body)
		return path
	}
	weigh("/")
	page := text(t, s.Get("/"))
	for part := range strings.SplitSeq(page, `"`) {
		if strings.HasPrefix(part, "/assets/") && strings.Contains(part, ".") {
			weigh(part)
		}
	}
	require.Greater(t, total, 10_000)
	require.Less(t, total, 60_000)

	s.crowd()
	s.Hub.Publish(stream.EntityAll)
	require.Contains(t, text(t, s.Get(dayPath)), "Home Town 199")
	total = 0
	weigh(dayPath)
	for part := range strings.SplitSeq(page, `"`) {
		if strings.HasPrefix(part, "/assets/") && strings.Contains(part, ".") {
			weigh(part)
		}
	}
	t.Logf("a day of 205 matches: %d bytes", total)
	require.Less(t, total, 150_000, "with 200 matches more")
}

// Names that programs use stay in the API.
func TestHealthSpeaksPlainly(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.Health = sickHealth{} })
	s.DemoDay([]byte("mp4"), []byte("jpg"))
	s.Fortnight()
	body := text(t, s.Get("/health", "Cookie", s.signIn()))
	for _, want := range []string{"Vision model", "Start the model server", "down", "74,844", "calls left today", "12 s ago", "52 GB", "not set up", "in the 14 days before", "Goals with a verified clip", "today"} {
		require.Contains(t, body, want)
	}
	require.Less(t, strings.Index(body, "Vision model"), strings.Index(body, "Finding posts"), "what hurts most comes first")
	require.NotContains(t, body, "the objective is")
	seen := regexp.MustCompile(`(?s)<[^>]*>`).ReplaceAllString(strings.ReplaceAll(body, "NOTIFY_URLS", ""), " ")
	require.NotRegexp(t, `[a-z]_[a-z]`, seen)
	require.Contains(t, text(t, s.Get("/api/v1/health", "Authorization", "Bearer "+adminToken)), "calls_left_today")
}

func TestHealthSaysHowTheObjectiveFares(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.Objective = stats.Objective{Share: 0.9, Within: 5 * time.Minute} })
	require.Contains(t, text(t, s.Get("/health")), "90 % of the goals should have a verified clip within 5 min; no goal of the last 7 days is that old yet.")
	goal := func(uid string, clips ...footy.Clip) footy.Event {
		return footy.Event{UID: uid, ID: "9_1_1_Goal_" + uid, Kind: footy.KindGoal, FirstSeen: noon.Add(-time.Hour), Clips: clips}
	}
	seen := newTestServer(t, func(o *web.Options) { o.Objective = stats.Objective{Share: 0.9, Within: 5 * time.Minute} })
	seen.Add(footy.Fixture{ID: 9, Stage: footy.StageActive, Match: footy.Match{ID: 9, Kickoff: noon.Add(-2 * time.Hour)},
		Events: []footy.Event{goal("1", footy.Clip{ID: "a", Verified: true, AddedAt: noon.Add(-57 * time.Minute)}), goal("2", footy.Clip{ID: "b", Verified: true, AddedAt: noon}), goal("3")}})
	require.Contains(t, text(t, seen.Get("/health")), "In the last 7 days 33 % of 3 goals had a verified clip within 5 min; the objective is 90 %.")
}

// firstClip logs the way of a goal to its first clip.
func (s *testServer) firstClip(uid string, at time.Time, stages map[string]float64) {
	s.T.Helper()
	s.Log(footy.Entry{Key: footy.FirstClipKey(uid), FixtureID: 5001, EventUID: uid, At: at, Kind: footy.EntryFirstClip, Data: footy.Evidence{Stages: stages}})
}

func TestWhereTheTimeToTheFirstClipWent(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	const question = "Where the seconds went"
	require.NotContains(t, text(t, s.Get("/g/"+salah)), question)
	require.NotContains(t, text(t, s.Get("/health")), "From first seen to the first clip")
	require.NotContains(t, decode(t, s.Get("/api/v1/events/"+salah)), "first_clip")
	require.Empty(t, decode(t, s.Get("/api/v1/coverage"))["first_clip"])

	s = seeded(t)
	s.firstClip("5001-1", noon, map[string]float64{"told": 34, "certain": 31, "search": 8, "publish": 1.25})
	page := text(t, s.Get("/g/"+salah))
	for _, want := range []string{question, "<small>On this page 40 s after it was reported</small>", "<dt>Scored, then reported</dt><dd>34.0 s</dd>",
		"<dt>Reported, then confirmed</dt><dd>31.0 s</dd>", "<dt>Found by a search</dt><dd>8.0 s</dd>", "<dt>Put on this page</dt><dd>1.2 s</dd>", "Reported 15:12:00, on this page 15:12:40."} {
		require.Contains(t, page, want)
	}
	first := decode(t, s.Get("/api/v1/events/"+salah))["first_clip"].(map[string]any)
	require.InDelta(t, 74.25, first["seconds"], 0.001)
	require.Equal(t, map[string]any{"stage": "told", "words": "until the feed told it", "seconds": 34.0}, first["stages"].([]any)[0])
	require.Len(t, first["stages"], 4)

	s.firstClip("5001-3", noon.AddDate(0, 0, -8), map[string]float64{"certain": 500}) // too long ago
	health := text(t, s.Get("/health"))
	require.Contains(t, health, "From first seen to the first clip, 1 goal of the last 7 days")
	require.Contains(t, health, `<th scope="row">From first seen to the clip</th><td>40 s</td><td>40 s</td>`)
	require.Contains(t, health, `<th scope="row">Before it was first seen: until the feed told it</th><td>34 s</td><td>34 s</td>`)
	figures := decode(t, s.Get("/api/v1/coverage"))["first_clip"].([]any)
	require.Equal(t, map[string]any{"stage": "own", "words": "of this, our own part", "goals": 1.0, "median_s": 9.25, "p90_s": 9.25}, figures[1])

	s.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").Removed = true })
	require.NotContains(t, text(t, s.Get("/g/"+salah)), question)
	require.NotContains(t, text(t, s.Get("/health")), "From first seen to the first clip", "a goal that no longer stands does not count")
}

// What was refused is shown too; what was taken down, or belongs to a goal that no longer stands, is not.
func TestPicturesOfRefusedPosts(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	const post = "1857000000000000002"
	digest := strings.Repeat("ab", 32)
	s.Put(blob.StillKey("5001-1", digest), "image/jpeg", []byte("still"))
	row := footy.Entry{Key: "still", FixtureID: 5001, EventUID: "5001-1", At: noon, Kind: footy.EntryRejected, Reason: footy.ReasonNotSoccer, PostID: post,
		ClipID: footy.ClipID(digest), Data: footy.Evidence{PosterKey: blob.StillKey("5001-1", digest)}}
	s.Log(row)
	storetest.ChangePost(t, s.Store, "5001-1", post, func(p *footy.Post) { p.Media = &footy.Media{Digest: digest} })
	path := "/p/5001-1/post/" + post + ".jpg"
	require.Contains(t, text(t, s.Get("/g/"+salah)), path)
	require.Equal(t, "still", text(t, s.Get(path)))
	require.Equal(t, http.StatusNotFound, s.Get("/p/5001-1/post/1.jpg").StatusCode)
	s.Update(5001, func(f *footy.Fixture) {
		f.Event("5001-1").Clips = append(f.Event("5001-1").Clips, footy.Clip{ID: footy.ClipID(digest), Hidden: true, Swept: true})
	})
	require.Equal(t, http.StatusNotFound, s.Get(path).StatusCode, "taken down")
	require.NotContains(t, text(t, s.Get("/g/"+salah)), path)
	s.Update(5001, func(f *footy.Fixture) { f.Event("5001-1").Removed = true })
	require.Equal(t, http.StatusGone, s.Get(path).StatusCode)
	require.NotContains(t, text(t, s.Get("/g/"+salah)), path)
}
