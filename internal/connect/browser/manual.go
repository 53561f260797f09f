package browser

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/footy"
)

// manualBrowser is a browser without automation for a person to log in with: X refuses automated ones. It has the profile to
// itself; searches wait meanwhile.
type manualBrowser struct {
	helpers []*program // what shows the browser where there is no display
	browser *program
	dir     string // secrets of the display, removed at the end
	url     string // address of noVNC; "" for a window
	done    chan struct{}
}

// manualLimit ends a browser that a person forgot: searches wait for it.
const manualLimit = 30 * time.Minute

// LaunchManual opens the login page in a browser without automation, in a window or through noVNC, and returns where to look: the
// address of noVNC, or "" for a window. Where one is open already it is that one's address. When the person closes it, or
// asks to verify, the login is verified and the cookies are kept.
func (s *Service) LaunchManual(ctx context.Context) (string, error) {
	const op = "launch a browser for a person"
	if s.opts.Display == "" && !s.opts.VNC {
		return "", footy.Errorf(footy.CodeConflict, op, "there is no display: set X_VNC=true for one in your web browser, or bring cookies (footy x import-cookies FILE)")
	}
	s.happened(account.Event{Kind: account.Asked}) // ends a search or a check under way
	s.acting.Lock()
	defer s.acting.Unlock()
	s.happened(account.Event{Kind: account.Asked}) // who had the lock may have failed to open one
	s.mu.Lock()
	has, open := s.account.Has, s.manual
	s.mu.Unlock()
	switch {
	case has == account.Ended:
		return "", errClosed
	case open != nil:
		return open.url, nil
	}
	p := &manualBrowser{done: make(chan struct{})}
	err := p.start(ctx, s)
	s.mu.Lock()
	if err == nil && s.account.Has == account.Ended {
		err = errClosed
	}
	if err == nil {
		s.manual = p
	}
	s.mu.Unlock()
	if err != nil {
		p.end()
		s.happened(account.Event{Kind: account.Refused})
		if errors.Is(err, errClosed) {
			s.screen.end()
		}
		return "", footy.Wrap(footy.CodeUnavailable, op, err)
	}
	go s.awaitManual(context.WithoutCancel(ctx), p)
	return p.url, nil
}

// awaitManual waits until the person is done and checks the login then.
func (s *Service) awaitManual(ctx context.Context, p *manualBrowser) {
	forgotten := time.AfterFunc(manualLimit, p.browser.end)
	<-p.browser.ended
	forgotten.Stop()
	s.happened(account.Event{Kind: account.Left})
	close(p.done)
	s.Authenticate(ctx)
}

// endManual takes the profile back: the person says that they are done.
func (s *Service) endManual() {
	s.mu.Lock()
	p := s.manual
	s.mu.Unlock()
	if p != nil {
		p.browser.end()
		<-p.done
	}
}

// start opens the login page in the browser that searches, without remote control and with pictures.
func (p *manualBrowser) start(ctx context.Context, s *Service) error {
	o := s.opts
	profile, err := claimProfile(o.Dir)
	if err != nil {
		return err
	}
	on := display{name: o.Display}
	if on.name == "" {
		if on, err = p.startVNC(ctx, &s.screen, o); err != nil {
			return err
		}
	}
	if on.name == Desktop {
		on.name = ""
	}
	var args []string
	for _, f := range o.sharedFlags(profile) {
		args = append(args, f.String())
	}
	p.browser, err = startProgram(on.env(browsing...), nil, o.Chromium, append(args, o.BaseURL+"/i/flow/login")...)
	return err
}

// end ends what was started, the browser first.
func (p *manualBrowser) end() {
	if p.browser != nil {
		p.browser.end()
	}
	for i := len(p.helpers) - 1; i >= 0; i-- {
		p.helpers[i].end()
	}
	if p.dir != "" {
		_ = os.RemoveAll(p.dir)
	}
}
