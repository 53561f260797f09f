package browser

import "github.com/found-footy/found-footy/internal/connect/browser/account"

// happened takes the machine a step on and acts on it: what no longer has the profile is ended, and a person is told.
func (s *Service) happened(e account.Event) { s.step(e, nil) }

// step is happened for a browser: that a Chromium died says nothing of the one that was started after it, and one that has started
// may have come too late. It reports whether the state changed.
func (s *Service) step(e account.Event, c *chrome) bool {
	s.mu.Lock()
	if e.Kind == account.Died && c != s.chrome {
		s.mu.Unlock()
		return false
	}
	before := s.account.Has
	var tell *Notice
	s.account, tell = s.account.Next(e, s.opts.Now())
	has := s.account.Has
	var out *chrome
	var window *manualBrowser
	switch {
	case has == before:
	case has == account.Searches:
		s.chrome = c
	case before == account.Searches:
		out, s.chrome = s.chrome, nil
	case before == account.Person:
		window, s.manual = s.manual, nil
	}
	s.mu.Unlock()
	if out != nil {
		out.close()
	}
	if window != nil {
		window.end()
	}
	if e.Kind == account.Closed {
		s.screen.end()
	}
	if tell != nil {
		s.opts.Notify(*tell)
	}
	return has != before
}

// state is the account's state.
func (s *Service) state() account.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.account
}
