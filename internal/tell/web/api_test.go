package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web"
)

func decode(t *testing.T, res *http.Response) map[string]any {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(text(t, res)), &v))
	return v
}

// TestOpenAPIMatchesTheHandlers holds both sides to the document: every route is in it and nothing else, and every
// answer has exactly the documented fields.
func TestOpenAPIMatchesTheHandlers(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.Health = sickHealth{} })
	s.DemoDay([]byte("mp4"), []byte("jpg"))
	s.wait("5001-3", "31", footy.ReasonStorage, time.Minute, "no answer")
	s.firstClip("5001-1", noon, map[string]float64{"certain": 31})
	doc := decode(t, s.Get("/api/v1/openapi.json"))
	var documented []string
	for path, methods := range doc["paths"].(map[string]any) {
		for m := range methods.(map[string]any) {
			documented = append(documented, strings.ToUpper(m)+" "+path)
		}
	}
	slices.Sort(documented)
	require.Equal(t, web.APIRoutes(s.Web), documented)

	v := validator{t: t, schemas: doc["components"].(map[string]any)["schemas"].(map[string]any)}
	for path, schema := range map[string]string{
		"/api/v1/dates": "Dates", "/api/v1/summary": "Summary", "/api/v1/fixtures?date=2026-11-14": "Fixtures", "/api/v1/fixtures?limit=1": "Fixtures", "/api/v1/fixtures/5001": "Fixture",
		"/api/v1/events/" + salah: "EventDetail", "/api/v1/events/5001_50_701_Goal_1": "EventDetail", "/api/v1/videos": "Videos", "/api/v1/search?q=salah": "Search",
		"/api/v1/coverage": "Coverage", "/api/v1/health": "Health", "/api/v1/waiting": "Waiting",
	} {
		res := s.Get(path)
		require.Equal(t, http.StatusOK, res.StatusCode, path)
		v.check(path, decode(t, res), map[string]any{"$ref": "#/components/schemas/" + schema})
	}
	v.check("operators", decode(t, s.Get("/api/v1/waiting", "Authorization", "Bearer "+adminToken)), map[string]any{"$ref": "#/components/schemas/Waiting"})
	for _, path := range []string{"/api/v1/fixtures/1", "/api/v1/fixtures?stage=x", "/api/v1/events/none", "/api/v1/nothing", "/api/v1/search"} {
		v.check(path, decode(t, s.Get(path)), map[string]any{"$ref": "#/components/schemas/Error"})
	}
}

// validator knows as much of JSON Schema as the document uses.
type validator struct {
	t       *testing.T
	schemas map[string]any
}

func (v validator) check(where string, value any, schema map[string]any) {
	v.t.Helper()
	if ref, ok := schema["$ref"].(string); ok {
		named, ok := v.schemas[ref[strings.LastIndexByte(ref, '/')+1:]].(map[string]any)
		require.True(v.t, ok, "%s: %s is not defined", where, ref)
		v.check(where, value, named)
		return
	}
	types, ok := schema["type"].([]any)
	if !ok {
		types = []any{schema["type"]}
	}
	require.Contains(v.t, types, kindOf(value, types), "%s is %v", where, value)
	if enum, ok := schema["enum"].([]any); ok {
		require.Contains(v.t, enum, value, where)
	}
	switch x := value.(type) {
	case []any:
		for i, e := range x {
			v.check(fmt.Sprintf("%s[%d]", where, i), e, schema["items"].(map[string]any))
		}
	case map[string]any:
		props, ok := schema["properties"].(map[string]any)
		if !ok {
			return
		}
		for _, name := range schema["required"].([]any) {
			require.Contains(v.t, x, name, where)
		}
		for name, e := range x {
			if props[name] == nil && schema["additionalProperties"] == true {
				continue
			}
			require.Contains(v.t, props, name, "%s has an undocumented field", where)
			v.check(where+"."+name, e, props[name].(map[string]any))
		}
	}
	if schema["format"] == "date-time" {
		_, err := time.Parse(time.RFC3339, value.(string))
		require.NoError(v.t, err, where)
	}
}

func kindOf(value any, wanted []any) any {
	switch x := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case float64:
		if x == float64(int64(x)) && slices.Contains(wanted, any("integer")) {
			return "integer"
		}
		return "number"
	}
	return "object"
}

func TestFixtureFilters(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	ids := func(query string) []int {
		out := []int{}
		for _, f := range decode(t, s.Get("/api/v1/fixtures?"+query))["fixtures"].([]any) {
			out = append(out, int(f.(map[string]any)["id"].(float64)))
		}
		return out
	}
	require.Equal(t, []int{5002, 5001, 5005, 5003, 5004}, ids("date=2026-11-14"), "by kickoff, then id")
	require.Equal(t, []int{5001, 5003}, ids("phase=live"))
	require.Equal(t, []int{5004}, ids("stage=staging"))
	require.Equal(t, []int{5001}, ids("team=50"))
	require.Equal(t, []int{5002}, ids("league=140"))
	require.Equal(t, []int{5001}, ids("q=salah"))
	require.Equal(t, []int{}, ids("date=2026-11-13"))
	for _, bad := range []string{"stage=soon", "team=x", "phase=x", "limit=0", "limit=501", "limit=x", "cursor=x", "cursor=MQ", "date=x", "q=" + strings.Repeat("a", 201)} {
		require.Equal(t, http.StatusBadRequest, s.Get("/api/v1/fixtures?"+bad).StatusCode, bad)
	}
}

func TestPagesOfTheListJoinWithoutGapOrOverlap(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for i := range 23 { // many share a kickoff: the cursor must not lose the rest of them
		s.Add(match(int64(100+i), team(1, "A"), team(2, "B"), noon.Add(time.Duration(i/10)*time.Hour), "NS", 0, 0, 0))
	}
	var got []int
	next := ""
	for range 10 {
		body := decode(t, s.Get("/api/v1/fixtures?limit=4&cursor="+next))
		for _, f := range body["fixtures"].([]any) {
			got = append(got, int(f.(map[string]any)["id"].(float64)))
		}
		if body["next_cursor"] == nil {
			break
		}
		next = body["next_cursor"].(string)
	}
	require.Len(t, got, 23)
	require.True(t, slices.IsSorted(got), got)
}

func TestPagesOfClipsAndSearchesJoin(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	s.Fortnight()
	walk := func(path, list, key string) (got []string) {
		for next := ""; ; {
			body := decode(t, s.Get(path+"&cursor="+next))
			for _, x := range body[list].([]any) {
				got = append(got, fmt.Sprint(x.(map[string]any)[key]))
			}
			if body["next_cursor"] == nil {
				return got
			}
			next = body["next_cursor"].(string)
		}
	}
	all := walk("/api/v1/videos?limit=500", "videos", "url")
	require.Greater(t, len(all), 20)
	require.Equal(t, all, walk("/api/v1/videos?limit=4", "videos", "url"))
	require.Len(t, walk("/api/v1/search?q=liverpool&limit=4", "fixtures", "id"), 15)
	require.Equal(t, walk("/api/v1/search?q=liverpool", "fixtures", "id"), walk("/api/v1/search?q=liverpool&limit=4", "fixtures", "id"))
	require.Equal(t, http.StatusBadRequest, s.Get("/api/v1/search?q=a&cursor=x").StatusCode)
	require.Equal(t, http.StatusBadRequest, s.Get("/search?q=a&cursor=x").StatusCode)
	require.Empty(t, walk("/api/v1/videos?stage=staging", "videos", "url"))
}

func TestVideosAreNewestFirst(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	videos := decode(t, s.Get("/api/v1/videos"))["videos"].([]any)
	require.Len(t, videos, 5)
	require.Equal(t, "Dominik Szoboszlai", videos[0].(map[string]any)["scorer"])
	require.Len(t, decode(t, s.Get("/api/v1/videos?verified=true"))["videos"], 3)
	require.Len(t, decode(t, s.Get("/api/v1/videos?league=140"))["videos"], 1)
	require.Len(t, decode(t, s.Get("/api/v1/videos?limit=2"))["videos"], 2)
}

func TestShareLinks(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(o *web.Options) { o.BaseURL = "https://footy.example/" })
	s.DemoDay([]byte("mp4"), []byte("jpg"))
	page := text(t, s.Get("/g/"+salah))
	require.Contains(t, page, `<meta property="og:image" content="https://footy.example/p/5001-1/`)
	require.Contains(t, page, `<meta property="og:video" content="https://footy.example/v/5001-1/`)
	require.Contains(t, page, `<meta name="twitter:card" content="summary_large_image">`)
	require.Contains(t, page, `type="application/json+oembed"`)
	o := decode(t, s.Get("/oembed?url=https://footy.example/g/"+salah+"&maxwidth=320"))
	require.Equal(t, "video", o["type"])
	require.EqualValues(t, 320, o["width"])
	require.EqualValues(t, 180, o["height"])
	require.Contains(t, o["html"], `<iframe src="https://footy.example/embed/`+salah+`?v=`)
	require.Equal(t, "link", decode(t, s.Get("/oembed?url=https://footy.example/g/5001_50_701_Goal_1"))["type"], "a goal without a clip is a link")
	require.Equal(t, http.StatusBadRequest, s.Get("/oembed?url=https://evil.example/g/"+salah).StatusCode)
	require.Equal(t, http.StatusNotImplemented, s.Get("/oembed?format=xml&url=x").StatusCode)
	require.Contains(t, text(t, s.Get("/embed/"+salah)), "<video")

	s.Update(5001, func(f *footy.Fixture) { f.Event(salah).Player.Name = `"><script>alert(1)</script>` })
	framed := decode(t, s.Get("/oembed?url=https://footy.example/g/"+salah))["html"]
	require.Contains(t, framed, "alert(1)", "it names the scorer")
	require.NotContains(t, framed, "<script", "the feed's names are no markup")
}

func TestFeeds(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	all := text(t, s.Get("/feed.xml"))
	require.Equal(t, 3, strings.Count(all, "<item>"), "only goals with a clip")
	require.Less(t, strings.Index(all, "Szoboszlai"), strings.Index(all, "Salah"), "newest first")
	require.Contains(t, all, `type="video/mp4"`)
	city := text(t, s.Get("/feed/team/50.xml"))
	require.Equal(t, 2, strings.Count(city, "<item>"))
	require.Contains(t, city, "Manchester City")
	require.Equal(t, 1, strings.Count(text(t, s.Get("/feed/league/140.xml")), "<item>"))
	require.Equal(t, 2, strings.Count(text(t, s.Get("/feed.xml?favourites=999,50")), "<item>"))
	require.Equal(t, 3, strings.Count(text(t, s.Get("/feed.xml?favourites=l140,50")), "<item>"))
}

func TestASummaryHasTodayAndTheLatestGoalWithAClip(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	s.Add(match(9, team(1, "Yesterday"), team(2, "Over"), noon.AddDate(0, 0, -1), "FT", 90, 0, 0))
	got := decode(t, s.Get("/api/v1/summary"))
	require.Equal(t, []any{"2026-11-14", 2.0, 7.0, 3.0}, []any{got["date"], got["live"], got["goals"], got["with_clip"]})
	require.EqualValues(t, strings.Count(text(t, s.Get("/api/v1/fixtures?date=2026-11-14")), `"kickoff"`), got["fixtures"])
	latest := got["latest"].(map[string]any)
	require.Equal(t, "Dominik Szoboszlai", latest["scorer"])
	require.Equal(t, http.StatusOK, s.Get(latest["url"].(string)).StatusCode)
	require.Nil(t, decode(t, newTestServer(t).Get("/api/v1/summary"))["latest"])
}

func TestAPlaylistHasTheLatestClips(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	res := s.Get("/watch.m3u")
	require.Equal(t, "audio/x-mpegurl; charset=utf-8", res.Header.Get("Content-Type"))
	lines := strings.Split(strings.TrimSpace(text(t, res)), "\n")
	require.Len(t, lines, 2+2*3)
	require.Equal(t, "#EXTM3U", lines[0])
	require.Regexp(t, `^#EXTINF:\d+ tvg-logo="http://[^"]+\.jpg" group-title="Premier League",Dominik Szoboszlai`, lines[2])
	address, err := url.Parse(lines[3])
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, s.Get(address.Path).StatusCode, "each address plays")
	require.Len(t, strings.Split(strings.TrimSpace(text(t, s.Get("/feed/league/140.m3u"))), "\n"), 2+2)
}

func TestACalendarHasTheMatchesOfTeamsAndCompetitionsWithoutTheirScores(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	s.Update(5001, func(f *footy.Fixture) { f.Match.Venue = "Anfield, Liverpool; " + strings.Repeat("ö", 60) })
	res := s.Get("/feed/team/40.ics")
	require.Equal(t, "text/calendar; charset=utf-8", res.Header.Get("Content-Type"))
	body := text(t, res)
	for line := range strings.SplitSeq(strings.TrimSuffix(body, "\r\n"), "\r\n") {
		require.LessOrEqual(t, len(line), 75)
		require.True(t, utf8.ValidString(line))
	}
	whole := strings.ReplaceAll(body, "\r\n ", "")
	require.Contains(t, whole, "SUMMARY:Liverpool v Manchester City\r\n")
	require.Contains(t, whole, `LOCATION:Anfield\, Liverpool\; `+strings.Repeat("ö", 60)+"\r\n")
	require.Contains(t, whole, "DTSTART:20261114T150000Z\r\nDTEND:20261114T170000Z\r\n")
	require.Contains(t, whole, "UID:match-5001@found-footy\r\n")
	require.Contains(t, whole, "/match/5001\r\n")
	require.NotContains(t, whole, "1-0")
	both := text(t, s.Get("/calendar.ics?favourites=l140,40,40"))
	require.Equal(t, strings.Count(body, "BEGIN:VEVENT")+strings.Count(text(t, s.Get("/feed/league/140.ics")), "BEGIN:VEVENT"), strings.Count(both, "BEGIN:VEVENT"))
	require.Contains(t, text(t, s.Get("/feed/league/39.ics")), "STATUS:CANCELLED")
	require.Equal(t, 5, strings.Count(text(t, s.Get("/calendar.ics")), "BEGIN:VEVENT"), "without favourites all that is followed")
	var many []string
	for i := range 201 {
		many = append(many, fmt.Sprint(i))
	}
	for path, want := range map[string]int{"/calendar.ics?favourites=x": 400, "/feed/team/999.ics": 404, "/feed/team/x.ics": 404, "/feed/team/40.pdf": 404,
		"/calendar.ics?favourites=" + strings.Join(many, ","): 400} {
		require.Equal(t, want, s.Get(path).StatusCode, path)
	}
}

func TestCoverageCountsGoalsNotClips(t *testing.T) {
	t.Parallel()
	s := seeded(t)
	days := decode(t, s.Get("/api/v1/coverage?days=1"))["days"].([]any)
	today := days[0].(map[string]any)
	require.EqualValues(t, 7, today["goals"])
	require.EqualValues(t, 3, today["with_clip"])
	require.EqualValues(t, 2, today["verified"])
	require.EqualValues(t, 90, today["median_seconds"])
	s.Update(5001, func(f *footy.Fixture) { f.Event("5001-2").Removed = true })
	require.EqualValues(t, 6, decode(t, s.Get("/api/v1/coverage?days=1"))["days"].([]any)[0].(map[string]any)["goals"])
}

// RETENTION_DAYS decides what there is to find, not a number of the page's own.
func TestWhatIsKeptLongerIsFound(t *testing.T) {
	t.Parallel()
	for days, found := range map[int]bool{14: false, 30: true} {
		s := newTestServer(t, func(o *web.Options) { o.Kept = time.Duration(days) * 24 * time.Hour })
		old := footy.Fixture{ID: 77, Stage: footy.StageCompleted, Match: footy.Match{ID: 77, Kickoff: noon.AddDate(0, 0, -20)}}
		require.NoError(t, s.Store.Add(t.Context(), old))
		require.Equal(t, found, strings.Contains(text(t, s.Get("/api/v1/dates")), "2026-10-25"), "%d days", days)
	}
}

// A generated client refuses a cause that the document does not list.
func TestTheDocumentListsEveryCauseOfWaiting(t *testing.T) {
	t.Parallel()
	var doc struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Enum []footy.Reason }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text(t, newTestServer(t).Get("/api/v1/openapi.json"))), &doc))
	for _, schema := range []string{"WaitingCause", "WaitingChoice"} {
		require.ElementsMatch(t, footy.WaitCauses(), doc.Components.Schemas[schema].Properties["cause"].Enum, schema)
	}
}
