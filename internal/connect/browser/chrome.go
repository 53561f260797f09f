package browser

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/connect/browser/account"
	"github.com/found-footy/found-footy/internal/connect/browser/devtools"
	"github.com/found-footy/found-footy/internal/footy"
)

// chrome is one running Chromium. Its life ends when the process does.
type chrome struct {
	*devtools.Browser
	program *program
	agent   devtools.Params // what pages are told where the browser has no window: the name and the hints that it would have with one
	tabs    sync.Map        // by their page, which has the name of its main frame
}

// startTimeout bounds the start of Chromium on a busy machine.
const startTimeout = 60 * time.Second

var (
	errManual = footy.Errorf(footy.CodeAuthRequired, "start chromium", account.LogsIn)
	errClosed = footy.Errorf(footy.CodeUnavailable, "start chromium", "the search service is ending")
	errHung   = errors.New("the browser does not answer")
)

// browser returns the running Chromium and starts it where it is not running, or no longer.
func (s *Service) browser() (*chrome, error) {
	if c, err := s.running(); c != nil || err != nil {
		return c, err
	}
	s.acting.Lock()
	defer s.acting.Unlock()
	return s.start()
}

// start is browser for a caller that holds acting.
func (s *Service) start() (*chrome, error) {
	if c, err := s.running(); c != nil || err != nil {
		return c, err
	}
	c, err := s.launch()
	if err != nil {
		return nil, err
	}
	if err := s.restore(c); err != nil {
		c.stop()
		return nil, err
	}
	if s.step(account.Event{Kind: account.Started}, c) {
		return c, nil
	}
	c.close() // a person or the end came first
	_, err = s.running()
	if errors.Is(err, errClosed) {
		s.screen.end()
	}
	return nil, err
}

// running is the living Chromium, nil where there is none.
func (s *Service) running() (*chrome, error) {
	s.mu.Lock()
	has, c := s.account.Has, s.chrome
	s.mu.Unlock()
	switch {
	case has == account.Ended:
		return nil, errClosed
	case has == account.Person:
		return nil, errManual
	case c == nil || c.Life.Err() == nil:
		return c, nil
	}
	if s.step(account.Event{Kind: account.Died}, c) {
		s.opts.Log.Warn("chromium died and is started again", "module", "browser", "action", "restart")
	}
	return nil, nil //nolint:nilnil // none and nothing wrong
}

// launch starts Chromium and makes it look as the person's browser does.
func (s *Service) launch() (*chrome, error) {
	const op = "start chromium"
	if _, err := exec.LookPath(s.opts.Chromium); err != nil {
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w; install it (Debian: apt-get install chromium)", err)
	}
	profile, err := claimProfile(s.opts.Dir)
	if err != nil {
		return nil, err
	}
	c := &chrome{}
	conn, pipes, err := devtools.Open(c.onEvent)
	if err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	c.Browser = conn
	at := s.place()
	if c.program, err = startProgram(at.env(browsing...), pipes, s.opts.Chromium, s.flags(profile, at)...); err != nil {
		c.Close()
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if err = c.prepare(s.opts); err != nil {
		c.stop()
		return nil, footy.Errorf(footy.CodeUnavailable, op, "%w: %s", err, c.program.stderr.Short())
	}
	return c, nil
}

// prepare opens a page that keeps the browser alive. Every SearchTimeline call is paused until it is released, by the browser and not by
// its tab: what is paused for a tab is sent when the tab closes, and so is what its page asks for while it ends.
func (c *chrome) prepare(o Options) error {
	first, err := c.open(c.Life, "", startTimeout)
	if err != nil {
		return err
	}
	if err := c.identify(first, o); err != nil {
		return err
	}
	return c.do(c.Life, "Fetch.enable", devtools.Params{"patterns": []devtools.Params{{"urlPattern": "*/SearchTimeline*", "requestStage": "Request"}}}, nil)
}

// onEvent gives each tab its paused calls.
func (c *chrome) onEvent(method string, params json.RawMessage) {
	var e paused
	if method != "Fetch.requestPaused" || json.Unmarshal(params, &e) != nil {
		return
	}
	if t, ok := c.tabs.Load(e.FrameID); ok {
		t.(*tab).onPaused(e)
	}
}

// flags are those of both browsers, and what a page does not see: no pictures, no media, nothing in the background. A browser that is
// driven would say so to pages, which the person's does not: AutomationControlled.
func (s *Service) flags(profile string, at display) []string {
	args := append(s.opts.sharedFlags(profile), "--remote-debugging-pipe", "--disable-blink-features=AutomationControlled", "--no-startup-window",
		"--mute-audio", "--disable-sync", "--disable-background-networking",
		"--disable-component-update", "--disable-default-apps", "--disable-breakpad", "--autoplay-policy=user-gesture-required",
		"--blink-settings=imagesEnabled=false", "--disk-cache-size="+strconv.Itoa(64<<20),
		// Windows lie on top of each other; none may sleep.
		"--disable-renderer-backgrounding", "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows")
	if at.name == "" {
		args = append(args, "--headless=new", "--disable-gpu", "--screen-info={"+screenSize+"}")
	}
	return args
}

// close lets Chromium end by itself, so that it writes its profile, and kills it where it does not.
func (c *chrome) close() {
	c.program.end()
	c.stop()
}

// stop kills Chromium.
func (c *chrome) stop() {
	c.Close()
	c.program.kill()
}

// do gives a command to the browser as a whole, which answers soon where it does not hang.
func (c *chrome) do(ctx context.Context, method string, params devtools.Params, result any) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	return c.Call(ctx, method, params, result)
}

// browserFailed reports whether an error means that the browser or its page failed, not X.
func (c *chrome) browserFailed(err error) bool {
	return c.Life.Err() != nil || errors.Is(err, errCrashed) || errors.Is(err, errHung)
}
