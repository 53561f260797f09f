package browser

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"

	"github.com/found-footy/found-footy/internal/footy"
)

// chrome is one running Chromium. Its context ends when the process dies or is closed.
type chrome struct {
	ctx  context.Context
	stop context.CancelFunc
}

// startTimeout bounds the start of Chromium on a busy machine.
const startTimeout = 60 * time.Second

var (
	errManual = footy.Errorf(footy.CodeAuthRequired, "start chromium", "a person is logging in; close that browser window when done")
	errClosed = footy.Errorf(footy.CodeUnavailable, "start chromium", "the search service is ending")
)

// browser returns the running Chromium and starts it where it is not running, or no longer.
func (s *Service) browser() (*chrome, error) {
	s.starting.Lock()
	defer s.starting.Unlock()
	if c, err := s.running(); c != nil || err != nil {
		return c, err
	}
	c, err := s.start()
	if err != nil {
		return nil, err
	}
	if err := s.restore(c); err != nil {
		c.stop()
		return nil, err
	}
	s.mu.Lock()
	closed := s.closed
	if !closed {
		s.chrome = c
	}
	s.mu.Unlock()
	if closed {
		c.close()
		return nil, errClosed
	}
	return c, nil
}

// running is the living Chromium, nil where there is none.
func (s *Service) running() (*chrome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, errClosed
	case s.manual != nil:
		return nil, errManual
	case s.chrome == nil:
		return nil, nil //nolint:nilnil // none and nothing wrong
	case s.chrome.ctx.Err() == nil:
		return s.chrome, nil
	}
	s.chrome.stop()
	s.chrome = nil
	s.metrics.restarts.Inc()
	s.opts.Log.Warn("chromium died and is started again", "module", "browser", "action", "restart")
	return nil, nil //nolint:nilnil // none and nothing wrong
}

func (s *Service) start() (*chrome, error) {
	const op = "start chromium"
	profile := filepath.Join(s.opts.Dir, "profile")
	if err := os.MkdirAll(profile, 0o700); err != nil {
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if err := s.startable(); err != nil {
		return nil, err
	}
	unlock(profile)
	alloc, stopAlloc := chromedp.NewExecAllocator(context.Background(), s.flags(profile)...)
	ctx, stopBrowser := chromedp.NewContext(alloc)
	c := &chrome{ctx: ctx, stop: func() { stopBrowser(); stopAlloc() }}
	// The context of the first run is the browser's life, so it must not carry a time-out.
	timer := time.AfterFunc(startTimeout, c.stop)
	err := chromedp.Run(ctx, chromedp.ActionFunc(pauseCalls))
	if !timer.Stop() && err == nil {
		err = context.DeadlineExceeded
	}
	if err != nil {
		c.stop()
		return nil, footy.Wrap(footy.CodeUnavailable, op, err)
	}
	return c, nil
}

// pauseCalls pauses every SearchTimeline call until it is released. The browser pauses them, not the tab: what is paused
// for a tab is sent when the tab closes, and so is what its page asks for while it ends.
func pauseCalls(ctx context.Context) error {
	return fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "*/SearchTimeline*", RequestStage: fetch.RequestStageRequest}}).
		Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
}

func (s *Service) startable() error {
	if _, err := exec.LookPath(s.opts.Chromium); err != nil {
		return footy.Errorf(footy.CodeUnavailable, "start chromium", "%w; install it (Debian: apt-get install chromium)", err)
	}
	return nil
}

// flags save work and traffic: no pictures, no media, nothing in the background.
func (s *Service) flags(profile string) []chromedp.ExecAllocatorOption {
	f := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(s.opts.Chromium), chromedp.UserDataDir(profile), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.WindowSize(1280, 1600), chromedp.DisableGPU, chromedp.WSURLReadTimeout(startTimeout),
		chromedp.Flag("password-store", "basic"), chromedp.Flag("mute-audio", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-extensions", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-default-apps", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-breakpad", true),
		chromedp.Flag("autoplay-policy", "user-gesture-required"), chromedp.Flag("blink-settings", "imagesEnabled=false"),
		chromedp.Flag("disable-features", "Translate,MediaRouter,OptimizationHints"), chromedp.Flag("disk-cache-size", strconv.Itoa(64<<20)),
		chromedp.Flag("hide-crash-restore-bubble", true),
	}
	if !s.opts.Headful {
		f = append(f, chromedp.Flag("headless", "new"))
	}
	if s.opts.UserAgent != "" {
		f = append(f, chromedp.UserAgent(s.opts.UserAgent))
	}
	return f
}

// unlock removes the lock of a Chromium that no longer runs: after a kill, or left by another container, it would keep
// the profile closed for ever.
func unlock(profile string) {
	lock := filepath.Join(profile, "SingletonLock")
	target, err := os.Readlink(lock)
	if err != nil {
		return
	}
	i := strings.LastIndexByte(target, '-')
	host, _ := os.Hostname()
	if pid, err := strconv.Atoi(target[i+1:]); err == nil && i > 0 && target[:i] == host && syscall.Kill(pid, 0) == nil {
		return
	}
	for _, name := range []string{"SingletonLock", "SingletonCookie", "SingletonSocket"} {
		_ = os.Remove(filepath.Join(profile, name)) // what is not there need not go
	}
}

// close lets Chromium end by itself, so that it writes its profile, and kills it where it does not.
func (c *chrome) close() {
	defer c.stop()
	if c.ctx.Err() != nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = chromedp.Cancel(c.ctx)
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
	}
}

// do runs an action on the browser as a whole, bounded by ctx.
func (c *chrome) do(ctx context.Context, f func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(c.ctx, 20*time.Second)
	defer cancel()
	stop := context.AfterFunc(ctx, cancel)
	defer stop()
	err := chromedp.Run(bounded, chromedp.ActionFunc(f))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// browserFailed reports whether an error means that the browser or its page failed, not X.
func (c *chrome) browserFailed(err error) bool {
	return c.ctx.Err() != nil || errors.Is(err, errCrashed) || errors.Is(err, errHung) ||
		errors.Is(err, chromedp.ErrInvalidContext) || errors.Is(err, chromedp.ErrChannelClosed)
}
