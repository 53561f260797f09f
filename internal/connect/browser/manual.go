package browser

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// manualBrowser is a browser without automation for a person to log in with: X refuses automated ones. It has the profile to
// itself; searches wait meanwhile.
type manualBrowser struct {
	mu      sync.Mutex
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
	s.starting.Lock()
	defer s.starting.Unlock()
	p := &manualBrowser{done: make(chan struct{})}
	s.mu.Lock()
	running, open, closed := s.chrome, s.manual, s.closed
	if open == nil && !closed {
		s.manual, s.chrome = p, nil
	}
	s.mu.Unlock()
	switch {
	case closed:
		return "", errClosed
	case open != nil:
		return open.url, nil
	case running != nil:
		running.close()
	}
	err := p.start(ctx, s)
	s.mu.Lock()
	if s.closed && err == nil {
		err = errClosed
	}
	if err != nil {
		s.manual = nil
	}
	s.mu.Unlock()
	if err != nil {
		p.end()
		close(p.done)
		if errors.Is(err, errClosed) {
			s.screen.end()
		}
		return "", footy.Wrap(footy.CodeUnavailable, op, err)
	}
	s.session.reset()
	go s.awaitManual(context.WithoutCancel(ctx), p)
	return p.url, nil
}

// awaitManual waits until the person is done and checks the login then.
func (s *Service) awaitManual(ctx context.Context, p *manualBrowser) {
	b := p.running()
	forgotten := time.AfterFunc(manualLimit, b.end)
	<-b.ended
	forgotten.Stop()
	p.end()
	s.session.reset()
	s.mu.Lock()
	mine := s.manual == p
	if mine {
		s.manual, s.personUsedProfile = nil, true
	}
	s.mu.Unlock()
	close(p.done)
	if mine {
		s.Authenticate(ctx)
	}
}

// reset makes the login unknown until the next check.
func (s *session) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.login, s.detail = source.LoginUnknown, ""
}

// manualOpen is true while a person has the profile.
func (s *Service) manualOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.manual != nil
}

// endManual takes the profile back: the person says that they are done.
func (s *Service) endManual() {
	s.mu.Lock()
	p := s.manual
	s.mu.Unlock()
	if p != nil {
		p.close()
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
	b, err := startProgram(on.env(browsing...), nil, o.Chromium, append(args, o.BaseURL+"/i/flow/login")...)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.browser = b
	return err
}

// running is the person's browser; nil while it is being started.
func (p *manualBrowser) running() *program {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.browser
}

// end ends what was started, the browser first.
func (p *manualBrowser) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.browser != nil {
		p.browser.end()
	}
	for i := len(p.helpers) - 1; i >= 0; i-- {
		p.helpers[i].end()
	}
	p.helpers = nil
	if p.dir != "" {
		_ = os.RemoveAll(p.dir)
	}
}

// close ends the browser of a person: they are done, or the service is.
func (p *manualBrowser) close() {
	if b := p.running(); b != nil {
		b.end()
		<-p.done
	}
}
