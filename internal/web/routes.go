package web

import (
	"net/http"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// route is one line of the server's map; the OpenAPI document is checked against those under /api/.
type route struct {
	pattern string
	handle  http.HandlerFunc
}

func (s *Server) table() []route {
	return []route{
		{"GET /{$}", s.handleToday},
		{"GET /day/{date}", s.handleDay},
		{"GET /part/fixtures", s.handleFixtureParts},
		{"GET /search", s.handleSearchPage},
		{"GET /g/{event}", s.handleGoal},
		{"GET /embed/{event}", s.handleEmbed},
		{"GET /oembed", s.handleOEmbed},
		{"GET /v/{event}/{clip}", s.handleClip},
		{"GET /p/{event}/{clip}", s.handlePoster},
		{"GET /p/{event}/post/{post}", s.handlePostPoster},
		{"GET /logo/{kind}/{id}", s.handleLogo},
		{"GET /feed.xml", s.handleFeed},
		{"GET /feed/{kind}/{id}", s.handleFeed},
		{"GET /health", s.handleHealthPage},
		{"GET /waiting", s.handleWaiting},
		{"POST /admin/waiting/{action}", s.handleWaitingForm},
		{"GET /admin", s.handleAdmin},
		{"POST /admin/login", s.handleLogin},
		{"POST /admin/logout", s.handleLogout},
		{"POST /admin/notify-test", s.handleNotifyTest},
		{"POST /admin/events/{event}/{action}", s.handleFormAction},
		{"GET /assets/{version}/{file}", s.handleAsset},
		{"GET /favicon.ico", s.handleFavicon},
		{"GET /robots.txt", s.handleRobots},
		{"GET /manifest.webmanifest", s.handleManifest},
		{"GET /healthz", s.handleLive},
		{"GET /readyz", s.handleReady},

		{"GET /api/v1/dates", s.apiDates},
		{"GET /api/v1/fixtures", s.apiFixtures},
		{"GET /api/v1/fixtures/{id}", s.apiFixture},
		{"GET /api/v1/events/{id}", s.apiEvent},
		{"GET /api/v1/videos", s.apiVideos},
		{"GET /api/v1/search", s.apiSearch},
		{"GET /api/v1/coverage", s.apiCoverage},
		{"GET /api/v1/health", s.apiHealth},
		{"GET /api/v1/waiting", s.apiWaiting},
		{"POST /api/v1/waiting/retry", s.apiWaitingAct("retry")},
		{"POST /api/v1/waiting/give-up", s.apiWaitingAct("give-up")},
		{"GET /api/v1/stream", s.handleStream},
		{"GET /api/v1/openapi.json", s.apiOpenAPI},
		{"POST /api/v1/events/{id}/actions/{action}", s.apiAction},
		{"POST /api/v1/internal/notify", s.handleNotify},
	}
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.table() {
		if strings.Contains(r.pattern, " /api/") {
			r.handle = s.checked(r.handle)
		}
		mux.HandleFunc(r.pattern, r.handle)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		// The mux knows whether the address is wrong or only the method, and says so to whoever asks.
		ask := &asked{header: http.Header{}}
		h.ServeHTTP(ask, r)
		if ask.status != http.StatusMethodNotAllowed {
			s.fail(w, r, footy.Errorf(footy.CodeNotFound, "route", "There is no such page."))
			return
		}
		w.Header().Set("Allow", ask.header.Get("Allow"))
		s.fail(w, r, &methodError{method: r.Method, allow: ask.header.Get("Allow")})
	})
}

// asked keeps what a handler says and sends nothing.
type asked struct {
	header http.Header
	status int
}

func (a *asked) Header() http.Header         { return a.header }
func (a *asked) WriteHeader(status int)      { a.status = status }
func (a *asked) Write(b []byte) (int, error) { return len(b), nil }
