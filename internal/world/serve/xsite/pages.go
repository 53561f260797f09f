package xsite

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
)

//go:embed search.html
var searchPage string

func (s *Site) show(w http.ResponseWriter, r *http.Request, page string) {
	token, _ := s.loggedIn(r)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprint(w, strings.NewReplacer("{{prefix}}", s.opts.Prefix, "{{user}}", cmp.Or(s.opts.Users[token], User)).Replace(page))
}

func (s *Site) toLogin(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, s.opts.Prefix+"/i/flow/login?redirect_after_login="+url.QueryEscape(r.URL.RequestURI()), http.StatusFound)
}

//go:embed login.html
var loginPage string

func (s *Site) login(w http.ResponseWriter, r *http.Request) { s.show(w, r, loginPage) }

func (s *Site) access(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, `<!doctype html><title>Account access / X</title><h1>Your account has been locked.</h1><p>Confirm that you are a person.</p>`)
}

// pass lets a page through, or answers what comes instead of it.
func (s *Site) pass(w http.ResponseWriter, r *http.Request) bool {
	_, in := s.loggedIn(r)
	s.mu.Lock()
	locked := s.locked
	s.mu.Unlock()
	fault := s.opts.Page(r.URL.Path)
	switch {
	case fault == Hang:
		<-r.Context().Done()
	case fault != None:
		http.Error(w, "Something went wrong", http.StatusServiceUnavailable)
	case !in:
		s.toLogin(w, r)
	case locked:
		http.Redirect(w, r, s.opts.Prefix+"/account/access", http.StatusFound)
	default:
		return true
	}
	return false
}

func (s *Site) home(w http.ResponseWriter, r *http.Request) {
	if s.pass(w, r) {
		s.show(w, r, `<!doctype html><title>Home / X</title>
<nav><a data-testid="AppTabBar_Profile_Link" href="{{prefix}}/{{user}}">Profile</a></nav><main data-testid="primaryColumn"></main>`)
	}
}

func (s *Site) search(w http.ResponseWriter, r *http.Request) {
	if s.pass(w, r) {
		s.show(w, r, strings.ReplaceAll(searchPage, "{{query}}", html.EscapeString(r.URL.Query().Get("q"))))
	}
}
