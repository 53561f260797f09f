package browser

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/source"
)

// plain is a browser without automation for a person to log in with: X refuses automated ones. It has the profile to
// itself; searches wait meanwhile.
type plain struct {
	mu      sync.Mutex
	screen  []*program // what shows the browser where there is no display
	browser *program
	dir     string // secrets of the screen, removed at the end
	where   string // address of noVNC; "" for a window
	done    chan struct{}
}

// plainLimit ends a browser that a person forgot: searches wait for it.
const plainLimit = 30 * time.Minute

// LaunchPlain opens the login page in a plain browser, in a window or through noVNC, and returns where to look: the
// address of noVNC, or "" for a window. Where one is open already it is that one's address. When the person closes it, or
// asks to verify, the login is verified and the cookies are kept.
func (s *Service) LaunchPlain(ctx context.Context) (string, error) {
	const op = "launch a browser for a person"
	if s.opts.Display == "" && !s.opts.VNC {
		return "", footy.Errorf(footy.CodeConflict, op, "there is no display: set X_VNC=true for one in your web browser, or bring cookies (footy x import-cookies FILE)")
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	p := &plain{done: make(chan struct{})}
	s.mu.Lock()
	running, open, closed := s.chrome, s.plain, s.closed
	if open == nil && !closed {
		s.plain, s.chrome = p, nil
	}
	s.mu.Unlock()
	switch {
	case closed:
		return "", errClosed
	case open != nil:
		return open.where, nil
	case running != nil:
		running.close()
	}
	err := p.start(ctx, s.opts)
	s.mu.Lock()
	if s.closed && err == nil {
		err = errClosed
	}
	if err != nil {
		s.plain = nil
	}
	s.mu.Unlock()
	if err != nil {
		p.end()
		close(p.done)
		return "", footy.Wrap(footy.CodeUnavailable, op, err)
	}
	s.session.forget()
	go s.awaitPlain(context.WithoutCancel(ctx), p)
	return p.where, nil
}

// awaitPlain waits until the person is done and looks what came of it. How a person ends a browser is their business.
func (s *Service) awaitPlain(ctx context.Context, p *plain) {
	b := p.running()
	forgotten := time.AfterFunc(plainLimit, b.end)
	<-b.ended
	forgotten.Stop()
	p.end()
	s.session.forget()
	s.mu.Lock()
	mine := s.plain == p
	if mine {
		s.plain, s.by = nil, true
	}
	s.mu.Unlock()
	close(p.done)
	if mine {
		s.Authenticate(ctx)
	}
}

// forget makes the login unknown until the next look.
func (s *session) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.login, s.detail = source.LoginUnknown, ""
}

// withPerson tells that a person has the profile.
func (s *Service) withPerson() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plain != nil
}

// endPlain takes the profile back: the person says that they are done.
func (s *Service) endPlain() {
	s.mu.Lock()
	p := s.plain
	s.mu.Unlock()
	if p != nil {
		p.close()
	}
}

// start opens the login page. The person's browser is an ordinary one: no remote control, pictures and all.
func (p *plain) start(ctx context.Context, o Options) error {
	display := o.Display
	if display == "" {
		var err error
		if display, err = p.show(ctx, o.VNCAddr); err != nil {
			return err
		}
	}
	profile := filepath.Join(o.Dir, "profile")
	if err := os.MkdirAll(profile, 0o700); err != nil {
		return err
	}
	unlock(profile)
	args := []string{"--user-data-dir=" + profile, "--password-store=basic", "--no-first-run", "--no-default-browser-check",
		"--disable-dev-shm-usage", "--hide-crash-restore-bubble", "--allow-browser-signin=false", "--window-position=0,0", "--window-size=1280,900"}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox", "--test-type") // as the automated one; the second hides the warning about it
	}
	b, err := run(display, nil, o.Chromium, append(args, o.BaseURL+"/i/flow/login")...)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.browser = b
	return err
}

// running is the person's browser; nil while it is being started.
func (p *plain) running() *program {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.browser
}

// end ends what was started, the browser first.
func (p *plain) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.browser != nil {
		p.browser.end()
	}
	for i := len(p.screen) - 1; i >= 0; i-- {
		p.screen[i].end()
	}
	p.screen = nil
	if p.dir != "" {
		_ = os.RemoveAll(p.dir)
	}
}

// close ends the browser of a person: they are done, or the service is.
func (p *plain) close() {
	if b := p.running(); b != nil {
		b.end()
		<-p.done
	}
}
