package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	adminCookie   = "ff_admin"
	adminSession  = 12 * time.Hour
	loginFailures = 10 // per minute, all clients together: the token is one secret
)

// gatekeeper knows who may act. The cookie holds a signature made with the token, never the token.
type gatekeeper struct {
	token    string
	now      func() time.Time
	mu       sync.Mutex
	failures []time.Time
}

func newGatekeeper(token string, now func() time.Time) *gatekeeper {
	return &gatekeeper{token: token, now: now}
}

// sameToken compares in constant time, lengths included.
func sameToken(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

func bearer(r *http.Request) string {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

func (g *gatekeeper) sign(purpose, value string) string {
	mac := hmac.New(sha256.New, []byte(g.token))
	mac.Write([]byte(purpose + "\x00" + value))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// admits reports whether the request carries the token itself or a session it opened.
func (g *gatekeeper) admits(r *http.Request) bool {
	if g.token == "" {
		return false
	}
	if b := bearer(r); b != "" {
		return sameToken(b, g.token)
	}
	return g.session(r) != ""
}

// session returns the valid session value of the cookie, or "".
func (g *gatekeeper) session(r *http.Request) string {
	c, err := r.Cookie(adminCookie)
	if err != nil || g.token == "" {
		return ""
	}
	until, mac, ok := strings.Cut(c.Value, ".")
	if !ok || !sameToken(mac, g.sign("session", until)) {
		return ""
	}
	unix, err := strconv.ParseInt(until, 10, 64)
	if err != nil || g.now().Unix() > unix {
		return ""
	}
	return until
}

// formToken is what a form must send back: a page of another site cannot read it.
func (g *gatekeeper) formToken(r *http.Request) string {
	session := g.session(r)
	if session == "" {
		return ""
	}
	return g.sign("form", session)
}

// admitsForm asks for the session and for the form's own token.
func (g *gatekeeper) admitsForm(r *http.Request) bool {
	want := g.formToken(r)
	return want != "" && sameToken(r.PostFormValue("csrf"), want)
}

// open starts a session if the token is right; limited says that too many wrong ones came in.
func (g *gatekeeper) open(w http.ResponseWriter, r *http.Request, token string) (ok, limited bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	recent := g.failures[:0]
	for _, at := range g.failures {
		if now.Sub(at) < time.Minute {
			recent = append(recent, at)
		}
	}
	g.failures = recent
	if len(recent) >= loginFailures {
		return false, true
	}
	if g.token == "" || !sameToken(token, g.token) {
		g.failures = append(g.failures, now)
		return false, false
	}
	until := strconv.FormatInt(now.Add(adminSession).Unix(), 10)
	http.SetCookie(w, &http.Cookie{Name: adminCookie, Value: until + "." + g.sign("session", until), Path: "/",
		MaxAge: int(adminSession.Seconds()), HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: secure(r)})
	return true, false
}

func (g *gatekeeper) close(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: adminCookie, Path: "/", MaxAge: -1, HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: secure(r)})
}

// secure reports whether the browser's side of the connection is encrypted.
func secure(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}
