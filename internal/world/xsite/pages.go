package xsite

import (
	_ "embed"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
)

//go:embed search.html
var searchPage string

func (s *Site) show(w http.ResponseWriter, page string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprint(w, strings.NewReplacer("{{prefix}}", s.opts.Prefix, "{{user}}", User).Replace(page))
}

func (s *Site) toLogin(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, s.opts.Prefix+"/i/flow/login?redirect_after_login="+url.QueryEscape(r.URL.RequestURI()), http.StatusFound)
}

func (s *Site) login(w http.ResponseWriter, _ *http.Request) {
	s.show(w, `<!doctype html><title>Log in to X / X</title><h1>Sign in to X</h1>
<form method="post" action="{{prefix}}/i/flow/login"><input autocomplete="username" name="username">
<input type="password" autocomplete="current-password" name="password"><button data-testid="LoginForm_Login_Button">Log in</button></form>`)
}

func (s *Site) home(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.loggedIn(r); !ok {
		s.toLogin(w, r)
		return
	}
	s.show(w, `<!doctype html><title>Home / X</title>
<nav><a data-testid="AppTabBar_Profile_Link" href="{{prefix}}/{{user}}">Profile</a></nav><main data-testid="primaryColumn"></main>`)
}

func (s *Site) search(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.loggedIn(r); !ok {
		s.toLogin(w, r)
		return
	}
	s.show(w, strings.ReplaceAll(searchPage, "{{query}}", html.EscapeString(r.URL.Query().Get("q"))))
}
