package session

import (
	"crypto/rand"
	"net/http"
	"strings"
)

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
