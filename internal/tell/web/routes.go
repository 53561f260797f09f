package web

import (
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/api"
)

// route is one line of the server's map; the OpenAPI document is checked against those under /api/.
type route struct {
	pattern string
	handle  answer.Handler
}

func (s *Server) table() []route {
	return []route{
		// For people.
		{"GET /{$}", s.pages.Today},
		{"GET /day/{date}", s.pages.Day},
		{"GET /watch", s.pages.WatchToday},
		{"GET /watch/{date}", s.pages.Watch},
		{"GET /part/fixtures", s.pages.FixtureParts},
		{"GET /search", s.pages.Search},
		{"GET /g/{event}", s.pages.Goal},
		{"GET /team/{id}", s.pages.Team},
		{"GET /league/{id}", s.pages.League},
		{"GET /reel/{kind}/{id}", s.pages.Reel},
		{"GET /reel/{kind}/{id}/{date}", s.pages.Reel},
		{"POST /reel/{kind}/{id}", s.pages.MakeReel},
		{"POST /reel/{kind}/{id}/{date}", s.pages.MakeReel},
		{"GET /embed/{event}", s.pages.Embed},
		{"GET /health", s.pages.Health},
		{"GET /waiting", s.pages.Waiting},
		{"GET /assets/{version}/{file}", s.frame.Asset},
		{"GET /favicon.ico", s.pages.Favicon},
		{"GET /robots.txt", s.pages.Robots},
		{"GET /manifest.webmanifest", s.pages.Manifest},
		{"GET /sw.js", s.pages.Worker},
		{"GET /offline", s.pages.Offline},

		// For a start with nothing set; elsewhere than on this machine they need the code.
		{"GET /setup", s.pages.ShowSetup},
		{"POST /setup/code", s.pages.EnterCode},
		{"POST /setup/choose", s.pages.ChooseSetup},
		{"POST /setup/try/{step}", s.pages.TrySetup},
		{"POST /setup/finish", s.pages.FinishSetup},
		{"POST /setup/later", s.pages.PutSetupOff},

		// For operators; the forms need a session.
		{"GET /admin", s.pages.Operator},
		{"POST /admin/login", s.pages.SignIn},
		{"POST /admin/logout", s.pages.SignOut},
		{"POST /admin/notify-test", s.pages.TestNotifications},
		{"POST /admin/waiting/{action}", s.pages.ActOnWaiting},
		{"POST /admin/events/{event}/{action}", s.pages.ActOnEvent},

		// Bytes.
		{"GET /v/{event}/{clip}", s.media.Clip},
		{"GET /p/{event}/{clip}", s.media.Poster},
		{"GET /p/{event}/post/{post}", s.media.PostPicture},
		{"GET /r/{reel}/{file}", s.media.Reel},
		{"GET /logo/{kind}/{id}", s.media.Logo},

		// For programs.
		{"GET /oembed", s.api.OEmbed},
		{"GET /feed.xml", s.api.Feed},
		{"GET /feed/{kind}/{id}", s.api.Feed},
		{"GET /healthz", live},
		{"GET /readyz", s.ready},
		{"GET /api/v1/dates", s.api.Dates},
		{"GET /api/v1/fixtures", s.api.Fixtures},
		{"GET /api/v1/fixtures/{id}", s.api.Fixture},
		{"GET /api/v1/events/{id}", s.api.Event},
		{"GET /api/v1/videos", s.api.Videos},
		{"GET /api/v1/search", s.api.Search},
		{"GET /api/v1/reels/{kind}/{id}", s.api.Reel},
		{"GET /api/v1/reels/{kind}/{id}/{date}", s.api.Reel},
		{"GET /api/v1/coverage", s.api.Coverage},
		{"GET /api/v1/health", s.api.Health},
		{"GET /api/v1/waiting", s.api.Waiting},
		{"GET /api/v1/stream", s.limit.Stream(s.hub.Follow(s.frame.Version(), s.opt.Now))},
		{"GET /api/v1/openapi.json", s.api.OpenAPI},

		// For browsers that want to be told.
		{"GET /api/v1/push", s.api.PushKey},
		{"POST /api/v1/push/device", s.api.KeepDevice},
		{"POST /api/v1/push/forget", s.api.ForgetDevice},
		{"POST /api/v1/push/test", s.api.TestDevice},

		// For programs that act; they need a token.
		{"POST /api/v1/waiting/retry", s.api.ActOnWaiting("retry")},
		{"POST /api/v1/waiting/give-up", s.api.ActOnWaiting("give-up")},
		{"POST /api/v1/events/{id}/actions/{action}", s.api.ActOnEvent},
		{"POST /api/v1/internal/notify", s.hub.Receive(s.opt.NotifyToken)},
	}
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.table() {
		handle := r.handle
		if strings.Contains(r.pattern, " /api/") {
			handle = api.Checked(handle)
		}
		mux.HandleFunc(r.pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := handle(w, r); err != nil {
				s.fail(w, r, err)
			}
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		// The mux knows whether the path is wrong or only the method: its own answer says so.
		answered := &probe{header: http.Header{}}
		h.ServeHTTP(answered, r)
		if answered.status != http.StatusMethodNotAllowed {
			s.fail(w, r, footy.Errorf(footy.CodeNotFound, "route", "There is no such page."))
			return
		}
		w.Header().Set("Allow", answered.header.Get("Allow"))
		s.fail(w, r, answer.MethodError(r.Method, answered.header.Get("Allow")))
	})
}

// probe keeps what a handler says and sends nothing.
type probe struct {
	header http.Header
	status int
}

func (p *probe) Header() http.Header         { return p.header }
func (p *probe) WriteHeader(status int)      { p.status = status }
func (p *probe) Write(b []byte) (int, error) { return len(b), nil }

// fail answers an error in the form the client speaks, and logs those that are ours.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	no, unexpected := answer.ErrorOf(err)
	if unexpected && r.Context().Err() == nil {
		s.log.ErrorContext(r.Context(), "cannot answer", "action", "http", "path", r.URL.Path, "error", err)
	}
	answer.RetryAfter(w.Header(), err)
	w.Header().Set("Cache-Control", "no-store")
	if strings.HasPrefix(r.URL.Path, "/api/") || r.URL.Path == "/oembed" {
		no.WriteJSON(w, r)
		return
	}
	s.pages.Error(w, r, no)
}

// recovered turns a panic into an answer.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if v := recover(); v != nil && v != http.ErrAbortHandler { //nolint:errorlint // a panic value is compared, as net/http does
				s.log.ErrorContext(r.Context(), "handler panicked", "action", "http", "path", r.URL.Path, "panic", v, "stack", string(debug.Stack()))
				s.fail(w, r, footy.Errorf(footy.CodeUnavailable, "serve", "internal failure"))
			}
		}()
		next.ServeHTTP(w, r)
	})
}
