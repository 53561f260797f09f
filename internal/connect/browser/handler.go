package browser

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/cookie"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/source/x/searchapi"
	"github.com/found-footy/found-footy/internal/footy"
)

// bodyLimit bounds what a request may send: a cookie export of a whole browser has some hundred kB.
const bodyLimit = 4 << 20

// Handler serves the contract to those whom guard lets in.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /search", s.serveSearch)
	mux.HandleFunc("GET /health", s.serveHealth)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	mux.HandleFunc("GET /readyz", s.serveHealth)
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, s.Status()) })
	mux.HandleFunc("POST /authenticate", s.serveAuthenticate)
	mux.HandleFunc("POST /auth/verify", s.serveAuthenticate)
	mux.HandleFunc("POST /auth/launch-browser", s.serveLaunch)
	mux.HandleFunc("POST /canary", func(w http.ResponseWriter, r *http.Request) { writeJSON(w, http.StatusOK, s.Canary(r.Context())) })
	return http.MaxBytesHandler(s.guard(mux), bodyLimit)
}

func (s *Service) serveSearch(w http.ResponseWriter, r *http.Request) {
	var req searchapi.SearchRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		writeJSON(w, http.StatusBadRequest, searchapi.Failure{Error: "the body is no search request: " + err.Error()})
		return
	}
	res, err := s.Search(r.Context(), req.AsQuery())
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, searchapi.NewSearchResponse(res))
}

// serveHealth is red while searches cannot work: for want of a person, or of a browser.
func (s *Service) serveHealth(w http.ResponseWriter, r *http.Request) {
	st := s.Status()
	code, word := http.StatusOK, "ok"
	switch {
	case st.Login == source.LoginUnknown && st.Detail == "":
		word = "starting"
	case st.Login == source.LoginUnknown:
		code, word = http.StatusServiceUnavailable, "unavailable"
	case st.Login != source.LoginOK:
		code, word = http.StatusServiceUnavailable, "login_required"
	}
	if s.opts.Token != "" && !s.knowsToken(r) {
		writeJSON(w, code, map[string]any{"status": word})
		return
	}
	writeJSON(w, code, map[string]any{"status": word, "login": st.Login, "detail": st.Detail, "budget": st.Budget})
}

// Status tells who is logged in, until when, and what is left.
func (s *Service) Status() searchapi.Status {
	b := s.budget()
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account
	st := searchapi.Status{Login: a.Login, Account: a.Name, Detail: a.Detail, Searches: len(s.tabs), Tabs: cap(s.tabs),
		Busy: len(s.tabs) == cap(s.tabs), Budget: &searchapi.Budget{Limit: b.Limit, Used: b.Limit - b.Left, Remaining: b.Left, ResetAt: optionalTime(b.ResetsAt)},
		ValidUntil: optionalTime(s.until)}
	if a.Has == account.Person {
		st.Detail = account.LogsIn
	}
	return st
}

func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// serveAuthenticate reads the cookie file anew; a body, if there is one, is an export that becomes the cookie file.
func (s *Service) serveAuthenticate(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		writeJSON(w, http.StatusRequestEntityTooLarge, searchapi.Failure{Error: err.Error()})
		return
	}
	if len(raw) > 0 && string(raw) != "{}" {
		if _, err := ImportCookies(raw, s.opts); err != nil {
			writeError(w, err)
			return
		}
	}
	s.endManual()
	s.Authenticate(r.Context())
	writeJSON(w, http.StatusOK, s.Status())
}

// ImportCookies makes an export (JSON or Netscape) the cookie file of a service that need not run; it returns how many
// cookies were taken.
func ImportCookies(raw []byte, opts Options) (int, error) {
	s := New(opts)
	own, err := cookie.Import(raw, s.host)
	if err != nil {
		return 0, err
	}
	if own = cookie.Unexpired(own, s.opts.Now()); !cookie.Has(own, cookie.Session) {
		return 0, footy.Errorf(footy.CodeInvalid, "import cookies", "the session has expired: log in again in your browser and export anew")
	}
	return len(own), cookie.Save(cookie.File(s.opts.Dir), own)
}

func (s *Service) serveLaunch(w http.ResponseWriter, r *http.Request) {
	where, err := s.LaunchManual(r.Context())
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "launched", "url": where})
}

func writeJSON(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body) // the client went away: nobody to tell
}

func writeError(w http.ResponseWriter, err error) {
	code := http.StatusServiceUnavailable
	switch footy.CodeOf(err) {
	case footy.CodeInvalid:
		code = http.StatusBadRequest
	case footy.CodeConflict:
		code = http.StatusConflict
	}
	writeJSON(w, code, searchapi.Failure{Error: err.Error()})
}

// guard refuses whom the service is not for. With a token that is everybody who does not send it: who searches spends the
// account's budget, and who logs in gets the password of the login screen. Without one the service listens on loopback, where every
// page that the person visits could reach it, also under a name of its own that leads here.
func (s *Service) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet && (r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""):
			writeJSON(w, http.StatusForbidden, searchapi.Failure{Error: "web pages may not drive the search service"})
		case s.opts.Token == "" && !ownName(r.Host):
			writeJSON(w, http.StatusForbidden, searchapi.Failure{Error: "without TWITTER_SERVICE_TOKEN the search service is for this machine alone, under its own names"})
		case s.opts.Token != "" && !s.knowsToken(r) && !slices.Contains(forEverybody, r.URL.Path):
			w.Header().Set("WWW-Authenticate", "Bearer")
			writeJSON(w, http.StatusUnauthorized, searchapi.Failure{Error: "the search service wants its token: set the same TWITTER_SERVICE_TOKEN on both sides"})
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// forEverybody are the paths that say one word, for those who watch processes.
var forEverybody = []string{"/health", "/healthz", "/readyz"}

// knowsToken compares in constant time, lengths included.
func (s *Service) knowsToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	x, y := sha256.Sum256([]byte(strings.TrimSpace(token))), sha256.Sum256([]byte(s.opts.Token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// ownName reports whether a request's host, with or without port, can only mean this machine.
func ownName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") || err == nil && ip.Unmap().IsLoopback()
}
