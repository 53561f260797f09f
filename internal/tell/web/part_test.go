package web_test

import (
	"errors"
	"html/template"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/tell/web"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/limit"
	"github.com/found-footy/found-footy/internal/tell/web/pages/frame"
)

// matrix is a part with a page, a file, links, sections, an API and a script of the service worker.
func matrix(lent web.Lent) (web.Part, error) {
	pages, err := lent.Frame.Add(fstest.MapFS{
		"templates/room.html": {Data: []byte(`{{define "main"}}<p>Room {{.Title}} <img src="{{asset "matrix.svg"}}"></p>{{end}}`)},
		"templates/bell.html": {Data: []byte(`{{define "bell"}}<b>Bell {{.}}</b>{{end}}`)},
		"assets/matrix.svg":   {Data: []byte("<svg/>")},
	})
	return web.Part{
		Routes: []web.Route{
			{Pattern: "GET /matrix", Handle: func(w http.ResponseWriter, r *http.Request) error {
				return pages.Send(w, r, http.StatusOK, "room", lent.Frame.Base(r, "of goals"))
			}},
			{Pattern: "POST /matrix", Handle: func(http.ResponseWriter, *http.Request) error { return nil }, Cost: limit.Dear},
			{Pattern: "GET /api/v1/matrix", Handle: func(w http.ResponseWriter, r *http.Request) error { return answer.JSON(w, r, http.StatusOK, 1) }},
		},
		API: []byte(`{"paths":{"/api/v1/matrix":{"get":{}}},"components":{"schemas":{"Room":{"type":"integer"}}}}`),
		Links: []frame.Link{{At: frame.Day, Label: "Matrix", Href: func(o frame.Of) string { return "/matrix?of=" + o.Date }},
			{At: frame.Match, Label: "Never", Href: func(frame.Of) string { return "" }}},
		Sections: []frame.Section{
			{At: frame.Bar, Show: func(r *http.Request, o frame.Of) (template.HTML, error) {
				return pages.HTML(o.Language, "bell", r == nil)
			}},
			{At: frame.Goal, Show: func(_ *http.Request, o frame.Of) (template.HTML, error) {
				return pages.HTML(o.Language, "bell", o.Event.UID)
			}},
			{At: frame.Goal, Show: func(*http.Request, frame.Of) (template.HTML, error) { return "", errors.New("no room") }},
		},
		Worker: "// of the room, @version@",
	}, err
}

func TestAPartHasItsPlacesAndPages(t *testing.T) {
	t.Parallel()
	s, plain := newTestServer(t, func(o *web.Options) { o.Parts = []func(web.Lent) (web.Part, error){matrix} }), newTestServer(t)
	s.DemoDay([]byte("mp4"), []byte("jpg"))
	day := text(t, s.Get("/day/2026-11-14"))
	require.Contains(t, day, `href="/matrix?of=2026-11-14"`)
	require.NotContains(t, day, "Never")
	require.Contains(t, day, "<b>Bell true</b>", "what every page has knows no reader")
	require.Contains(t, text(t, s.Get("/g/"+salah)), "<b>Bell 5001-1</b>", "a section that fails takes no other along")
	page := text(t, s.Get("/matrix"))
	require.Contains(t, page, "Room of goals")
	_, file, _ := strings.Cut(page, `<img src="`+"/assets/")
	version, _, _ := strings.Cut(file, "/")
	require.Equal(t, "<svg/>", text(t, s.Get("/assets/"+version+"/matrix.svg")))
	require.Contains(t, text(t, s.Get("/sw.js")), "// of the room, "+version)
	require.NotContains(t, text(t, plain.Get("/sw.js")), version, "other files are another version")
	doc := decode(t, s.Get("/api/v1/openapi.json"))
	require.Contains(t, doc["paths"], "/api/v1/matrix")
	require.Contains(t, doc["components"].(map[string]any)["schemas"], "Room")
	require.Contains(t, web.APIRoutes(s.Web), "GET /api/v1/matrix")
	require.Equal(t, limit.Dear, s.Web.CostOf(httptest.NewRequest(http.MethodPost, "/matrix", nil)))
	require.Equal(t, http.StatusNotFound, plain.Get("/matrix").StatusCode)
}
