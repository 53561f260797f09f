package app

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/browser"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/source"
)

// ImportCookies brings an export to the running service, or to the profile where none runs.
func (x X) ImportCookies(ctx context.Context, raw []byte) (XReport, error) {
	_, unreachable := x.service().Status(ctx)
	switch {
	case unreachable == nil:
		if _, err := x.service().Authenticate(ctx, raw); err != nil {
			return XReport{}, err
		}
	case x.Config.Search.ServiceURL != "":
		return XReport{}, unreachable
	default:
		if _, err := browser.ImportCookies(raw, BrowserOptions(x.Config, x.Log)); err != nil {
			return XReport{}, err
		}
	}
	return x.Status(ctx)
}

// Login opens the login page in a plain browser and waits until the person closes it. where is told the address of the
// page to look at, or "" for a window on this desktop.
func (x X) Login(ctx context.Context, where func(url string)) (XReport, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if _, err := x.service().Status(ctx); err != nil {
		if x.Config.Search.ServiceURL != "" {
			return XReport{}, err
		}
		if o := BrowserOptions(x.Config, x.Log); o.Display == "" && !o.VNC {
			return XReport{}, footy.Errorf(footy.CodeConflict, "log in to X", "there is no display here; footy x login --web shows the browser in a web page, or bring cookies: footy x import-cookies FILE")
		}
		var failed error
		ended, listening := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			failed = RunBrowser(ctx, x.Config, x.Log, func(string) { close(listening) })
		}()
		defer func() { cancel(); <-ended }()
		select {
		case <-ended:
			return XReport{}, failed
		case <-listening:
		}
	}
	url, err := x.service().LaunchBrowser(ctx)
	if err != nil {
		return XReport{}, err
	}
	where(url)
	for {
		if err := wait(ctx, time.Second); err != nil {
			return XReport{}, err
		}
		r, err := x.Status(ctx)
		busy := strings.Contains(r.Detail, "is logging in") || r.Login == source.LoginUnknown && r.Detail == "" // not looked yet
		if err != nil || !busy {
			return r, err
		}
	}
}
