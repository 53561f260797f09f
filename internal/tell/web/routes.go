package web

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
	"github.com/found-footy/found-footy/internal/tell/web/api"
	"github.com/found-footy/found-footy/internal/tell/web/limit"
)

// Route is one line of the server's map; the OpenAPI document is checked against those under /api/.
type Route struct {
	Pattern string
	Handle  answer.Handler
	Cost    limit.Cost
}

func (s *Server) table() []Route {
	return append([]Route{
		// For people.
		{"GET /{$}", s.pages.Goals, limit.Cached},
		{"GET /goals/{date}", s.pages.Goals, limit.Cached},
		{"GET /matches", s.pages.Day, limit.Cached},
		{"GET /day/{date}", s.pages.Day, limit.Cached},
		{"GET /settings", s.pages.Settings, limit.Page},
		{"GET /watch", s.pages.Watch, limit.Cached},
		{"GET /watch/{date}", s.pages.Watch, limit.Cached},
		{"GET /part/fixtures", s.pages.FixtureParts, limit.Cached},
		{"GET /search", s.pages.Search, limit.Dear},
		{"GET /g/{event}", s.pages.Goal, limit.Page},
		{"GET /match/{id}", s.pages.Match, limit.Cached},
		{"GET /team/{id}", s.pages.Matches, limit.Cached},
		{"GET /league/{id}", s.pages.Matches, limit.Cached},
		{"GET /embed/{event}", s.pages.Embed, limit.Page},
		{"GET /health", s.pages.Health, limit.Page},
		{"GET /waiting", s.pages.Waiting, limit.Page},
		{"GET /assets/{version}/{file}", s.frame.Asset, limit.Bytes},
		{"GET /favicon.ico", s.pages.Favicon, limit.Bytes},
		{"GET /robots.txt", s.pages.Robots, limit.Bytes},
		{"GET /manifest.webmanifest", s.pages.Manifest, limit.Bytes},
		{"GET /sw.js", s.pages.Worker, limit.Bytes},
		{"GET /offline", s.pages.Offline, limit.Page},

		// For a start with nothing set; elsewhere than on this machine they need the code.
		{"GET /setup", s.pages.ShowSetup, limit.Page},
		{"POST /setup/code", s.pages.EnterCode, limit.Page},
		{"POST /setup/choose", s.pages.ChooseSetup, limit.Page},
		{"POST /setup/try/{step}", s.pages.TrySetup, limit.Page},
		{"POST /setup/finish", s.pages.FinishSetup, limit.Page},
		{"POST /setup/later", s.pages.PutSetupOff, limit.Page},

		// For operators; the forms need a session.
		{"GET /admin", s.pages.Operator, limit.Page},
		{"POST /admin/login", s.pages.SignIn, limit.Page},
		{"POST /admin/logout", s.pages.SignOut, limit.Page},
		{"POST /admin/notify-test", s.pages.TestNotifications, limit.Page},
		{"POST /admin/waiting/{action}", s.pages.ActOnWaiting, limit.Page},
		{"POST /admin/events/{event}/{action}", s.pages.ActOnEvent, limit.Page},

		// Bytes.
		{"GET /v/{event}/{clip}", s.media.Clip, limit.Bytes},
		{"GET /p/{event}/{clip}", s.media.Poster, limit.Bytes},
		{"GET /p/{event}/post/{post}", s.media.PostPicture, limit.Bytes},
		{"GET /logo/{kind}/{id}", s.media.Logo, limit.Bytes},

		// For programs.
		{"GET /oembed", s.api.OEmbed, limit.Page},
		{"GET /feed.xml", s.api.Feed, limit.Page},
		{"GET /watch.m3u", s.api.Feed, limit.Page},
		{"GET /calendar.ics", s.api.Feed, limit.Page},
		{"GET /feed/{kind}/{id}", s.api.Feed, limit.Page},
		{"GET /healthz", live, limit.Page},
		{"GET /readyz", s.ready, limit.Page},
		{"GET /api/v1/dates", s.api.Dates, limit.Cached},
		{"GET /api/v1/summary", s.api.Summary, limit.Cached},
		{"GET /api/v1/fixtures", s.api.Fixtures, limit.Cached},
		{"GET /api/v1/fixtures/{id}", s.api.Fixture, limit.Page},
		{"GET /api/v1/events/{id}", s.api.Event, limit.Page},
		{"GET /api/v1/videos", s.api.Videos, limit.Cached},
		{"GET /api/v1/search", s.api.Search, limit.Dear},
		{"GET /api/v1/coverage", s.api.Coverage, limit.Page},
		{"GET /api/v1/health", s.api.Health, limit.Cached},
		{"GET /api/v1/waiting", s.api.Waiting, limit.Page},
		{"GET /api/v1/stream", s.limit.Stream(s.hub.Follow(s.frame.Version(), s.opt.Now)), limit.Bytes},
		{"GET /api/v1/openapi.json", s.api.OpenAPI, limit.Cached},

		// For programs that act; they need a token.
		{"POST /api/v1/waiting/retry", s.api.ActOnWaiting("retry"), limit.Page},
		{"POST /api/v1/waiting/give-up", s.api.ActOnWaiting("give-up"), limit.Page},
		{"POST /api/v1/events/{id}/actions/{action}", s.api.ActOnEvent, limit.Page},
	}, s.added...)
}

// mux is the server's map, and what its routes cost.
func (s *Server) mux() (mux *http.ServeMux, costs map[string]limit.Cost) {
	mux, costs = http.NewServeMux(), map[string]limit.Cost{}
	for _, r := range s.table() {
		handle := r.Handle
		if strings.Contains(r.Pattern, " /api/") {
			handle = api.Checked(handle)
		}
		costs[r.Pattern] = r.Cost
		mux.HandleFunc(r.Pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := handle(w, r); err != nil {
				s.fail(w, r, err)
			}
		})
	}
	return mux, costs
}

func (s *Server) routes(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		for method, allow := range map[string]string{http.MethodGet: "GET, HEAD", http.MethodPost: "POST"} { // is the path wrong, or only the method?
			other := r.Clone(r.Context())
			other.Method = method
			if _, pattern := mux.Handler(other); pattern != "" {
				w.Header().Set("Allow", allow)
				s.fail(w, r, &answer.Error{Status: http.StatusMethodNotAllowed, Code: answer.CodeMethod, Message: r.Method + " is not possible here; " + allow + " is."})
				return
			}
		}
		s.fail(w, r, footy.Errorf(footy.CodeNotFound, "route", "There is no such page."))
	})
}

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

// live says that the process runs; it must not depend on anything outside.
func live(w http.ResponseWriter, _ *http.Request) error {
	writeText(w, http.StatusOK, "ok")
	return nil
}

// ready says that pages can be served. It logs changes only: probes come all the time.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) error {
	err := s.reader.Reachable(r.Context())
	changed := s.unready.Swap(err != nil) != (err != nil)
	if err != nil {
		if changed {
			s.log.WarnContext(r.Context(), "not ready", "action", "readyz", "error", err)
		}
		w.Header().Set("Retry-After", "5")
		writeText(w, http.StatusServiceUnavailable, "database unavailable")
		return nil
	}
	if changed {
		s.log.InfoContext(r.Context(), "ready again", "action", "readyz")
	}
	writeText(w, http.StatusOK, "ready")
	return nil
}

func writeText(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, line)
}
