package xaccount

import (
	"context"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// ImportCookies brings an export to the running service, or to the profile where none runs.
func (x Account) ImportCookies(ctx context.Context, raw []byte) (Report, error) {
	_, unreachable := x.service().Status(ctx)
	switch {
	case unreachable == nil:
		if _, err := x.service().Authenticate(ctx, raw); err != nil {
			return Report{}, err
		}
	case x.Config.Search.ServiceURL != "":
		return Report{}, unreachable
	default:
		if _, err := browser.ImportCookies(raw, ServiceOptions(x.Config, x.Log)); err != nil {
			return Report{}, err
		}
	}
	return x.Status(ctx)
}

// Login opens the login page in the browser that searches, not automated, and waits until the person closes it. where is told the address of the
// page to look at, or "" for a window on this desktop.
func (x Account) Login(ctx context.Context, where func(url string)) (Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if _, err := x.service().Status(ctx); err != nil {
		if x.Config.Search.ServiceURL != "" {
			return Report{}, err
		}
		if o := ServiceOptions(x.Config, x.Log); o.Display == "" && !o.VNC {
			return Report{}, footy.Errorf(footy.CodeConflict, "log in to X", "there is no display here; footy x login --web shows the browser in a web page, or bring cookies: footy x import-cookies FILE")
		}
		var failed error
		ended, listening := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			failed = Serve(ctx, x.Config, x.Log, func(string, *browser.Service) { close(listening) })
		}()
		defer func() { cancel(); <-ended }()
		select {
		case <-ended:
			return Report{}, failed
		case <-listening:
		}
	}
	url, err := x.service().LaunchBrowser(ctx)
	if err != nil {
		return Report{}, err
	}
	where(url)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return Report{}, ctx.Err()
		case <-tick.C:
		}
		r, err := x.Status(ctx)
		busy := strings.Contains(r.Detail, "is logging in") || r.Login == source.LoginUnknown && r.Detail == "" // not looked yet
		if err != nil || !busy {
			return r, err
		}
	}
}
