// Package session guards the server: who is an operator, which hosts and sites may ask, and the headers of every answer.
package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

const (
	cookieName = "ff_admin"
	length     = 12 * time.Hour
)

// Operators knows who may act. The cookie holds a signature made with the token, never the token.
type Operators struct {
	token string
	now   func() time.Time
}

// New admits who knows the token; an empty token admits no one.
func New(token string, now func() time.Time) *Operators {
	return &Operators{token: token, now: now}
}

// Enabled reports whether signing in is possible.
func (o *Operators) Enabled() bool { return o.token != "" }

// sameToken compares in constant time, lengths included.
func sameToken(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// Bearer reports whether a request carries a token in a header, and whether it is the right one.
func (o *Operators) Bearer(r *http.Request) (sent, right bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	sent = strings.EqualFold(scheme, "Bearer") && token != ""
	return sent, sent && o.Enabled() && sameToken(token, o.token)
}

// CheckToken is for programs that act: they must send the token itself; a cookie could be abused by another site.
func (o *Operators) CheckToken(r *http.Request) error {
	if _, right := o.Bearer(r); !right {
		return footy.Errorf(footy.CodeAuthRequired, "check token", "the admin token is needed")
	}
	return nil
}

// CheckForm is for forms: they need a session and the form's token. Without a token the owner of this machine is the operator; that no other
// site sent the form is known (Site.Guard).
func (o *Operators) CheckForm(r *http.Request) error {
	want := o.FormToken(r)
	switch {
	case !o.Enabled() && Local(r):
		return nil
	case !o.Enabled():
		return footy.Errorf(footy.CodeAuthRequired, "check form", "Without ADMIN_TOKEN only the machine that footy runs on changes anything: set it and start again.")
	case want == "" || !sameToken(r.PostFormValue("csrf"), want):
		return footy.Errorf(footy.CodeAuthRequired, "check form", "Sign in with the admin token first.")
	}
	return nil
}

// Admits reports whether the request carries the token itself or a session it opened.
func (o *Operators) Admits(r *http.Request) bool {
	sent, right := o.Bearer(r)
	return right || !sent && o.SignedIn(r)
}

// Sees reports whether the request may see what only an operator should. Where no token is set, signing in is impossible, and this machine may.
func (o *Operators) Sees(r *http.Request) bool {
	return o.Admits(r) || !o.Enabled() && Local(r)
}

// SignedIn reports whether the request carries a session.
func (o *Operators) SignedIn(r *http.Request) bool { return o.session(r) != "" }

func (o *Operators) sign(purpose, value string) string {
	mac := hmac.New(sha256.New, []byte(o.token))
	mac.Write([]byte(purpose + "\x00" + value))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// session returns the valid session value of the cookie, or "".
func (o *Operators) session(r *http.Request) string {
	c, err := r.Cookie(cookieName)
	if err != nil || !o.Enabled() {
		return ""
	}
	until, mac, ok := strings.Cut(c.Value, ".")
	if !ok || !sameToken(mac, o.sign("session", until)) {
		return ""
	}
	unix, err := strconv.ParseInt(until, 10, 64)
	if err != nil || o.now().Unix() > unix {
		return ""
	}
	return until
}

// FormToken is what a form must send back: a page of another site cannot read it. "" without a session.
func (o *Operators) FormToken(r *http.Request) string {
	session := o.session(r)
	if session == "" {
		return ""
	}
	return o.sign("form", session)
}

// SignIn starts a session if the token is right. How often an address may try is not counted here.
func (o *Operators) SignIn(w http.ResponseWriter, r *http.Request, token string) bool {
	if !o.Enabled() || !sameToken(token, o.token) {
		return false
	}
	until := strconv.FormatInt(o.now().Add(length).Unix(), 10)
	setCookie(w, r, until+"."+o.sign("session", until), int(length.Seconds()))
	return true
}

// SignOut ends the browser's session.
func SignOut(w http.ResponseWriter, r *http.Request) { setCookie(w, r, "", -1) }

func setCookie(w http.ResponseWriter, r *http.Request, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: Encrypted(r)})
}

// Encrypted reports whether the browser's connection is, here or up to a proxy.
func Encrypted(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}

const (
	doorCookie = "ff_setup"
	doorLength = 12 // characters: 60 bits, and an address may guess some times a minute
)

// Door admits this machine, and elsewhere the browsers in which its code was entered. Both end with the process.
type Door struct{ code, pass string }

// NewDoor makes a door with a new code.
func NewDoor() *Door {
	return &Door{code: strings.ToLower(rand.Text()[:doorLength]), pass: rand.Text()}
}

// Code is to be shown to the operator alone.
func (d *Door) Code() string { return d.code[:4] + "-" + d.code[4:8] + "-" + d.code[8:] }

// Admits reports whether the request may pass.
func (d *Door) Admits(r *http.Request) bool {
	if Local(r) {
		return true
	}
	c, err := r.Cookie(doorCookie)
	return err == nil && sameToken(c.Value, d.pass)
}

// Enter lets the browser pass from now on if the code is right. How often an address may try is not counted here.
func (d *Door) Enter(w http.ResponseWriter, r *http.Request, code string) bool {
	plain := strings.NewReplacer("-", "", " ", "").Replace(strings.ToLower(code))
	if !sameToken(plain, d.code) {
		return false
	}
	http.SetCookie(w, &http.Cookie{Name: doorCookie, Value: d.pass, Path: "/setup", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: Encrypted(r)})
	return true
}
